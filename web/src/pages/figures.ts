// Pieces and small boards for pictures in the rules and on the start page and in the loadout builder.
import type { CardFace, Choice, Geometry, Placed, Scene, TroopFace } from '../api/model';

const TROOP_NAMES: Record<string, string> = {
  S: 'Scout', F: 'Foot Soldier', H: 'Halberdier', A: 'Archer', M: 'Mage', K: 'Knight', C: 'Champion',
};

export function figureTroop(letter: string, health: number, full: number, more: Partial<TroopFace> = {}): TroopFace {
  return {
    letter, name: TROOP_NAMES[letter] ?? letter, health, full_health: full, boost: 0, damage: 0, movement: 0, range: 0,
    cost: 0, selected: false, marks: [], ...more,
  };
}

export function figureCard(arrows: number[], defence: number, more: Partial<CardFace> = {}): CardFace {
  return {
    id: 0, name: 'card', rank: 'regular', class: 'infantry', defence, arrows, shot: 0, aim: [], commands: false, ...more,
  };
}

/** A board for a picture, without coordinates: each game has others. */
export function figureBoard(columns: number, rows: number): Geometry {
  const names = Array.from({ length: columns * rows }, (_, square) =>
    `row ${Math.floor(square / columns) + 1}, column ${(square % columns) + 1}`);
  return { columns, rows, names, row_zero_below: false, turned_for_seat_one: false };
}

type Detail = Scene['detail'];

const DETAILS: Record<string, Detail> = {
  othello: { game: 'othello', discs: [2, 2], empties: 60 },
  conquest: { game: 'conquest', turn: 0, phase: 'move', points: [0, 0], commands: [[], []], lost: [[], []] },
  'lords-of-war': { game: 'lords-of-war', turn: 1, stage: 'deploy', sides: [], cards_to_lose: 20, commands_to_lose: 4 },
};

export function figureScene(game: string, pieces: Placed[], targets: number[] = []): Scene {
  const choices: Choice[] = targets.map((square) => ({
    action: String(square), path: [`s:${square}`], words: 'can be chosen', back: 0,
  }));
  return { status: '', pieces, obstacles: [], choices, overlays: [], detail: DETAILS[game] };
}

/** Discs from rows of letters: `x` black, `o` white. */
export function discs(rows: string[]): Placed[] {
  return rows.flatMap((row, y) =>
    [...row].flatMap((letter, x): Placed[] => {
      if (letter !== 'x' && letter !== 'o') return [];
      const seat = letter === 'x' ? 0 : 1;
      return [{ square: y * row.length + x, seat, label: seat === 0 ? 'black disc' : 'white disc', piece: { kind: 'disc' } }];
    }));
}

export function troopAt(square: number, seat: number, troop: TroopFace): Placed {
  return { square, seat, label: `${troop.name}, ${troop.health} of ${troop.full_health} health`, piece: { kind: 'troop', ...troop } };
}

export function cardAt(square: number, seat: number, card: CardFace, attacked = 0): Placed {
  return {
    square, seat, label: `card with defence ${card.defence}`,
    piece: { kind: 'card', card, attacked, shooting: false },
  };
}
