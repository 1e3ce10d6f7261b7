// What lenses are called. Their short names are those of papers and of agents' specs; people read what they
// measure first, which a game may have titles for.
import type { LensCard } from '../api/model';
import { capital } from './format';

/** By the name of the lens. */
type Titles = Record<string, string>;

/** The name in specs: `h4` of `eval:h4`. */
export function symbol(name: string): string {
  return name.replace(/^\w+:/, '');
}

/** `Cards at the front (h6)`. */
export function lensTitle(titles: Titles, lens: Pick<LensCard, 'name' | 'about'>): string {
  return `${titles[lens.name] ?? capital(lens.about)} (${symbol(lens.name)})`;
}

/** One more sentence about a lens, unless its title says it all. */
export function lensNote(titles: Titles, lens: Pick<LensCard, 'name' | 'about'>): string {
  const { name, about } = lens;
  // These explain one symbol by another.
  const circular = /^(the same|the opposite)\b|\b(h\d+|ah-\w+)\b/.test(about);
  return titles[name] && !circular ? `${capital(about).replace(/\.$/, '')}.` : '';
}
