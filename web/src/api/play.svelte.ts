// A game as it goes on: what was heard of it last, and what is asked for.
import type { Answer, GameState, Hint, Request, Thought } from './model';
import { wholeHistory } from '../lib/history';
import { named } from '../lib/seats';
import { wire, type Connection } from './wire';

export class Play {
  state = $state.raw<GameState | null>(null);
  /** When `state` arrived, so that clocks can run on. */
  heardAt = $state(0);
  thought = $state.raw<Thought | null>(null);
  hint = $state.raw<Hint | null>(null);
  /** The version of the game that advice was asked for and not given yet. */
  private hintFor = $state<number | null>(null);
  /** Once connected and then lost: worth a notice. */
  lost = $state(false);
  /** The game cannot be shown at all. */
  missing = $state<string | null>(null);

  private readonly connection: Connection;
  /** What was asked last; refusals do not say what they refuse. */
  private latest: Request['type'] | null = null;

  constructor(
    readonly id: string,
    private readonly refused: (reason: string) => void,
  ) {
    this.connection = wire.play(id, {
      heard: (answer) => this.hear(answer),
      lost: () => {
        this.hintFor = null;
        if (this.state) this.lost = true;
      },
      ended: (words) => (this.missing = words),
    });
  }

  get hintAsked(): boolean {
    return this.hintFor !== null;
  }

  /** Somebody thinks who can be stopped. */
  get busy(): boolean {
    return this.hintAsked || (this.state !== null && (this.state.thinking || this.state.pondering));
  }

  send(request: Request): void {
    if (!this.connection.send(request)) {
      this.refused('Not connected: the page is trying to reach the server again.');
      return;
    }
    if (request.type === 'hint') this.hintFor = this.state?.version ?? null;
    // To stop is never refused: what is refused after it was asked before.
    if (request.type !== 'stop') this.latest = request.type;
  }

  close(): void {
    this.connection.close();
  }

  private hear(answer: Answer): void {
    switch (answer.type) {
      case 'state':
        this.state = named({ ...answer, history: wholeHistory(answer, this.state?.history ?? []) });
        this.heardAt = performance.now();
        this.lost = false;
        if (!answer.thinking) this.thought = null;
        if (this.hint && this.hint.version !== answer.version) this.hint = null;
        // The server gives no advice about what is past, and does not say so.
        if (this.hintFor !== answer.version) this.hintFor = null;
        break;
      case 'thought':
        this.thought = answer;
        break;
      case 'hint':
        this.hint = answer;
        this.hintFor = null;
        break;
      case 'refused':
        if (this.latest === 'hint') this.hintFor = null;
        this.refused(answer.error);
        break;
      case 'goodbye':
        this.lost = true;
        break;
    }
  }
}
