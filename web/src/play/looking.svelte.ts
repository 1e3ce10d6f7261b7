// What is looked at besides the game that goes on: a position of the past, and what somebody thinks
// of a position, drawn over the board.
import { reason } from '../api/requests';
import { insight } from '../api/insight';
import type { Ply, Scene, Step } from '../api/model';
import type { Heat } from '../lib/heat';
import { Positions } from '../lib/positions';

export class Looking {
  /** The position before this action; `null` for the present one. */
  ply = $state<number | null>(null);
  /** That position, as soon as it is known. */
  scene = $state.raw<Scene | null>(null);
  problem = $state<string | null>(null);
  /** Squares of an action that is pointed at. */
  squares = $state.raw<number[]>([]);
  line = $state.raw<Step[]>([]);
  heat = $state.raw<Map<number, Heat> | undefined>(undefined);

  private readonly positions: Positions;

  constructor(id: string) {
    this.positions = new Positions((ply) => insight.scene(id, ply));
  }

  /** Only remembers the action; its position is not needed. */
  mark(ply: number | null): void {
    this.ply = ply;
    this.scene = null;
    this.problem = null;
  }

  /** Goes to a position; the one shown stays until the other is known. */
  async look(history: Ply[], ply: number | null): Promise<void> {
    this.ply = ply;
    this.problem = null;
    this.squares = [];
    this.line = [];
    if (ply === null) {
      this.scene = null;
      return;
    }
    try {
      const scene = await this.positions.scene(history, ply);
      if (this.ply === ply) this.scene = scene;
    } catch (failure) {
      if (this.ply === ply) [this.scene, this.problem] = [null, reason(failure)];
    }
  }

  /** Nothing is laid over the board any more. */
  clear(): void {
    this.squares = [];
    this.line = [];
    this.heat = undefined;
  }
}
