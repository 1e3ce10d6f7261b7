// A game looked through again, put together from the pieces that the server sends in any order.
import type { AnalysisEvent, ExactScore, Judgement, Mark, Opinion } from '../api/model';
import { BAD } from './marks';

export interface Analysis {
  /** Specs of the agents; empty before the plan is known. */
  agents: string[];
  positions: number;
  solver: boolean;
  /** By agent, then by ply. */
  opinions: Map<number, Opinion>[];
  judgements: Map<number, Judgement>[];
  exact: Map<number, ExactScore>;
  elapsed: number | null;
  failed: string | null;
}

export const NO_ANALYSIS: Analysis = {
  agents: [], positions: 0, solver: false, opinions: [], judgements: [], exact: new Map(), elapsed: null, failed: null,
};

function placed<Piece extends { agent: number; ply: number }>(all: Map<number, Piece>[], piece: Piece): Map<number, Piece>[] {
  const next = [...all];
  while (next.length <= piece.agent) next.push(new Map());
  next[piece.agent] = new Map(next[piece.agent]).set(piece.ply, piece);
  return next;
}

export function merged(now: Analysis, event: AnalysisEvent): Analysis {
  switch (event.type) {
    case 'plan':
      return { ...now, agents: event.agents, positions: event.positions, solver: event.solver };
    case 'opinion':
      return { ...now, opinions: placed(now.opinions, event) };
    case 'judgement':
      return { ...now, judgements: placed(now.judgements, event) };
    case 'exact':
      return { ...now, exact: new Map(now.exact).set(event.ply, event) };
    case 'done':
      return { ...now, elapsed: event.elapsed_ms };
    case 'failed':
      return { ...now, failed: event.error };
  }
}

/** How far it is, 0 to 1. */
export function progress(analysis: Analysis): number {
  if (analysis.elapsed !== null) return 1;
  const all = analysis.positions * analysis.agents.length;
  const known = analysis.opinions.reduce((sum, one) => sum + one.size, 0);
  return all === 0 ? 0 : Math.min(1, known / all);
}

export interface SeatSummary {
  counts: Record<Mark, number>;
  /** The chance to win that an action lost on average, 0 to 1; `null` before any is known. */
  loss: number | null;
}

/** What one agent thinks of what a seat did. */
export function summary(analysis: Analysis, agent: number, seat: number): SeatSummary {
  const own = [...(analysis.judgements[agent]?.values() ?? [])].filter((one) => one.seat === seat);
  const counts: Record<Mark, number> = { fine: 0, inaccuracy: 0, mistake: 0, blunder: 0 };
  for (const { mark } of own) counts[mark] += 1;
  const lost = own.reduce((sum, one) => sum + one.loss, 0);
  return { counts, loss: own.length === 0 ? null : lost / own.length };
}

/** The worse of what the agents say about an action. */
export function worst(analysis: Analysis, ply: number): Judgement | null {
  const all = analysis.judgements.flatMap((one) => one.get(ply) ?? []);
  return all.reduce<Judgement | null>((bad, one) => (bad === null || one.loss > bad.loss ? one : bad), null);
}

/** The next action after `ply`, or before it, that somebody finds bad. */
export function nextBad(analysis: Analysis, ply: number, backwards: boolean): number | null {
  const bad = new Set(analysis.judgements.flatMap((one) =>
    [...one.values()].filter(({ mark }) => BAD.includes(mark)).map((judgement) => judgement.ply)));
  const sorted = [...bad].sort((a, b) => a - b);
  return (backwards ? sorted.findLast((one) => one < ply) : sorted.find((one) => one > ply)) ?? null;
}

/** `+12`, `−3`, `±0`. */
export function signed(value: number): string {
  if (value === 0) return '±0';
  return value > 0 ? `+${value}` : `−${-value}`;
}
