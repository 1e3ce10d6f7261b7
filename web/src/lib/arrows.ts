// The steps of a line of play as shapes over the board: an arrow for what goes from one square to
// another, a ring for what happens on one. Units are squares, from the upper left corner.
import type { Geometry, Step } from '../api/model';

export interface Place {
  x: number;
  y: number;
}

export interface Shape {
  /** Which steps: more than one where they are drawn alike. */
  numbers: number[];
  seat: number;
  from: Place | null;
  to: Place;
}

/** The middle of a square as it is drawn. */
export function middle(square: number, geometry: Geometry, turned: boolean): Place {
  const column = square % geometry.columns;
  const row = Math.floor(square / geometry.columns);
  const down = geometry.row_zero_below !== turned ? geometry.rows - 1 - row : row;
  const right = turned ? geometry.columns - 1 - column : column;
  return { x: right + 0.5, y: down + 0.5 };
}

/** Steps that touch no square have a number and no shape. */
export function shapes(steps: Step[], geometry: Geometry, turned: boolean): Shape[] {
  const found = new Map<string, Shape>();
  const squares = geometry.columns * geometry.rows;
  steps.forEach((step, index) => {
    const inside = step.squares.filter((square) => square < squares);
    const [first, last] = [inside[0], inside.at(-1)];
    if (first === undefined || last === undefined) return;
    const key = `${first === last ? '' : first}>${last}`;
    const there = found.get(key);
    if (there) {
      there.numbers.push(index + 1);
      return;
    }
    const from = first === last ? null : middle(first, geometry, turned);
    found.set(key, { numbers: [index + 1], seat: step.seat, from, to: middle(last, geometry, turned) });
  });
  return [...found.values()];
}

/** From near the middle of one square to near that of another, so that both can be seen. */
export function shaft(from: Place, to: Place): { x1: number; y1: number; x2: number; y2: number } {
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  const [right, down] = [(to.x - from.x) / length, (to.y - from.y) / length];
  const [start, end] = [0.2, 0.32];
  return {
    x1: from.x + right * start, y1: from.y + down * start, x2: to.x - right * end, y2: to.y - down * end,
  };
}

const DRAWN = '↑↗→↘↓↙←↖';

/** Arrows in words as they are seen from the other side. */
export function turnedArrows(text: string): string {
  return text.replace(/[↑↗→↘↓↙←↖]/g, (arrow) => DRAWN[(DRAWN.indexOf(arrow) + DRAWN.length / 2) % DRAWN.length]);
}
