// The rules in short.
import type { Placed, Scene } from '../../api/model';
import type { RuleStep } from '../face';
import { figureBoard, figureScene } from '../figures';

const DETAIL: Scene['detail'] = { game: 'othello', discs: [2, 2], empties: 60 };

const six = figureBoard(6, 6);

/** Discs from rows of letters: `x` black, `o` white. */
function discs(rows: string[]): Placed[] {
  return rows.flatMap((row, y) =>
    [...row].flatMap((letter, x): Placed[] => {
      if (letter !== 'x' && letter !== 'o') return [];
      const seat = letter === 'x' ? 0 : 1;
      return [{ square: y * row.length + x, seat, label: seat === 0 ? 'black disc' : 'white disc', piece: { kind: 'disc' } }];
    }));
}

export const RULES: RuleStep[] = [
  {
    title: 'Place a disc, turn a row',
    words: [
      'Black begins. Place a disc so that one or more enemy discs lie in a straight line between it and another disc of yours.',
      'The dots show where Black may play here.',
    ],
    figure: {
      geometry: six,
      scene: figureScene(DETAIL, discs(['......', '......', '..ox..', '..xo..', '......', '......']), [8, 13, 22, 27]),
    },
  },
  {
    title: 'All of them turn',
    words: ['Every enemy disc caught in a line, in all eight directions, becomes yours at once. Discs that turn start no further turns.'],
    figure: {
      geometry: six,
      scene: figureScene(DETAIL, discs(['......', '..x...', '..xx..', '..xo..', '......', '......'])),
      last: [8],
    },
  },
  {
    title: 'More discs win',
    words: ['The side with more discs wins. Until then having few discs is often good: corners can never be turned back, squares beside them are risky.'],
    figure: {
      geometry: six,
      scene: figureScene(DETAIL, discs(['xxxxxo', 'xxxooo', 'xxoxoo', 'xoxxxo', 'xxxxxo', 'xxxooo'])),
      last: [0],
    },
  },
  {
    title: 'No move? Pass',
    words: ['Whoever can turn nothing passes; whoever can, must. When neither side can move, the game is over.'],
  },
];
