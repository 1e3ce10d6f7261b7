// Lords of War: cards with arrows, from a hand to the board.
import type { GameFace } from '../face';
import CardInfo from './CardInfo.svelte';
import Editor from './Editor.svelte';
import Emblem from './Emblem.svelte';
import { ghosts } from './ghosts';
import Piece from './Piece.svelte';
import { RULES } from './rules';
import Seat from './Seat.svelte';

export const lordsOfWar: GameFace = {
  name: 'lords-of-war',
  Emblem,
  Piece,
  cloth: 'cloth',
  room: { width: 430, height: 430 },
  ghosts,
  Seat,
  Info: CardInfo,
  rules: RULES,
  lenses: async () => (await import('./lenses')).LENSES,
  editor: { Editor },
};
