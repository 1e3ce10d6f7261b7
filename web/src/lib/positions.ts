// Positions of the past, each asked for once.
import type { Ply, Scene } from '../api/model';

/** Tells positions apart by what led there: after an undo other actions may. */
export function keyOf(history: Pick<Ply, 'action'>[], ply: number): string {
  return history.slice(0, ply).map((one) => one.action).join('\n');
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
