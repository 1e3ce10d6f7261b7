// Requests about what agents think.
import { ask, json, part, queryOf } from './http';
import type {
  AnalysisEvent, Explanation, GameState, Lens, LensList, Scene, Study, StudyRequest, TreePage,
} from './model';
import { EventReader } from '../lib/sse';

export const insight = {
  game: (id: string) => json<GameState>('GET', `/games/${part(id)}`),
  scene: (id: string, ply: number) => json<Scene>('GET', `/games/${part(id)}/scene${queryOf({ ply })}`),
  study: (request: StudyRequest, signal: AbortSignal) => json<Study>('POST', '/studies', request, signal),
  forget: (id: string) => ask('DELETE', `/studies/${part(id)}`).then(() => undefined, () => undefined),
  tree: (id: string, parent: number | null, offset: number, limit: number) =>
    json<TreePage>('GET', `/studies/${part(id)}/tree${queryOf({ parent, offset, limit })}`),
  treeFile: (id: string) => `/api/studies/${part(id)}/tree.json`,
  explanation: (id: string, ply: number) => json<Explanation>('GET', `/games/${part(id)}/explanations/${ply}`),
  lastAnalysis: (id: string) => json<AnalysisEvent[]>('GET', `/games/${part(id)}/analysis/last`),
  lenses: (id: string, ply: number) => json<LensList>('GET', `/games/${part(id)}/lenses${queryOf({ ply })}`),
  lens: (id: string, ply: number, name: string) => json<Lens>('GET', `/games/${part(id)}/lens${queryOf({ ply, name })}`),
};

/**
 * Looks through a game. Not by `EventSource`: that would begin anew when the connection breaks, and
 * cannot say why something was refused.
 */
export async function analyse(
  id: string, agents: string[], hear: (events: AnalysisEvent[]) => void, signal: AbortSignal,
): Promise<void> {
  const query = queryOf({ agent: agents[0], second: agents[1] });
  const response = await ask('GET', `/games/${part(id)}/analysis${query}`, undefined, signal);
  if (!response.body) throw new Error('The server sends nothing.');
  const reader = new EventReader();
  const stream = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { done, value } = await stream.read();
    if (done) return;
    const events = reader.feed(value).map((data) => JSON.parse(data) as AnalysisEvent);
    if (events.length > 0) hear(events);
  }
}
