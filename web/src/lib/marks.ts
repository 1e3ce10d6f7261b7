// How bad an action was: the signs that chess players use, and words for those who hear the page.
import type { Mark } from '../api/model';

export const SIGNS: Record<Mark, string> = { fine: '', inaccuracy: '?!', mistake: '?', blunder: '??' };
export const WORDS: Record<Mark, string> = {
  fine: 'fine', inaccuracy: 'inaccuracy', mistake: 'mistake', blunder: 'blunder',
};
/** From the worst to the mildest. */
export const BAD: Mark[] = ['blunder', 'mistake', 'inaccuracy'];

/** From what loss on, as the server marks. */
const LIMITS: [number, Mark][] = [[0.2, 'blunder'], [0.1, 'mistake'], [0.05, 'inaccuracy']];
/** Chances are computed, so a loss of 0.2 may come out a little smaller. */
const SLACK = 1e-9;

export function markOf(loss: number): Mark {
  return LIMITS.find(([least]) => loss + SLACK >= least)?.[1] ?? 'fine';
}
