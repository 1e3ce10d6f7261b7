// Positions of the past. The server draws the last one of a record, so an earlier one is the last
// of a shorter record.
import type { ImportAnswer, Ply, Scene } from '../api/model';

interface GameRecord {
  actions: string[];
  chance: string[];
  outcome: string;
  reason: string;
  decisions?: unknown;
  timing?: unknown;
}

/** The record up to a position; `null` where dice fell, because it does not say when. */
export function cut(record: string, ply: number): string | null {
  const { decisions, timing, ...game } = JSON.parse(record) as GameRecord;
  void decisions;
  void timing;
  if (game.chance.length > 0) return null;
  return JSON.stringify({ ...game, actions: game.actions.slice(0, ply), outcome: 'unfinished', reason: 'interrupted' });
}

/** Tells positions apart by what led there: after an undo other actions may. */
export function keyOf(history: Pick<Ply, 'action'>[], ply: number): string {
  return history.slice(0, ply).map((one) => one.action).join('\n');
}

/** Scenes of one game, each asked for once. */
export class Positions {
  private readonly scenes = new Map<string, Promise<Scene>>();
  private record: { key: string; text: Promise<string> } | null = null;

  constructor(
    private readonly ask: { record: () => Promise<string>; import: (text: string) => Promise<ImportAnswer> },
  ) {}

  scene(history: Ply[], ply: number): Promise<Scene> {
    const key = keyOf(history, ply);
    let scene = this.scenes.get(key);
    if (!scene) {
      scene = this.find(history, ply);
      this.scenes.set(key, scene);
      scene.catch(() => this.scenes.delete(key));
    }
    return scene;
  }

  private async find(history: Ply[], ply: number): Promise<Scene> {
    const all = keyOf(history, history.length);
    if (this.record?.key !== all) this.record = { key: all, text: this.ask.record() };
    const text = cut(await this.record.text, ply);
    if (text === null) throw new Error('Where chance decides, earlier positions cannot be shown.');
    return (await this.ask.import(text)).scene;
  }
}
