// Requests to the server; every refusal becomes a `Refusal` with the server's own words.
import type {
  Catalog, GameList, GameState, ImportAnswer, ImportRequest, LoadoutCard, LoadoutRequest, NewGame,
  SavedLoadouts,
} from './model';

export class Refusal extends Error {
  constructor(
    message: string,
    readonly status: number,
  ) {
    super(message);
  }
}

export async function ask(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(`/api${path}`, {
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

export async function json<Answer>(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<Answer> {
  return (await (await ask(method, path, body, signal)).json()) as Answer;
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
  deleteGame: async (id: string) => void (await ask('DELETE', `/games/${part(id)}`)),
  record: async (id: string, format: string) =>
    (await ask('GET', `/games/${part(id)}/record?format=${format}`)).text(),
  rematch: (id: string) => json<GameState>('POST', `/games/${part(id)}/rematch`),
  import: (request: ImportRequest) => json<ImportAnswer>('POST', '/import', request),
  loadouts: () => json<SavedLoadouts>('GET', '/loadouts'),
  saveLoadout: (request: LoadoutRequest) => json<LoadoutCard>('POST', '/loadouts', request),
  deleteLoadout: async (name: string) => void (await ask('DELETE', `/loadouts/${part(name)}`)),
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
