// Colours for values: from dark blue to yellow, as in cividis (Nuñez, Anderton, Renslow 2018), which
// looks alike to everybody, by day and by night.
import type { Lens } from '../api/model';

/** A value as it is drawn on its square. */
export interface Heat {
  colour: string;
  ink: string;
  text: string;
}

const STOPS: [number, number, number][] = [
  [0, 34, 78], [53, 69, 108], [102, 105, 112], [148, 142, 119], [200, 184, 102], [254, 232, 56],
];

/** Where a value lies between the lowest and the highest, 0 to 1. */
export function shareOf(value: number, lowest: number, highest: number): number {
  if (!(highest > lowest)) return 0.5;
  return Math.max(0, Math.min(1, (value - lowest) / (highest - lowest)));
}

function mixed(share: number): [number, number, number] {
  const at = Math.max(0, Math.min(1, share)) * (STOPS.length - 1);
  const index = Math.min(STOPS.length - 2, Math.floor(at));
  const part = at - index;
  const [low, high] = [STOPS[index], STOPS[index + 1]];
  return [0, 1, 2].map((channel) => Math.round(low[channel] + (high[channel] - low[channel]) * part)) as [number, number, number];
}

export function heatColour(share: number): string {
  return `rgb(${mixed(share).join(' ')})`;
}

/** The ink that can be read on that colour. */
export function inkOn(share: number): string {
  const [red, green, blue] = mixed(share).map((channel) => {
    const part = channel / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  const light = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  return light > 0.179 ? '#000' : '#fff';
}

/** The colours from the lowest to the highest, for a legend. */
export const RAMP = `linear-gradient(to right, ${STOPS.map((stop) => `rgb(${stop.join(' ')})`).join(', ')})`;

/** An opinion as it is laid over the board. */
export function heatMap(lens: Pick<Lens, 'lowest' | 'highest' | 'squares'>): Map<number, Heat> {
  return new Map(lens.squares.map(({ square, value, text }) => {
    const share = shareOf(value, lens.lowest, lens.highest);
    return [square, { colour: heatColour(share), ink: inkOn(share), text }];
  }));
}
