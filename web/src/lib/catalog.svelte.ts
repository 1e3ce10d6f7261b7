// What can be played, asked for once.
import { api, reason } from '../api/requests';
import type { Catalog, GameCard } from '../api/model';
import { seatName } from './seats';

class CatalogStore {
  value = $state.raw<Catalog | null>(null);
  failed = $state<string | null>(null);

  async load(): Promise<void> {
    this.failed = null;
    try {
      const found = await api.catalog();
      const games = found.games.map((game) => ({ ...game, seats: game.seats.map((_, seat) => seatName(game.seats, seat)) }));
      this.value = { ...found, games };
    } catch (failure) {
      this.failed = reason(failure);
    }
  }

  game(name: string): GameCard | undefined {
    return this.value?.games.find((game) => game.name === name);
  }

  /** Who plays, for people: `Ada – Level 3: Casual`. */
  players(one: { players: string[] }): string {
    return one.players.join(' – ');
  }

  title(name: string): string {
    return this.game(name)?.title ?? name;
  }
}

export const catalog = new CatalogStore();
