// The one way to whoever plays and thinks: requests with an answer, and the live connection of a game.
// Here it is a server, over HTTP and WebSocket; nothing else in the page knows that.
import type { Answer, Request } from './model';

/** A request was refused, or nobody answered. */
export class Refusal extends Error {
  constructor(
    message: string,
    /** As in HTTP; 0 where nobody answered. */
    readonly status: number,
  ) {
    super(message);
  }
}

export type Method = 'GET' | 'POST' | 'DELETE';

/** An answer is read at once, or piece by piece as it comes. */
export type Reply = Pick<Response, 'json' | 'text' | 'body'>;

export interface Listener {
  heard(answer: Answer): void;
  /** The connection broke; it is made again by itself, and then everything is told anew. */
  lost(): void;
  /** There is no such game, or not for us: nothing more comes. */
  ended(reason: string): void;
}

export interface Connection {
  /** Whether it could be said. */
  send(request: Request): boolean;
  close(): void;
}

export interface Wire {
  /** One request and its answer; every refusal is a `Refusal` with the words of who refused. */
  ask(method: Method, path: string, body?: unknown, signal?: AbortSignal): Promise<Reply>;
  /** A game as it goes on. */
  play(game: string, listener: Listener): Connection;
}

/** Where the server serves this path. */
export const addressOf = (path: string): string => `/api${path}`;

const gamePath = (game: string): string => `/games/${encodeURIComponent(game)}`;

/** A server, by HTTP and WebSocket. */
export class HttpWire implements Wire {
  async ask(method: Method, path: string, body?: unknown, signal?: AbortSignal): Promise<Reply> {
    let response: Response;
    try {
      response = await fetch(addressOf(path), {
        method,
        signal,
        headers: body === undefined ? {} : { 'content-type': 'application/json' },
        body: body === undefined ? undefined : JSON.stringify(body),
      });
    } catch (failure) {
      if (signal?.aborted) throw failure;
      throw new Refusal('The server does not answer. Is it still running?', 0);
    }
    if (!response.ok) {
      const text = await response.text();
      let reason = text || `${response.status} ${response.statusText}`;
      try {
        const problem: unknown = JSON.parse(text);
        if (problem && typeof problem === 'object' && 'error' in problem) reason = String(problem.error);
      } catch {
        // Not our server's form; its text is the best reason there is.
      }
      throw new Refusal(reason, response.status);
    }
    return response;
  }

  play(game: string, listener: Listener): Connection {
    return new GameSocket(game, listener, this);
  }
}

const PING_EVERY_MS = 15_000;
const PONG_WITHIN_MS = 6_000;
const FIRST_WAIT_MS = 300;
const LONGEST_WAIT_MS = 4_000;
const FINAL = [401, 403, 404];

/** A WebSocket that keeps itself connected. */
class GameSocket implements Connection {
  private socket: WebSocket | null = null;
  private closed = false;
  private wait = FIRST_WAIT_MS;
  private retry = 0;
  private pinging = 0;
  private overdue = 0;

  constructor(
    private readonly game: string,
    private readonly listener: Listener,
    private readonly wire: Wire,
  ) {
    addEventListener('online', this.wake);
    document.addEventListener('visibilitychange', this.wake);
    this.connect();
  }

  send(request: Request): boolean {
    if (this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(request));
    return true;
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
    const socket = new WebSocket(`${scheme}://${location.host}${addressOf(`${gamePath(this.game)}/play`)}`);
    this.socket = socket;
    socket.onopen = () => {
      this.wait = FIRST_WAIT_MS;
      this.pinging = window.setInterval(() => this.ping(), PING_EVERY_MS);
    };
    // A new socket is told everything.
    socket.onmessage = (event) => this.hear(JSON.parse(String(event.data)) as Answer);
    socket.onclose = () => {
      if (this.socket === socket) this.reconnect();
    };
  }

  private hear(answer: Answer): void {
    if (answer.type === 'pong') clearTimeout(this.overdue);
    else this.listener.heard(answer);
  }

  private ping(): void {
    if (!this.send({ type: 'ping' })) return;
    clearTimeout(this.overdue);
    this.overdue = window.setTimeout(() => {
      const dead = this.socket;
      this.reconnect();
      dead?.close();
    }, PONG_WITHIN_MS);
  }

  private stopTimers(): void {
    clearTimeout(this.retry);
    clearTimeout(this.overdue);
    clearInterval(this.pinging);
  }

  private reconnect(): void {
    this.stopTimers();
    this.socket = null;
    if (this.closed) return;
    this.listener.lost();
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
      await this.wire.ask('GET', gamePath(this.game));
    } catch (failure) {
      if (!(failure instanceof Refusal && FINAL.includes(failure.status))) return;
      this.listener.ended(failure.message);
      this.close();
    }
  }
}

/** The one that this page uses. */
export const wire: Wire = new HttpWire();
