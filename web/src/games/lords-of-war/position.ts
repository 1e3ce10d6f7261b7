// The position text of Lords of War: armies, turn, stage, board, hands, decks. Cards are written as
// one digit of base 36.

const [TURN, STAGE, BOARD, HANDS, DECKS] = [1, 2, 3, 4, 5];
const WORDS = 6;
const COLUMNS = 7;
const ROWS = 6;
/** The first two turns are the opening, in which nothing can stand on the board yet. */
const FIRST_FREE_TURN = 3;

export interface Stone {
  side: number;
  card: number;
}

export interface Position {
  words: string[];
  turn: number;
  began: number;
  /** By square, row 0 first. */
  board: (Stone | null)[];
  hands: [number[], number[]];
  decks: [number[], number[]];
}

const cards = (text: string): number[] =>
  text === '-' ? [] : [...text].map((letter) => Number.parseInt(letter, 36));
const text = (list: number[]): string => (list.length > 0 ? list.map((card) => card.toString(36)).join('') : '-');

function pair(word: string): [number[], number[]] | null {
  const parts = word.split(':');
  const lists = parts.map(cards);
  return parts.length === 2 && !lists.flat().some(Number.isNaN) ? [lists[0], lists[1]] : null;
}

function boardOf(word: string): (Stone | null)[] | null {
  const rows = word.split('/').reverse();
  const squares = rows.flatMap((row) =>
    [...row.matchAll(/([+-])([0-9a-z])|(\d)/g)].flatMap(([, sign, card, empty]): (Stone | null)[] =>
      empty ? Array.from({ length: Number(empty) }, () => null)
        : [{ side: sign === '+' ? 0 : 1, card: Number.parseInt(card, 36) }]));
  return squares.length === COLUMNS * ROWS ? squares : null;
}

function boardText(board: (Stone | null)[]): string {
  const rows = Array.from({ length: ROWS }, (_, row) => {
    let line = '';
    let empty = 0;
    for (const stone of board.slice(row * COLUMNS, (row + 1) * COLUMNS)) {
      if (!stone) {
        empty += 1;
        continue;
      }
      line += `${empty || ''}${stone.side === 0 ? '+' : '-'}${stone.card.toString(36)}`;
      empty = 0;
    }
    return `${line}${empty || ''}`;
  });
  return rows.reverse().join('/');
}

/** What a text says; `null` if it has another form. */
export function parse(written: string): Position | null {
  const words = written.trim().split(/\s+/);
  const turn = /^(\d+):([01])$/.exec(words[TURN] ?? '');
  if (words.length < WORDS || !turn) return null;
  const [board, hands, decks] = [boardOf(words[BOARD]), pair(words[HANDS]), pair(words[DECKS])];
  if (!board || !hands || !decks) return null;
  return { words, turn: Number(turn[1]), began: Number(turn[2]), board, hands, decks };
}

/** Whose turn it is: turns alternate from who began. */
export function mover({ turn, began }: Position): number {
  return turn % 2 === 1 ? began : 1 - began;
}

/** The text, at the beginning of a turn after the opening. What happened in a turn is left out. */
export function write(position: Position, toMove = mover(position)): string {
  let turn = Math.max(position.turn, FIRST_FREE_TURN);
  if (mover({ ...position, turn }) !== toMove) turn += 1;
  const words = position.words.slice(0, WORDS);
  words[TURN] = `${turn}:${position.began}`;
  words[STAGE] = 'deploy';
  words[BOARD] = boardText(position.board);
  words[HANDS] = position.hands.map(text).join(':');
  words[DECKS] = position.decks.map(text).join(':');
  return words.join(' ');
}

/** A card somewhere: on a square, in a hand, on top of a deck. */
export type Place = { square: number } | { hand: number; card: number } | { deck: number };

/** Takes the card from one place to another, or out of the game. */
export function moved(position: Position, from: Place, to: number | 'hand' | 'lost'): Position | null {
  const board = [...position.board];
  const hands: [number[], number[]] = [[...position.hands[0]], [...position.hands[1]]];
  const decks: [number[], number[]] = [[...position.decks[0]], [...position.decks[1]]];
  let stone: Stone | null = null;
  if ('square' in from) {
    stone = board[from.square];
    board[from.square] = null;
  } else if ('hand' in from) {
    const at = hands[from.hand].indexOf(from.card);
    if (at >= 0) stone = { side: from.hand, card: hands[from.hand].splice(at, 1)[0] };
  } else {
    const top = decks[from.deck].shift();
    if (top !== undefined) stone = { side: from.deck, card: top };
  }
  if (!stone || (typeof to === 'number' && board[to])) return null;
  if (typeof to === 'number') board[to] = stone;
  else if (to === 'hand') hands[stone.side] = [...hands[stone.side], stone.card].sort((a, b) => a - b);
  return { ...position, board, hands, decks };
}
