// Boards and positions for pictures in the rules.
import type { Choice, Geometry, Placed, Scene } from '../api/model';
import type { Pointing } from '../lib/targets';

/** A board for a picture, without coordinates: each game has others. */
export function figureBoard(columns: number, rows: number): Geometry {
  const names = Array.from({ length: columns * rows }, (_, square) =>
    `row ${Math.floor(square / columns) + 1}, column ${(square % columns) + 1}`);
  return { columns, rows, names, row_zero_below: false, turned_for_seat_one: false };
}

export function figureScene(detail: Scene['detail'], pieces: Placed[], targets: number[] = []): Scene {
  const choices: Choice[] = targets.map((square) => ({
    action: String(square), path: [`s:${square}`], words: 'can be chosen', back: 0,
  }));
  return { status: '', pieces, obstacles: [], choices, overlays: [], detail };
}

/** A choice that waits to be confirmed, and what it would change. */
export function waiting(path: string, effects: { square: number; text: string; lost: boolean }[]): Pointing {
  return {
    pointed: [path],
    pending: { action: '', path: [path], words: '', back: 0, preview: { words: [], effects } },
  };
}
