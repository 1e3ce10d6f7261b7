// What can be played, asked for once.
import { api, reason } from '../api/http';
import type { Catalog, GameCard } from '../api/model';
import { forPeople, seatName } from './seats';

class CatalogStore {
  value = $state.raw<Catalog | null>(null);
  failed = $state<string | null>(null);
  /** The seats as the server calls them. */
  private seats = new Map<string, readonly string[]>();

  async load(): Promise<void> {
    this.failed = null;
    try {
      const found = await api.catalog();
      this.seats = new Map(found.games.map((game) => [game.name, game.seats]));
      const games = found.games.map((game) => ({ ...game, seats: game.seats.map((_, seat) => seatName(game.seats, seat)) }));
      this.value = { ...found, games };
    } catch (failure) {
      this.failed = reason(failure);
    }
  }

  game(name: string): GameCard | undefined {
    return this.value?.games.find((game) => game.name === name);
  }

  /** A text about a game, with its seats as people call them. */
  people(game: string, text: string): string {
    return forPeople(text, this.seats.get(game) ?? []);
  }

  /** Who plays, for people: `Ada – Level 3: Casual`. */
  players(one: { game: string; players: string[] }): string {
    return one.players.map((player) => this.people(one.game, player)).join(' – ');
  }

  title(name: string): string {
    return this.game(name)?.title ?? name;
  }
}

export const catalog = new CatalogStore();
