// Where the curve of chances is drawn.

export interface ChancePoint {
  /** The position: so many actions were played. */
  ply: number;
  /** The chance of seat 0. */
  chance: number;
}

export interface ChanceSeries {
  name: string;
  points: ChancePoint[];
}

/** What the agents of both seats told while they played, each for itself. */
export function chanceSeries(history: { seat: number; chance?: number | null }[], seats: string[]): ChanceSeries[] {
  const all = seats.map((name, seat) => ({
    name: `As ${name} sees it`,
    points: history.flatMap((ply, index) => (ply.seat !== seat || ply.chance == null ? [] : [{ ply: index, chance: ply.chance }])),
  }));
  return all.filter(({ points }) => points.length > 0);
}

export interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

export function xOf(ply: number, plies: number, box: Box): number {
  return box.left + (plies <= 0 ? 0 : (ply / plies) * box.width);
}

export function yOf(chance: number, box: Box): number {
  return box.top + (1 - Math.max(0, Math.min(1, chance))) * box.height;
}

const round = (value: number) => Math.round(value * 10) / 10;

/** A line through the points, in their order. */
export function curve(points: ChancePoint[], plies: number, box: Box): string {
  return points
    .map(({ ply, chance }, index) => `${index === 0 ? 'M' : 'L'}${round(xOf(ply, plies, box))} ${round(yOf(chance, box))}`)
    .join('');
}

/** The area between the curve and the middle. */
export function area(points: ChancePoint[], plies: number, box: Box): string {
  if (points.length === 0) return '';
  const middle = round(yOf(0.5, box));
  const [first, last] = [points[0], points[points.length - 1]];
  return `M${round(xOf(first.ply, plies, box))} ${middle}`
    + curve(points, plies, box).replace(/^M/, 'L')
    + `L${round(xOf(last.ply, plies, box))} ${middle}Z`;
}

/** Numbers for the lower edge: round steps, at most `most` of them. */
export function ticks(plies: number, most: number): number[] {
  if (plies <= 0) return [0];
  const steps = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000];
  const step = steps.find((one) => plies / one <= Math.max(1, most)) ?? steps[steps.length - 1];
  return Array.from({ length: Math.floor(plies / step) + 1 }, (_, index) => index * step);
}

/** The last point at or before a position. */
export function known(points: ChancePoint[], ply: number): ChancePoint | null {
  return points.findLast((point) => point.ply <= ply) ?? null;
}
