// The rules in short.
import type { Placed, Scene } from '../../api/model';
import type { RuleStep } from '../face';
import { figureBoard, figureScene, waiting } from '../figures';
import type { CardFace } from './model';
import { cardPiece, figureCard } from './pieces';

const DETAIL: Scene['detail'] = { game: 'lords-of-war', turn: 1, stage: 'deploy', sides: [], cards_to_lose: 20, commands_to_lose: 4 };

const two = figureBoard(4, 2);

function cardAt(square: number, seat: number, card: CardFace, attacked = 0): Placed {
  return { square, seat, label: `card with defence ${card.defence}`, piece: cardPiece(card, attacked) };
}

export const RULES: RuleStep[] = [
  {
    title: 'A card and its arrows',
    words: [
      'Arrows point at neighbouring squares with a strength. The shield shows the defence. A ring with a number is the strength of a shot, a golden shield marks a command card.',
      'Cards always face the opponent.',
    ],
    figure: {
      geometry: two,
      scene: figureScene(DETAIL, [
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
      scene: figureScene(DETAIL, [cardAt(1, 1, figureCard([3, 0, 2, 0, 0, 0, 2, 0], 3), 0), cardAt(7, 0, figureCard([0, 2, 2, 0, 0, 0, 2, 2], 4))], [4, 5, 6]),
    },
  },
  {
    title: 'More than the defence',
    words: [
      'After deployment and shots, every card attacked by a total of more than its defence falls: all at once, on both sides. The badge on a card is the total against it.',
    ],
    figure: {
      geometry: two,
      scene: figureScene(DETAIL, [
        cardAt(2, 1, figureCard([3, 0, 2, 0, 0, 0, 2, 0], 4), 5), cardAt(6, 0, figureCard([3, 1, 0, 0, 0, 0, 0, 1], 4), 3),
        cardAt(5, 0, figureCard([0, 2, 1, 0, 0, 0, 1, 0], 3), 0),
      ], []),
      pointing: waiting('s:6', [{ square: 2, text: 'falls', lost: true }]),
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
