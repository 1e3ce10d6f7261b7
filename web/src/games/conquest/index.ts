// Conquest: troops with health and commands on a large board.
import type { GameFace } from '../face';
import Editor from './Editor.svelte';
import Emblem from './Emblem.svelte';
import { EXAMPLE, loadoutWords } from './loadout';
import Panel from './Panel.svelte';
import Piece from './Piece.svelte';
import { RULES } from './rules';
import TroopInfo from './TroopInfo.svelte';

export const conquest: GameFace = {
  name: 'conquest',
  Emblem,
  Piece,
  room: { width: 420, height: 240 },
  Panel,
  Info: TroopInfo,
  rules: RULES,
  lenses: async () => (await import('./lenses')).LENSES,
  editor: { Editor },
  loadouts: { builder: () => import('./Loadouts.svelte'), words: loadoutWords, example: EXAMPLE },
};
