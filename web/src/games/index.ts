// The games that have a face, and the only list of them.
import type { GameFace } from './face';
import { conquest } from './conquest';
import { lordsOfWar } from './lords-of-war';
import { othello } from './othello';

export const FACES: readonly GameFace[] = [othello, conquest, lordsOfWar];

const byName = new Map(FACES.map((face) => [face.name, face]));

/** What the page knows of a game; nothing of most. */
export function faceOf(game: string): GameFace | undefined {
  return byName.get(game);
}
