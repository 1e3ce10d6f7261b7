// The rules in short, with pictures. The figures are fixed scenes; nothing here is worked out.
import type { Geometry, Scene } from '../api/model';
import { NOTHING, type Pointing } from '../lib/targets';
import { cardAt, discs, figureBoard, figureCard, figureScene, figureTroop, troopAt } from './figures';

export interface RuleStep {
  title: string;
  words: string[];
  figure?: { geometry: Geometry; scene: Scene; last?: number[]; pointing?: Pointing };
}

const six = figureBoard(6, 6);
const seven = figureBoard(7, 5);
const two = figureBoard(4, 2);

const effect = (path: string, effects: { square: number; text: string; lost: boolean }[]): Pointing => ({
  pointed: [path],
  pending: { action: '', path: [path], words: '', back: 0, preview: { words: [], effects } },
});

const OTHELLO: RuleStep[] = [
  {
    title: 'Place a disc, turn a row',
    words: [
      'Black begins. Place a disc so that one or more enemy discs lie in a straight line between it and another disc of yours.',
      'The dots show where Black may play here.',
    ],
    figure: {
      geometry: six,
      scene: figureScene('othello', discs(['......', '......', '..ox..', '..xo..', '......', '......']), [8, 13, 22, 27]),
    },
  },
  {
    title: 'All of them turn',
    words: ['Every enemy disc caught in a line, in all eight directions, becomes yours at once. Discs that turn start no further turns.'],
    figure: {
      geometry: six,
      scene: figureScene('othello', discs(['......', '..x...', '..xx..', '..xo..', '......', '......'])),
      last: [8],
    },
  },
  {
    title: 'More discs win',
    words: ['The side with more discs wins. Until then having few discs is often good: corners can never be turned back, squares beside them are risky.'],
    figure: {
      geometry: six,
      scene: figureScene('othello', discs(['xxxxxo', 'xxxooo', 'xxoxoo', 'xoxxxo', 'xxxxxo', 'xxxooo'])),
      last: [0],
    },
  },
  {
    title: 'No move? Pass',
    words: ['Whoever can turn nothing passes; whoever can, must. When neither side can move, the game is over.'],
  },
];

const knight = figureTroop('K', 300, 300, { selected: true });

const CONQUEST: RuleStep[] = [
  {
    title: 'A turn: select, move, strike',
    words: [
      'Select one troop, move it once along free squares, then attack an enemy in range; or attack without moving. Then the turn ends.',
      'Dots show where the selected troop can go.',
    ],
    figure: {
      geometry: seven,
      scene: figureScene('conquest', [
        troopAt(23, 0, knight), troopAt(29, 0, figureTroop('A', 100, 100)), troopAt(11, 1, figureTroop('F', 300, 300)),
      ], [8, 9, 10, 15, 16, 17, 18, 22, 24, 25, 30, 31, 32]),
    },
  },
  {
    title: 'Strike and counter-strike',
    words: [
      'An attack takes the attacker’s damage off the defender’s health. A defender that survives and reaches the attacker strikes back.',
      'Before you confirm, the board shows what would happen.',
    ],
    figure: {
      geometry: seven,
      scene: figureScene('conquest', [
        troopAt(16, 0, knight), troopAt(17, 1, figureTroop('C', 400, 500)), troopAt(5, 1, figureTroop('M', 100, 100)),
      ], [17]),
      pointing: effect('s:17', [{ square: 17, text: '−300', lost: false }, { square: 16, text: 'falls', lost: true }]),
    },
  },
  {
    title: 'Commands',
    words: [
      'Each side brings up to four commands. They cost command points and cool down after use. You get 25 points a turn, and the cost of every troop you kill.',
      'A boost is extra health for one turn (the thin blue bar); other commands leave a letter on the troop.',
    ],
    figure: {
      geometry: two,
      scene: figureScene('conquest', [
        troopAt(1, 0, figureTroop('K', 300, 300, { boost: 200, marks: ['Battle Cry'] })), troopAt(6, 1, figureTroop('H', 100, 200, { marks: ['Chastise'] })),
      ]),
    },
  },
  {
    title: 'Winning',
    words: ['A side without living troops has lost. Loadouts decide much: at most 10 troops, 4 commands and 1000 points, placed on your first three rows.'],
  },
];

const LORDS: RuleStep[] = [
  {
    title: 'A card and its arrows',
    words: [
      'Arrows point at neighbouring squares with a strength. The shield shows the defence. A ring with a number is the strength of a shot, a golden shield marks a command card.',
      'Cards always face the opponent.',
    ],
    figure: {
      geometry: two,
      scene: figureScene('lords-of-war', [
        cardAt(1, 0, figureCard([4, 3, 0, 0, 0, 0, 0, 3], 4)), cardAt(6, 0, figureCard([2, 1, 0, 0, 0, 0, 0, 1], 3, { shot: 2, commands: true })),
      ]),
    },
  },
  {
    title: 'Deploy one card a turn',
    words: [
      'A card goes to an empty square from which at least one of its arrows points at an enemy. Spears and ranged cards may also stand next to any own card.',
    ],
    figure: {
      geometry: two,
      scene: figureScene('lords-of-war', [cardAt(1, 1, figureCard([3, 0, 2, 0, 0, 0, 2, 0], 3), 0), cardAt(7, 0, figureCard([0, 2, 2, 0, 0, 0, 2, 2], 4))], [4, 5, 6]),
    },
  },
  {
    title: 'More than the defence',
    words: [
      'After deployment and shots, every card attacked by a total of more than its defence falls: all at once, on both sides. The badge on a card is the total against it.',
    ],
    figure: {
      geometry: two,
      scene: figureScene('lords-of-war', [
        cardAt(2, 1, figureCard([3, 0, 2, 0, 0, 0, 2, 0], 4), 5), cardAt(6, 0, figureCard([3, 1, 0, 0, 0, 0, 0, 1], 4), 3),
        cardAt(5, 0, figureCard([0, 2, 1, 0, 0, 0, 1, 0], 3), 0),
      ], []),
      pointing: effect('s:6', [{ square: 2, text: 'falls', lost: true }]),
    },
  },
  {
    title: 'Shots',
    words: ['Ranged cards that no enemy arrow points at may shoot instead of striking. Each is asked in turn and may hold.'],
  },
  {
    title: 'Draw or retreat',
    words: ['With fewer than six cards in hand, draw one, or take back an own card that is not engaged and killed nothing this turn.'],
  },
  {
    title: 'Winning',
    words: ['A side that has lost 20 cards, or 4 of its six command cards, is beaten.'],
  },
];

export const RULES: Record<string, RuleStep[]> = { othello: OTHELLO, conquest: CONQUEST, 'lords-of-war': LORDS };
for (const step of Object.values(RULES).flat()) if (step.figure) step.figure.pointing ??= NOTHING;
