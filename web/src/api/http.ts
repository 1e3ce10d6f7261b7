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

async function ask(method: string, path: string, body?: unknown): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(`/api${path}`, {
      method,
      headers: body === undefined ? {} : { 'content-type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch {
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

async function json<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
  return (await (await ask(method, path, body)).json()) as Answer;
}

export type RecordFormat = 'record' | 'transcript' | 'ggf';

const part = encodeURIComponent;

export const api = {
  catalog: () => json<Catalog>('GET', '/catalog'),
  newGame: (game: NewGame) => json<GameState>('POST', '/games', game),
  games: (query: { search?: string; game?: string; offset?: number; limit?: number }) => {
    const parts = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
    const words = new URLSearchParams(parts.map(([key, value]) => [key, String(value)]));
    return json<GameList>('GET', `/games?${words}`);
  },
  game: (id: string) => json<GameState>('GET', `/games/${part(id)}`),
  deleteGame: async (id: string) => void (await ask('DELETE', `/games/${part(id)}`)),
  record: async (id: string, format: RecordFormat) =>
    (await ask('GET', `/games/${part(id)}/record?format=${format}`)).text(),
  rematch: (id: string) => json<GameState>('POST', `/games/${part(id)}/rematch`),
  import: (request: ImportRequest) => json<ImportAnswer>('POST', '/import', request),
  loadouts: () => json<SavedLoadouts>('GET', '/loadouts'),
  saveLoadout: (request: LoadoutRequest) => json<LoadoutCard>('POST', '/loadouts', request),
  deleteLoadout: async (name: string) => void (await ask('DELETE', `/loadouts/${part(name)}`)),
  checkLoadout: (request: LoadoutRequest) => json<LoadoutCard>('POST', '/loadouts/check', request),
};

/** The words of a failure, for people. */
export function reason(failure: unknown): string {
  return failure instanceof Error ? failure.message : String(failure);
}
