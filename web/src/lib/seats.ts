// What seats are called. Games that only number them count from 0, people from 1.
import type { GameState } from '../api/model';
import { capital } from './format';

const NUMBERED = /^(\S+) (\d+)$/;

/** The seats are numbered, and the first one is 0. */
function counted(seats: readonly string[]): string | null {
  const first = NUMBERED.exec(seats[0] ?? '');
  return first && first[2] === '0' ? first[1] : null;
}

/** `Black`, `Player 1`. */
export function seatName(seats: readonly string[], seat: number): string {
  const word = counted(seats);
  return capital(word ? `${word} ${seat + 1}` : (seats[seat] ?? `seat ${seat + 1}`));
}

/** A text of the server with numbered seats counted from 1: `Player 1: choose a troop`. */
export function forPeople(text: string, seats: readonly string[]): string {
  const word = counted(seats);
  if (!word) return text;
  return text.replace(new RegExp(`\\b(${word}) (\\d+)\\b`, 'gi'), (_, name: string, number: string) => `${name} ${Number(number) + 1}`);
}

/** A game as people call its seats. */
export function named(state: GameState): GameState {
  const seats = state.seats.map((one) => one.seat);
  const { ending, scene } = state;
  return {
    ...state,
    seats: state.seats.map((one, seat) => ({ ...one, seat: seatName(seats, seat), name: forPeople(one.name, seats) })),
    scene: { ...scene, status: forPeople(scene.status, seats) },
    ending: ending && { ...ending, words: forPeople(ending.words, seats), reason: forPeople(ending.reason, seats) },
  };
}
