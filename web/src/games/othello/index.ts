// Othello: discs on green cloth.
import type { GameFace } from '../face';
import Disc from './Disc.svelte';
import Editor from './Editor.svelte';
import Emblem from './Emblem.svelte';
import { START } from './position';
import { RULES } from './rules';

export const othello: GameFace = {
  name: 'othello',
  Emblem,
  Piece: Disc,
  cloth: 'green',
  discs: true,
  tally: { what: 'discs', of: ({ detail }, seat) => (detail.game === 'othello' ? detail.discs[seat] : null) },
  rules: RULES,
  lenses: async () => (await import('./lenses')).LENSES,
  formats: [
    { format: 'transcript', name: 'Transcript', words: 'A transcript', end: 'txt' },
    { format: 'ggf', name: 'GGF', words: 'A game in GGF', end: 'ggf' },
  ],
  imports: { words: 'Othello transcripts (`f5d6c3`) and GGF', example: 'f5d6c3d3c4' },
  editor: { Editor, start: START, lines: 4 },
};
