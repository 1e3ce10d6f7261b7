// Where squares are drawn.
import type { Geometry } from '../api/model';

/** Squares row by row as they are drawn from the top left corner, for one seat's eyes. */
export function drawn(geometry: Geometry, turned: boolean): number[][] {
  const { columns, rows } = geometry;
  const grid = Array.from({ length: rows }, (_, row) =>
    Array.from({ length: columns }, (_, column) => row * columns + column));
  if (geometry.row_zero_below) grid.reverse();
  if (!turned) return grid;
  return grid.map((row) => [...row].reverse()).reverse();
}

/** Whether the board is drawn turned for this seat. */
export function turnedFor(geometry: Geometry, seat: number | null): boolean {
  return geometry.turned_for_seat_one && seat === 1;
}

/** A place in the drawing, moved by arrow keys and held inside. */
export function moved(
  place: { row: number; column: number }, key: string, rows: number, columns: number,
): { row: number; column: number } | null {
  const inside = (value: number, count: number) => Math.max(0, Math.min(count - 1, value));
  const { row, column } = place;
  switch (key) {
    case 'ArrowUp': return { row: inside(row - 1, rows), column };
    case 'ArrowDown': return { row: inside(row + 1, rows), column };
    case 'ArrowLeft': return { row, column: inside(column - 1, columns) };
    case 'ArrowRight': return { row, column: inside(column + 1, columns) };
    case 'Home': return { row, column: 0 };
    case 'End': return { row, column: columns - 1 };
    case 'PageUp': return { row: 0, column };
    case 'PageDown': return { row: rows - 1, column };
    default: return null;
  }
}
