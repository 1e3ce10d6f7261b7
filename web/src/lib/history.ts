// The history of a game, which the server tells once and then only what is new of it.
import type { GameState, Ply } from '../api/model';

/** All actions, put together from what was known before and what is told now. */
export function wholeHistory(told: Pick<GameState, 'plies' | 'history'>, before: readonly Ply[]): Ply[] {
  const whole = before.slice(0, told.plies);
  for (const ply of told.history) whole[ply.number] = ply;
  return whole;
}
