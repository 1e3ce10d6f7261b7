// The rules in short.
import type { Placed, Scene } from '../../api/model';
import type { RuleStep } from '../face';
import { figureBoard, figureScene, waiting } from '../figures';
import { figureTroop } from './figures';
import type { TroopFace } from './model';

const DETAIL: Scene['detail'] = { game: 'conquest', turn: 0, phase: 'move', points: [0, 0], commands: [[], []], lost: [[], []] };

const seven = figureBoard(7, 5);
const two = figureBoard(4, 2);

function troopAt(square: number, seat: number, troop: TroopFace): Placed {
  return { square, seat, label: `${troop.name}, ${troop.health} of ${troop.full_health} health`, piece: { kind: 'troop', ...troop } };
}

const knight = figureTroop('K', 300, 300, { selected: true });

export const RULES: RuleStep[] = [
  {
    title: 'A turn: select, move, strike',
    words: [
      'Select one troop, move it once along free squares, then attack an enemy in range; or attack without moving. Then the turn ends.',
      'Dots show where the selected troop can go.',
    ],
    figure: {
      geometry: seven,
      scene: figureScene(DETAIL, [
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
      scene: figureScene(DETAIL, [
        troopAt(16, 0, knight), troopAt(17, 1, figureTroop('C', 400, 500)), troopAt(5, 1, figureTroop('M', 100, 100)),
      ], [17]),
      pointing: waiting('s:17', [{ square: 17, text: '−300', lost: false }, { square: 16, text: 'falls', lost: true }]),
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
      scene: figureScene(DETAIL, [
        troopAt(1, 0, figureTroop('K', 300, 300, { boost: 200, marks: ['Battle Cry'] })), troopAt(6, 1, figureTroop('H', 100, 200, { marks: ['Chastise'] })),
      ]),
    },
  },
  {
    title: 'Winning',
    words: ['A side without living troops has lost. Loadouts decide much: at most 10 troops, 4 commands and 1000 points, placed on your first three rows.'],
  },
];
