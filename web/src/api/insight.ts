// Requests about what agents think.
import { follow, json, part, queryOf } from './requests';
import type {
  AnalysisEvent, Explanation, GameState, Lens, LensList, Scene, Study, StudyRequest, TreePage,
} from './model';
import { addressOf, wire } from './wire';

export const insight = {
  game: (id: string) => json<GameState>('GET', `/games/${part(id)}`),
  scene: (id: string, ply: number) => json<Scene>('GET', `/games/${part(id)}/scene${queryOf({ ply })}`),
  study: (request: StudyRequest, signal: AbortSignal) => json<Study>('POST', '/studies', request, signal),
  forget: (id: string) => wire.ask('DELETE', `/studies/${part(id)}`).then(() => undefined, () => undefined),
  tree: (id: string, parent: number | null, offset: number, limit: number) =>
    json<TreePage>('GET', `/studies/${part(id)}/tree${queryOf({ parent, offset, limit })}`),
  treeFile: (id: string) => addressOf(`/studies/${part(id)}/tree.json`),
  explanation: (id: string, ply: number) => json<Explanation>('GET', `/games/${part(id)}/explanations/${ply}`),
  /** Looks through a game; what is found is told as it comes. */
  analyse: (id: string, agents: string[], hear: (events: AnalysisEvent[]) => void, signal: AbortSignal) =>
    follow(`/games/${part(id)}/analysis${queryOf({ agent: agents[0], second: agents[1] })}`, hear, signal),
  lastAnalysis: (id: string) => json<AnalysisEvent[]>('GET', `/games/${part(id)}/analysis/last`),
  lenses: (id: string, ply: number) => json<LensList>('GET', `/games/${part(id)}/lenses${queryOf({ ply })}`),
  lens: (id: string, ply: number, name: string) => json<Lens>('GET', `/games/${part(id)}/lens${queryOf({ ply, name })}`),
};
