// Requests about experiments and the guide.
import { follow, json, part, queryOf } from './requests';
import { addressOf } from './wire';
import type {
  ExperimentCheck, ExperimentList, ExperimentRequest, Guide, OpenedGame, RunCard, RunComparison, RunDetail,
  RunEvent, RunGames, RunList, WorkerList,
} from './model';

export const runs = {
  experiments: () => json<ExperimentList>('GET', '/experiments'),
  check: (request: ExperimentRequest, signal?: AbortSignal) => json<ExperimentCheck>('POST', '/experiments/check', request, signal),
  start: (request: ExperimentRequest) => json<RunCard>('POST', '/runs', request),
  list: () => json<RunList>('GET', '/runs'),
  show: (id: string) => json<RunDetail>('GET', `/runs/${part(id)}`),
  stop: (id: string) => json<RunCard>('POST', `/runs/${part(id)}/stop`),
  resume: (id: string) => json<RunCard>('POST', `/runs/${part(id)}/resume`),
  games: (id: string, query: { cell?: number | null; offset: number; limit: number }) =>
    json<RunGames>('GET', `/runs/${part(id)}/games${queryOf(query)}`),
  openGame: (id: string, number: number) => json<OpenedGame>('POST', `/runs/${part(id)}/games/${number}`),
  report: (id: string) => addressOf(`/runs/${part(id)}/report`),
  events: (id: string, hear: (events: RunEvent[]) => void, signal: AbortSignal) =>
    follow(`/runs/${part(id)}/events`, hear, signal),
  workers: () => json<WorkerList>('GET', '/workers'),
  compare: (a: string, b: string) => json<RunComparison>('GET', `/compare${queryOf({ a, b })}`),
  guide: () => json<Guide>('GET', '/guide'),
};
