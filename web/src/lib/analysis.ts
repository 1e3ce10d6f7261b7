// A game looked through again, put together from the pieces that the server sends in any order.
import type { AnalysisEvent, ExactScore, Judgement, Mark, Opinion } from '../api/model';
import { chancePercent } from './format';
import { BAD, markOf } from './marks';

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

/** What a final margin is worth to who has it. */
const worth = (margin: number) => (Math.sign(margin) + 1) / 2;

/** What an action lost by the exact scores around it; `null` unless both are known. */
function exactLoss(analysis: Analysis, ply: number, seat: number): number | null {
  const [before, after] = [analysis.exact.get(ply), analysis.exact.get(ply + 1)];
  if (!before || !after) return null;
  const sign = seat === 0 ? 1 : -1;
  return Math.max(0, worth(sign * before.score) - worth(sign * after.score));
}

/**
 * What an action was worth: by the exact scores around it where they are known, else by what one
 * agent thinks. `null` as long as nobody can tell.
 */
export function judgement(analysis: Analysis, agent: number, ply: number): Judgement | null {
  const told = analysis.judgements[agent]?.get(ply) ?? null;
  const seat = told?.seat ?? analysis.opinions[agent]?.get(ply)?.seat;
  const loss = seat === undefined ? null : exactLoss(analysis, ply, seat);
  if (seat === undefined || loss === null) return told;
  // Actions without a choice are always judged, so this one had a choice if it was not.
  return { agent, ply, seat, loss, mark: markOf(loss), forced: told?.forced ?? false };
}

/** The judgements of all actions, in their order. */
export function judgements(analysis: Analysis, agent: number): Judgement[] {
  const plies = new Set([...(analysis.judgements[agent]?.keys() ?? []), ...(analysis.opinions[agent]?.keys() ?? [])]);
  return [...plies].sort((a, b) => a - b).flatMap((ply) => judgement(analysis, agent, ply) ?? []);
}

export interface Advice {
  /** The action that was played cost something; else the other one is a matter of taste. */
  better: boolean;
  words: string;
}

/** What should have been played, or what the agent would have played instead. */
export function advice(analysis: Analysis, agent: number, ply: number): Advice | null {
  const bad = BAD.includes(judgement(analysis, agent, ply)?.mark ?? 'fine');
  const opinion = analysis.opinions[agent]?.get(ply);
  // What is proven to be best goes before what somebody thinks.
  const solved = bad && analysis.exact.has(ply + 1) ? analysis.exact.get(ply)?.line[0] : undefined;
  const step = solved ?? (opinion?.agrees === false ? opinion.line[0] : undefined);
  return step ? { better: bad, words: step.words } : null;
}

/** What every agent thinks of a position: `Black 55 %, valued +20 for White; f6 next`. */
export function views(analysis: Analysis, ply: number, seats: string[]): { spec: string; words: string }[] {
  return analysis.agents.flatMap((spec, agent) => {
    const opinion = analysis.opinions[agent]?.get(ply);
    if (!opinion) return [];
    const { chance, seat, value_words: value, line, agrees } = opinion;
    if (agrees == null && line.length === 0) return [{ spec, words: value }];
    // A value that is a chance says the same from the other side.
    const parts = chance == null ? [] : [`${seats[0]} ${chancePercent(chance)}`];
    if (value !== '' && !value.endsWith('%')) parts.push(`${/\d$/.test(value) && !/[a-z]/.test(value) ? 'valued ' : ''}${value} for ${seats[seat]}`);
    const known = parts.join(', ') || 'no opinion';
    return [{ spec, words: line.length > 0 ? `${known}; ${line[0].words} next` : known }];
  });
}

export interface SeatSummary {
  counts: Record<Mark, number>;
  /** The chance to win that a choice lost on average, 0 to 1; `null` before any is known. */
  loss: number | null;
}

/** How well a seat played, by one agent. */
export function summary(analysis: Analysis, agent: number, seat: number): SeatSummary {
  const own = judgements(analysis, agent).filter((one) => one.seat === seat);
  const counts: Record<Mark, number> = { fine: 0, inaccuracy: 0, mistake: 0, blunder: 0 };
  for (const { mark } of own) counts[mark] += 1;
  // Who had no choice did nothing well.
  const chosen = own.filter((one) => !one.forced);
  const lost = chosen.reduce((sum, one) => sum + one.loss, 0);
  return { counts, loss: chosen.length === 0 ? null : lost / chosen.length };
}

/** The next action after `ply`, or before it, that was bad by one agent. */
export function nextBad(analysis: Analysis, agent: number, ply: number, backwards: boolean): number | null {
  const bad = judgements(analysis, agent).filter(({ mark }) => BAD.includes(mark)).map((one) => one.ply);
  return (backwards ? bad.findLast((one) => one < ply) : bad.find((one) => one > ply)) ?? null;
}

/** `+12`, `−3`, `±0`. */
export function signed(value: number): string {
  if (value === 0) return '±0';
  return value > 0 ? `+${value}` : `−${-value}`;
}
