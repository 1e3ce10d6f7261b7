// What other pages prepare for the next new game.

interface Draft {
  game: string;
  /** A game to go on with, as our record. */
  record?: string;
  /** What the person brings. */
  setup?: string;
  /** What it is, for people. */
  about: string;
}

class Drafts {
  private kept = $state.raw<Draft | null>(null);

  keep(draft: Draft): void {
    this.kept = draft;
  }

  /** What was prepared for this game, once. */
  take(game: string): Draft | null {
    const draft = this.kept?.game === game ? this.kept : null;
    this.kept = null;
    return draft;
  }
}

export const drafts = new Drafts();
