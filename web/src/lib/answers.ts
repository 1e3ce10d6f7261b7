// What agents said when they were asked about a position.
import type { Study } from '../api/model';

/** The newest first; an agent that is asked again says what it says now. */
export function withAnswer(known: Study[], found: Study): Study[] {
  return [found, ...known.filter((one) => one.spec !== found.spec)];
}

/**
 * The answer of the agent that was chosen. `null` is who played; where nobody told why, the newest
 * answer stands for it.
 */
export function chosenAnswer(known: Study[], spec: string | null, told: boolean): Study | null {
  return known.find((one) => one.spec === spec) ?? (told ? null : known[0] ?? null);
}
