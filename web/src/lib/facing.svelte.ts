// Words about cards hold arrows as they lie on the board seen from the first seat. Where the board is
// turned, so are they.
import { turnedArrows } from './arrows';

/** How the board of this page is drawn. */
export const facing = $state({ turned: false });

/** What an action does, as the board of this page shows it. */
export function faced(text: string): string {
  return facing.turned ? turnedArrows(text) : text;
}
