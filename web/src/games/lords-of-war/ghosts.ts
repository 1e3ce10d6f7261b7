// The card that waits to be put down is seen where it would stand.
import type { Placed, Scene } from '../../api/model';
import { squareOf, type Pointing } from '../../lib/targets';
import { cardPiece } from './pieces';

export function ghosts({ detail, pieces }: Scene, pointing: Pointing, acting: number): Placed[] {
  const square = squareOf(pointing.pending?.path.at(-1) ?? '');
  if (detail.game !== 'lords-of-war' || square === null) return [];
  const held = detail.sides[acting]?.hand.find((one) => one.target === pointing.pointed[0]);
  if (!held || pieces.some((placed) => placed.square === square)) return [];
  return [{ square, seat: acting, label: `${held.card.name} would stand here`, piece: cardPiece(held.card) }];
}
