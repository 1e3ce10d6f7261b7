// What this browser remembers.
import type { Player } from '../api/model';

export type Theme = 'auto' | 'light' | 'dark';
export type Motion = 'auto' | 'on' | 'off';
export type Confirm = 'previews' | 'always' | 'never';

/** What was chosen for a new game. */
export interface LastChoice {
  who: 'against' | 'two' | 'watch';
  seat: '0' | '1' | 'random';
  names: string[];
  opponents: [Player, Player];
  clock: string;
  minutes: string;
  increment: string;
  rules: string;
  own: string;
  setups: string[];
}

interface Kept {
  theme: Theme;
  motion: Motion;
  confirm: Confirm;
  coordinates: boolean;
  guides: boolean;
  /** What agents think is shown beside the board. */
  explain: boolean;
  /** Overlays switched on or off by hand: `game/overlay`. */
  overlays: Record<string, boolean>;
  /** What was chosen for the last new game, by game. */
  choices: Record<string, LastChoice>;
  /** The game begun last here; it goes if another takes its place before anybody acted in it. */
  begun: string;
}

const KEY = 'warroom-settings';
const DEFAULTS: Kept = {
  theme: 'auto', motion: 'auto', confirm: 'previews', coordinates: true, guides: true, explain: false, overlays: {},
  choices: {}, begun: '',
};

function load(): Kept {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    return { ...DEFAULTS, ...(kept as Partial<Kept>) };
  } catch {
    // Storage may be switched off or hold nonsense: then there is nothing to remember.
    return { ...DEFAULTS };
  }
}

export const settings = $state<Kept>(load());

/** To be called once, inside the root component. */
export function keepSettings(): void {
  $effect(() => {
    const text = JSON.stringify(settings);
    const root = document.documentElement;
    root.dataset.theme = settings.theme;
    root.dataset.motion = settings.motion;
    try {
      localStorage.setItem(KEY, text);
    } catch {
      // Nothing is remembered then; the page works.
    }
  });
}

export function overlayShown(game: string, overlay: { id: string; shown: boolean }): boolean {
  return settings.overlays[`${game}/${overlay.id}`] ?? overlay.shown;
}
