// The position text of Conquest, eleven words; only what the editor changes is taken apart.

const WORDS = 11;
const [PLAYER, PHASE, SELECTED, STANDING, TROOPS, OBSTACLES] = [0, 1, 3, 4, 8, 10];
const COLUMNS = 20;

export const EMPTY = '0 select 0 - open 0/0 - - - - -';

export interface Troop {
  letter: string;
  square: number;
  health: number;
}

export interface Position {
  words: string[];
  player: '0' | '1';
  /** By side. */
  troops: [Troop[], Troop[]];
  obstacles: number[];
}

const items = (word: string): string[] => (word === '-' ? [] : word.split(','));
const join = (list: string[]): string => (list.length > 0 ? list.join(',') : '-');
const place = (square: number): string => `${square % COLUMNS}/${Math.floor(square / COLUMNS)}`;

function squareOf(text: string): number | null {
  const found = /(\d+)\/(\d+)/.exec(text);
  return found ? Number(found[2]) * COLUMNS + Number(found[1]) : null;
}

function troop(text: string): Troop[] {
  const square = squareOf(text);
  const health = /=(\d+)/.exec(text);
  return square === null || !health ? [] : [{ letter: text.charAt(0), square, health: Number(health[1]) }];
}

/** What can be drawn of a text; `null` if it is none of eleven words. */
export function parse(text: string): Position | null {
  const words = text.trim().split(/\s+/);
  if (words.length !== WORDS) return null;
  return {
    words,
    player: words[PLAYER] === '1' ? '1' : '0',
    troops: [items(words[TROOPS]).flatMap(troop), items(words[TROOPS + 1]).flatMap(troop)],
    obstacles: items(words[OBSTACLES]).flatMap((item) => squareOf(item) ?? []),
  };
}

/** The text with one square changed; a turn begins anew, for who was selected may be gone. */
export function withSquare(
  { words }: Position, square: number, put: { side: number; letter: string; health: number } | 'obstacle' | null,
): string {
  const changed = [...words];
  for (const word of [TROOPS, TROOPS + 1, OBSTACLES]) {
    changed[word] = join(items(changed[word]).filter((item) => squareOf(item) !== square));
  }
  const add = (word: number, item: string) => (changed[word] = join([...items(changed[word]), item]));
  if (put === 'obstacle') add(OBSTACLES, place(square));
  else if (put) add(TROOPS + put.side, `${put.letter}${place(square)}=${put.health}`);
  return anew(changed);
}

export function withPlayer({ words }: Position, player: '0' | '1'): string {
  const changed = [...words];
  changed[PLAYER] = player;
  return anew(changed);
}

function anew(words: string[]): string {
  words[PHASE] = 'select';
  words[SELECTED] = '-';
  words[STANDING] = 'open';
  return words.join(' ');
}
