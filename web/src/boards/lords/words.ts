// A card in words, for those who hear the page or want to read it.
import type { CardFace } from '../../api/model';
import { capital } from '../../lib/format';

const DIRECTIONS = ['ahead', 'ahead right', 'right', 'back right', 'back', 'back left', 'left', 'ahead left'];

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
