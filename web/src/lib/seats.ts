// What seats are called. The server counts numbered players from 1, as people do; only the indices of its
// data begin at 0.
import type { GameState } from '../api/model';
import { capital } from './format';

/** `Black`, `Player 1`. */
export function seatName(seats: readonly string[], seat: number): string {
  return capital(seats[seat] ?? `player ${seat + 1}`);
}

/** A game with the names of its seats as they begin a line. */
export function named(state: GameState): GameState {
  return { ...state, seats: state.seats.map((one) => ({ ...one, seat: capital(one.seat) })) };
}
