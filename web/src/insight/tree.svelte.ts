// The part of a search tree that is unfolded. Children are asked for when a node is opened, a part
// at a time, so a tree of any size costs what is seen of it.
import { reason } from '../api/requests';
import type { TreeCard, TreePage } from '../api/model';

const PART = 100;

export interface Row {
  card: TreeCard;
  level: number;
  /** Its place among its siblings, from 1, and how many there are. */
  place: number;
  siblings: number;
  parent: number | null;
  open: boolean;
}

/** A row that fetches more children of a node. */
export interface More {
  more: number;
  level: number;
  shown: number;
  total: number;
}

interface Children {
  cards: TreeCard[];
  total: number;
}

export class Tree {
  private root = $state.raw<TreeCard | null>(null);
  private children = $state.raw(new Map<number, Children>());
  private opened = $state.raw(new Set<number>());
  /** Nodes whose children are on their way. */
  loading = $state.raw(new Set<number>());
  problem = $state<string | null>(null);

  constructor(private readonly ask: (parent: number | null, offset: number, limit: number) => Promise<TreePage>) {}

  async begin(): Promise<void> {
    try {
      const page = await this.ask(null, 0, 1);
      this.root = page.nodes[0] ?? null;
      if (this.root && this.root.children > 0) await this.open(this.root.node);
    } catch (failure) {
      this.problem = reason(failure);
    }
  }

  get rows(): (Row | More)[] {
    const rows: (Row | More)[] = [];
    if (this.root) this.walk(this.root, 1, 1, 1, null, rows);
    return rows;
  }

  private walk(card: TreeCard, level: number, place: number, siblings: number, parent: number | null, rows: (Row | More)[]): void {
    const open = this.opened.has(card.node);
    rows.push({ card, level, place, siblings, parent, open });
    const below = open ? this.children.get(card.node) : undefined;
    if (!below) return;
    below.cards.forEach((child, index) => this.walk(child, level + 1, index + 1, below.total, card.node, rows));
    if (below.cards.length < below.total) rows.push({ more: card.node, level: level + 1, shown: below.cards.length, total: below.total });
  }

  async toggle(node: number): Promise<void> {
    if (this.opened.has(node)) this.close(node);
    else await this.open(node);
  }

  close(node: number): void {
    const next = new Set(this.opened);
    next.delete(node);
    this.opened = next;
  }

  async open(node: number): Promise<void> {
    if (!this.children.has(node)) await this.more(node);
    if (this.children.has(node)) this.opened = new Set(this.opened).add(node);
  }

  /** Fetches the next part of a node's children. */
  async more(node: number): Promise<void> {
    if (this.loading.has(node)) return;
    this.loading = new Set(this.loading).add(node);
    this.problem = null;
    try {
      const known = this.children.get(node)?.cards ?? [];
      const page = await this.ask(node, known.length, PART);
      this.children = new Map(this.children).set(node, { cards: [...known, ...page.nodes], total: page.total });
    } catch (failure) {
      this.problem = reason(failure);
    } finally {
      const next = new Set(this.loading);
      next.delete(node);
      this.loading = next;
    }
  }
}
