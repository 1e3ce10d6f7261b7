// Cards that the page makes itself: for pictures, and where the server tells of none on a square.
import type { Piece } from '../../api/model';
import type { CardFace } from './model';

export function figureCard(arrows: number[], defence: number, more: Partial<CardFace> = {}): CardFace {
  return {
    id: 0, name: 'card', rank: 'regular', class: 'infantry', defence, arrows, shot: 0, aim: [], commands: false, ...more,
  };
}

/** The card as it stands on a square. */
export function cardPiece(card: CardFace, attacked = 0): Piece {
  return { kind: 'card', card, attacked, shooting: false };
}
