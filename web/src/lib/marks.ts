// How bad an action was: the signs that chess players use, and words for those who hear the page.
import type { Mark } from '../api/model';

export const SIGNS: Record<Mark, string> = { fine: '', inaccuracy: '?!', mistake: '?', blunder: '??' };
export const WORDS: Record<Mark, string> = {
  fine: 'fine', inaccuracy: 'inaccuracy', mistake: 'mistake', blunder: 'blunder',
};
/** From the worst to the mildest. */
export const BAD: Mark[] = ['blunder', 'mistake', 'inaccuracy'];
