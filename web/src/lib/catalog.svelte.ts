// What can be played, asked for once.
import { api, reason } from '../api/http';
import type { Catalog, GameCard } from '../api/model';

class CatalogStore {
  value = $state.raw<Catalog | null>(null);
  failed = $state<string | null>(null);

  async load(): Promise<void> {
    this.failed = null;
    try {
      this.value = await api.catalog();
    } catch (failure) {
      this.failed = reason(failure);
    }
  }

  game(name: string): GameCard | undefined {
    return this.value?.games.find((game) => game.name === name);
  }

  title(name: string): string {
    return this.game(name)?.title ?? name;
  }
}

export const catalog = new CatalogStore();
