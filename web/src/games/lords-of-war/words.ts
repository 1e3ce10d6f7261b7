// A card in words, for those who hear the page or want to read it.
import { capital } from '../../lib/format';
import type { CardFace, LordsSide } from './model';

const DIRECTIONS = ['ahead', 'ahead right', 'right', 'back right', 'back', 'back left', 'left', 'ahead left'];

/** What the signs on a card mean. */
export const LEGEND =
  'On a card, numbers on arrows say how hard it strikes which way, the shield its defence (golden for command cards) and the crosshairs its shot.';

/** The cards of a side that are not on the board. */
export function held(side: Pick<LordsSide, 'hand' | 'hidden' | 'deck'>): string {
  const hidden = side.hidden > 0 ? ` (${side.hidden} hidden)` : '';
  return `${side.hand.length + side.hidden} in hand${hidden}, ${side.deck} in deck`;
}

export function describe(card: CardFace): string {
  const arrows = card.arrows.flatMap((strength, index) => (strength > 0 ? [`${DIRECTIONS[index]} ${strength}`] : []));
  const parts = [
    `${card.name}, ${card.rank} ${card.class}`,
    `defence ${card.defence}`,
    arrows.length > 0 ? `arrows ${arrows.join(', ')}` : 'no arrows',
  ];
  if (card.shot > 0) parts.push(`shot ${card.shot}`);
  return `${capital(parts.join('; '))}.`;
}
