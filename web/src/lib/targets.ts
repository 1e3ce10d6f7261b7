// What can be pointed at. The server says which path leads to which action; this module only
// compares beginnings of paths, so it knows no rules.
import type { Choice, Placed } from '../api/model';

const begins = (path: string[], pointed: string[]): boolean =>
  pointed.length <= path.length && pointed.every((target, index) => path[index] === target);

/** The choices that are still open after `pointed`. */
export function open(choices: Choice[], pointed: string[]): Choice[] {
  return choices.filter((choice) => begins(choice.path, pointed));
}

/** For every target that can be pointed at next: the choices behind it. */
export function next(choices: Choice[], pointed: string[]): Map<string, Choice[]> {
  const found = new Map<string, Choice[]>();
  for (const choice of open(choices, pointed)) {
    const target = choice.path[pointed.length];
    if (target === undefined) continue;
    const behind = found.get(target);
    if (behind) behind.push(choice);
    else found.set(target, [choice]);
  }
  return found;
}

export interface Pointing {
  /** What was pointed at so far. */
  pointed: string[];
  /** The choice that waits to be confirmed; its whole path was pointed at. */
  pending: Choice | null;
}

export const NOTHING: Pointing = { pointed: [], pending: null };

export interface Answer {
  pointing: Pointing;
  /** The choice to be played now. */
  play: Choice | null;
  /** The target meant nothing here. */
  ignored: boolean;
}

/**
 * Somebody points at `target`. The same target twice confirms what waits, or takes the last step
 * back; a target that does not go on from here begins anew.
 */
export function point(
  choices: Choice[], now: Pointing, target: string, mustConfirm: (choice: Choice) => boolean,
): Answer {
  if (now.pending) {
    const path = now.pending.path;
    if (path.at(-1) === target) return { pointing: NOTHING, play: now.pending, ignored: false };
    return point(choices, { pointed: path.slice(0, -1), pending: null }, target, mustConfirm);
  }
  const { pointed } = now;
  if (next(choices, pointed).has(target)) {
    const longer = [...pointed, target];
    const complete = choices.find((choice) => choice.path.length === longer.length && begins(choice.path, longer));
    if (!complete) return { pointing: { pointed: longer, pending: null }, play: null, ignored: false };
    if (mustConfirm(complete)) {
      return { pointing: { pointed: longer, pending: complete }, play: null, ignored: false };
    }
    return { pointing: NOTHING, play: complete, ignored: false };
  }
  if (pointed.length === 0) return { pointing: now, play: null, ignored: true };
  if (pointed.at(-1) === target) {
    return { pointing: { pointed: pointed.slice(0, -1), pending: null }, play: null, ignored: false };
  }
  const anew = point(choices, NOTHING, target, mustConfirm);
  return anew.ignored ? { pointing: NOTHING, play: null, ignored: true } : anew;
}

/** One step back: from what waits to what led there, from there to nothing. */
export function stepBack(now: Pointing): Pointing {
  if (now.pointed.length === 0) return NOTHING;
  return { pointed: now.pointed.slice(0, -1), pending: null };
}

/** How a square that can be chosen is drawn: a change of mind, a piece of the other side, or free. */
export type TargetLook = 'go' | 'strike' | 'switch' | 'own';

export function looks(
  choices: Choice[], pointing: Pointing, pieces: Placed[], acting: number | null,
): Map<number, TargetLook> {
  const owners = new Map(pieces.map((placed) => [placed.square, placed.seat]));
  const pointed = pointing.pending ? pointing.pointed.slice(0, -1) : pointing.pointed;
  const found = new Map<number, TargetLook>();
  for (const [target, behind] of next(choices, pointed)) {
    const square = squareOf(target);
    if (square === null) continue;
    const owner = owners.get(square);
    if (behind.every((choice) => choice.back > 0)) found.set(square, 'switch');
    else if (owner === undefined) found.set(square, 'go');
    else found.set(square, owner === acting ? 'own' : 'strike');
  }
  return found;
}

export function squareOf(target: string): number | null {
  return target.startsWith('s:') ? Number(target.slice(2)) : null;
}

/** The buttons (`b:…`) that can be pressed now, with their words. */
export function buttons(choices: Choice[], pointing: Pointing): { target: string; words: string; back: boolean }[] {
  const pointed = pointing.pending ? pointing.pointed.slice(0, -1) : pointing.pointed;
  const found = [];
  for (const [target, behind] of next(choices, pointed)) {
    if (target.startsWith('b:')) {
      found.push({ target, words: behind[0].words, back: behind.every((choice) => choice.back > 0) });
    }
  }
  // Buttons stay in sight while a card or troop is in hand.
  return found.length > 0 || pointed.length === 0 ? found : buttons(choices, NOTHING);
}
