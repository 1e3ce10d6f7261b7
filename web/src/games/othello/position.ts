// The position text of Othello: 64 letters and the side to move.

export type Disc = 'X' | 'O' | '-';

export const START = '---------------------------OX------XO--------------------------- X';
export const EMPTY = `${'-'.repeat(64)} X`;

export interface Position {
  discs: Disc[];
  mover: 'X' | 'O';
}

/** The discs of a text as far as it can be read; missing squares are empty. */
export function parse(text: string): Position {
  const letters = text.replace(/\s/g, '').toUpperCase();
  const discs = Array.from({ length: 64 }, (_, square): Disc => {
    const letter = letters[square] ?? '-';
    if ('XB*'.includes(letter)) return 'X';
    return 'OW'.includes(letter) ? 'O' : '-';
  });
  return { discs, mover: 'OW'.includes(letters[64] ?? 'X') ? 'O' : 'X' };
}

export function write({ discs, mover }: Position): string {
  return `${discs.join('')} ${mover}`;
}
