// A run as it goes on: news as they come, and by asking again where they do not.
import { reason } from '../api/requests';
import type { RunDetail, RunEvent, RunProgress } from '../api/model';
import { runs } from '../api/runs';
import { Refusal } from '../api/wire';

const DETAIL_EVERY_MS = 2000;
const ASK_EVERY_MS = 3000;

export class Follow {
  detail = $state.raw<RunDetail | null>(null);
  progress = $state.raw<RunProgress | null>(null);
  /** There is no such run, in the server's words. */
  missing = $state<string | null>(null);
  /** The last question was not answered; it is asked again. */
  lost = $state(false);
  /** Counts how often everything was asked for. */
  loads = $state(0);

  /** Ends the news. */
  private news: AbortController | null = null;
  private timer = 0;
  private askedAt = 0;
  private asking = false;
  private closed = false;

  constructor(readonly id: string) {
    void this.load();
  }

  close(): void {
    this.closed = true;
    this.news?.abort();
    clearTimeout(this.timer);
  }

  /** Everything about the run; then the news, as long as it is played. */
  async load(): Promise<void> {
    if (this.asking || this.closed) return;
    this.asking = true;
    this.askedAt = Date.now();
    try {
      this.detail = await runs.show(this.id);
      this.loads += 1;
      this.lost = false;
      if (this.detail.card.state === 'running') this.listen();
      else this.quiet();
      // Another page or program may go on with it.
      if (this.detail.card.state === 'interrupted' || this.detail.card.state === 'copied') this.later();
    } catch (failure) {
      if (failure instanceof Refusal && failure.status === 404) {
        this.missing = reason(failure);
        this.quiet();
      } else {
        this.lost = true;
        this.later();
      }
    } finally {
      this.asking = false;
    }
  }

  private quiet(): void {
    this.news?.abort();
    this.news = null;
    this.progress = null;
  }

  private listen(): void {
    if (this.news || this.closed) return;
    const news = new AbortController();
    this.news = news;
    const over = () => {
      if (this.news !== news) return;
      this.news = null;
      // A question that waits must not be put off by each failure. Its answer leads back here.
      if (this.timer === 0) this.later();
    };
    runs.events(this.id, (events) => events.forEach((event) => this.hear(event)), news.signal).then(over, over);
  }

  private later(): void {
    clearTimeout(this.timer);
    if (this.closed) return;
    this.timer = window.setTimeout(() => {
      this.timer = 0;
      if (document.hidden && !this.lost) this.later();
      else void this.load();
    }, ASK_EVERY_MS);
  }

  private hear(event: RunEvent): void {
    this.lost = false;
    if (event.type === 'ended') {
      if (this.detail) this.detail = { ...this.detail, card: event.card };
      this.quiet();
      void this.load();
      return;
    }
    this.progress = event;
    if (this.detail) this.detail = { ...this.detail, card: event.card };
    if (Date.now() - this.askedAt >= DETAIL_EVERY_MS && !document.hidden) void this.load();
    // A run that another program plays is only asked about; its end is not told.
    if (event.card.state !== 'running') void this.load();
  }
}
