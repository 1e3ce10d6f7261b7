// Positions of the past, each asked for once.
import type { GameState, Ply, Scene } from '../api/model';

/** Tells positions apart by what led there: after an undo other actions may. */
export function keyOf(history: Pick<Ply, 'action'>[], ply: number): string {
  return history.slice(0, ply).map((one) => one.action).join('\n');
}

/** The last position in which somebody can act; in a finished game that before the last action. */
export function lastOpen(game: Pick<GameState, 'history' | 'ending'>): number {
  return Math.max(0, game.history.length - (game.ending ? 1 : 0));
}

/**
 * The last action that has reasons. Of the actions of one turn the last that was a choice, which is
 * told with a chance; -1 if there is none.
 */
export function lastExplained(history: Pick<Ply, 'explained' | 'chance' | 'seat'>[]): number {
  const last = history.findLastIndex((ply) => ply.explained);
  for (let at = last; at >= 0 && history[at].seat === history[last].seat; at -= 1) {
    if (history[at].explained && history[at].chance != null) return at;
  }
  return last;
}

/** A person plays and something is hidden: nothing is told about the game before its end. */
export function secret(game: Pick<GameState, 'hidden' | 'ending'> & { seats: Pick<GameState['seats'][number], 'spec'>[] }): boolean {
  return game.hidden && game.ending == null && game.seats.some((seat) => seat.spec == null);
}

/** Nobody can act any more after so many actions. */
export function overAt(game: Pick<GameState, 'history' | 'ending'>, ply: number): boolean {
  return game.ending != null && ply >= game.history.length;
}

export class Positions {
  private readonly scenes = new Map<string, Promise<Scene>>();

  constructor(private readonly ask: (ply: number) => Promise<Scene>) {}

  scene(history: Ply[], ply: number): Promise<Scene> {
    const key = keyOf(history, ply);
    let scene = this.scenes.get(key);
    if (!scene) {
      scene = this.ask(ply);
      this.scenes.set(key, scene);
      scene.catch(() => this.scenes.delete(key));
    }
    return scene;
  }
}
