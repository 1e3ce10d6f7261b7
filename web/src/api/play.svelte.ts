// A game over the WebSocket: keeps itself connected, and holds what was heard last.
import { api, reason, Refusal } from './http';
import type { Answer, GameState, Hint, Request, Thought } from './model';
import { wholeHistory } from '../lib/history';
import { named } from '../lib/seats';

const PING_EVERY_MS = 15_000;
const PONG_WITHIN_MS = 6_000;
const LONGEST_WAIT_MS = 4_000;
const FINAL = [401, 403, 404];

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

  private socket: WebSocket | null = null;
  private closed = false;
  private wait = 300;
  private retry = 0;
  private pinging = 0;
  private overdue = 0;
  /** What was asked last; refusals do not say what they refuse. */
  private latest: Request['type'] | null = null;

  constructor(
    readonly id: string,
    private readonly refused: (reason: string) => void,
  ) {
    addEventListener('online', this.wake);
    document.addEventListener('visibilitychange', this.wake);
    this.connect();
  }

  get hintAsked(): boolean {
    return this.hintFor !== null;
  }

  /** Somebody thinks who can be stopped. */
  get busy(): boolean {
    return this.hintAsked || (this.state !== null && (this.state.thinking || this.state.pondering));
  }

  send(request: Request): void {
    if (this.socket?.readyState !== WebSocket.OPEN) {
      this.refused('Not connected: the page is trying to reach the server again.');
      return;
    }
    if (request.type === 'hint') this.hintFor = this.state?.version ?? null;
    // To stop is never refused: what is refused after it was asked before.
    if (request.type !== 'stop') this.latest = request.type;
    this.socket.send(JSON.stringify(request));
  }

  close(): void {
    this.closed = true;
    removeEventListener('online', this.wake);
    document.removeEventListener('visibilitychange', this.wake);
    this.stopTimers();
    this.socket?.close();
  }

  /** After sleep a socket may look open and be dead: ask, and do not wait long for the answer. */
  private wake = (): void => {
    if (document.hidden || this.closed) return;
    if (this.socket?.readyState === WebSocket.OPEN) this.ping();
    else if (this.socket?.readyState !== WebSocket.CONNECTING) this.connect();
  };

  private connect(): void {
    clearTimeout(this.retry);
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    const path = `/api/games/${encodeURIComponent(this.id)}/play`;
    const socket = new WebSocket(`${scheme}://${location.host}${path}`);
    this.socket = socket;
    socket.onopen = () => {
      this.wait = 300;
      this.pinging = window.setInterval(() => this.ping(), PING_EVERY_MS);
    };
    // A new socket is told everything.
    socket.onmessage = (event) => this.hear(JSON.parse(String(event.data)) as Answer);
    socket.onclose = () => {
      if (this.socket === socket) this.reconnect();
    };
  }

  private ping(): void {
    if (this.socket?.readyState !== WebSocket.OPEN) return;
    this.socket.send('{"type":"ping"}');
    clearTimeout(this.overdue);
    this.overdue = window.setTimeout(() => {
      this.socket?.close();
      this.reconnect();
    }, PONG_WITHIN_MS);
  }

  private stopTimers(): void {
    clearTimeout(this.retry);
    clearTimeout(this.overdue);
    clearInterval(this.pinging);
  }

  private reconnect(): void {
    this.stopTimers();
    this.hintFor = null;
    this.socket = null;
    if (this.closed) return;
    if (this.state) this.lost = true;
    void this.findOutWhy();
    this.retry = window.setTimeout(() => this.connect(), this.wait);
    this.wait = Math.min(this.wait * 1.7, LONGEST_WAIT_MS);
  }

  /**
   * A socket that does not open says nothing; the same game asked for over HTTP does. A server that is
   * away or troubled may come back; a game that is gone does not.
   */
  private async findOutWhy(): Promise<void> {
    try {
      await api.game(this.id);
    } catch (failure) {
      if (failure instanceof Refusal && FINAL.includes(failure.status)) {
        this.missing = reason(failure);
        this.close();
      }
    }
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
      case 'pong':
        clearTimeout(this.overdue);
        break;
      case 'goodbye':
        this.lost = true;
        break;
    }
  }
}
