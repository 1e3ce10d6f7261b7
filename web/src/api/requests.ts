// Requests, by name.
import type {
  Catalog, GameList, GameState, ImportAnswer, ImportRequest, LoadoutCard, LoadoutRequest, NewGame,
  SavedLoadouts,
} from './model';
import { EventReader } from '../lib/sse';
import { wire, type Method } from './wire';

export async function json<Answer>(method: Method, path: string, body?: unknown, signal?: AbortSignal): Promise<Answer> {
  return (await (await wire.ask(method, path, body, signal)).json()) as Answer;
}

/** Hears what comes of an answer, some at a time, until its end. */
export async function follow<Event>(path: string, hear: (events: Event[]) => void, signal: AbortSignal): Promise<void> {
  const { body } = await wire.ask('GET', path, undefined, signal);
  if (!body) throw new Error('The server sends nothing.');
  const reader = new EventReader();
  const stream = body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { done, value } = await stream.read();
    if (done) return;
    const events = reader.feed(value).map((data) => JSON.parse(data) as Event);
    if (events.length > 0) hear(events);
  }
}

export const part = encodeURIComponent;

/** `?a=1&b=2` of what is given; nothing of what is not. */
export function queryOf(query: Record<string, string | number | null | undefined>): string {
  const parts = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== '');
  return parts.length === 0 ? '' : `?${new URLSearchParams(parts.map(([key, value]) => [key, String(value)]))}`;
}

export const api = {
  catalog: () => json<Catalog>('GET', '/catalog'),
  newGame: (game: NewGame) => json<GameState>('POST', '/games', game),
  games: (query: { search?: string; game?: string; offset?: number; limit?: number }) =>
    json<GameList>('GET', `/games${queryOf(query)}`),
  game: (id: string) => json<GameState>('GET', `/games/${part(id)}`),
  deleteGame: async (id: string) => void (await wire.ask('DELETE', `/games/${part(id)}`)),
  record: async (id: string, format: string) =>
    (await wire.ask('GET', `/games/${part(id)}/record?format=${format}`)).text(),
  rematch: (id: string) => json<GameState>('POST', `/games/${part(id)}/rematch`),
  import: (request: ImportRequest) => json<ImportAnswer>('POST', '/import', request),
  loadouts: () => json<SavedLoadouts>('GET', '/loadouts'),
  saveLoadout: (request: LoadoutRequest) => json<LoadoutCard>('POST', '/loadouts', request),
  deleteLoadout: async (name: string) => void (await wire.ask('DELETE', `/loadouts/${part(name)}`)),
  checkLoadout: (request: LoadoutRequest) => json<LoadoutCard>('POST', '/loadouts/check', request),
};

/** Somebody ended the request on purpose. */
export function aborted(failure: unknown): boolean {
  return failure instanceof DOMException && failure.name === 'AbortError';
}

/** The words of a failure, for people. */
export function reason(failure: unknown): string {
  return failure instanceof Error ? failure.message : String(failure);
}
