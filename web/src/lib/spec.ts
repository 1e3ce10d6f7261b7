// Texts that the server reads, put together from forms.
import type { GameCard, LevelCard } from '../api/model';

/** `mcts:iterations=500,c=1`: the tunables that were set, in the order given. */
export function agentSpec(name: string, keys: string[], values: Record<string, string>): string {
  const set = keys.filter((key) => (values[key] ?? '').trim() !== '').map((key) => `${key}=${values[key].trim()}`);
  return set.length > 0 ? `${name}:${set.join(',')}` : name;
}

/** The tunables that such a text sets. */
export function specValues(spec: string): Record<string, string> {
  const [, keys = ''] = /^[^:]*:(.*)$/.exec(spec) ?? [];
  return pairs(keys.split(','));
}

function pairs(parts: string[]): Record<string, string> {
  return Object.fromEntries(parts.filter((part) => part.includes('=')).map((part) => {
    const at = part.indexOf('=');
    return [part.slice(0, at), part.slice(at + 1)];
  }));
}

/** The preset and the options that such a text sets. */
export function rulesValues(game: Pick<GameCard, 'presets'>, rules: string): { preset: string; values: Record<string, string> } {
  const parts = rules.split(',');
  const preset = game.presets.find(({ name }) => name === parts[0])?.name ?? game.presets[0]?.name ?? '';
  return { preset, values: pairs(parts) };
}

/** `thesis,counter=always`: the preset unless it is the default, then the options that differ. */
export function rulesText(game: GameCard, preset: string, values: Record<string, string>): string {
  const parts = preset !== '' && preset !== game.presets[0]?.name ? [preset] : [];
  for (const { key } of game.rules) {
    const value = (values[key] ?? '').trim();
    if (value !== '') parts.push(`${key}=${value}`);
  }
  return parts.join(',');
}

/** The agent behind a level; not every agent may play where something is hidden. */
export function levelSpec(level: LevelCard, hidden: boolean): string {
  return (hidden ? level.hidden_spec : null) ?? level.spec;
}
