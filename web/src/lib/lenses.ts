// What lenses are called. Their short names are those of papers and of agents' specs; people read what they
// measure first.
import type { LensCard } from '../api/model';
import { capital } from './format';

const TITLES: Record<string, Record<string, string>> = {
  othello: {
    'eval:paper': 'All factors of Hernandez et al.',
    'eval:paper-quick': 'Fast factors of Hernandez et al.',
    'eval:discs': 'Number of discs',
    'eval:outlook': 'Win probability from patterns and mobility',
    'heuristic:squares': 'Value of the square',
    'heuristic:order': 'Order in which a search tries actions',
    'squares:values': 'Value of each square',
  },
  conquest: {
    'eval:h': 'Evaluation of the thesis',
    'eval:h-original': 'Evaluation of the thesis, as its program computes it',
    'eval:outlook': 'Win probability from troops, strikes and commands',
    'heuristic:ah-rs': 'Attacks first',
    'heuristic:ah-ft': 'Attacks first, no command but Charge',
    'heuristic:ah-rs-original': 'Attacks first, as the original program reaches',
    'heuristic:ah-ft-original': 'Attacks first, no command but Charge, as the original program reaches',
    'squares:danger': 'Squares the opponent could strike',
  },
  'lords-of-war': {
    'eval:h1': 'Cards on the board less cards lost',
    'eval:h2': 'Mean defence against the opponent’s',
    'eval:-h2': 'Mean defence against the opponent’s, reversed',
    'eval:h3': 'Squares under your arrows',
    'eval:h4': 'Cards on the board less cards lost, command cards twice',
    'eval:h5': 'Your mean defence',
    'eval:availability': 'Squares where a hand card could go',
    'eval:rim': 'Edge squares where a hand card could go',
    'eval:outlook': 'Win probability from cards lost, on the board and to come',
    'eval:outlook-2': 'The same, fitted to games of a deeper search',
    'eval:map': 'A heat map of your own',
  },
};

/** The name in specs: `h4` of `eval:h4`. */
export function symbol(name: string): string {
  return name.replace(/^\w+:/, '');
}

/** `Cards at the front (h6)`. */
export function lensTitle(game: string, lens: Pick<LensCard, 'name' | 'about'>): string {
  return `${TITLES[game]?.[lens.name] ?? capital(lens.about)} (${symbol(lens.name)})`;
}

/** One more sentence about a lens, unless its title says it all. */
export function lensNote(game: string, lens: Pick<LensCard, 'name' | 'about'>): string {
  const { name, about } = lens;
  // These explain one symbol by another.
  const circular = /^(the same|the opposite)\b|\b(h\d+|ah-\w+)\b/.test(about);
  return TITLES[game]?.[name] && !circular ? `${capital(about).replace(/\.$/, '')}.` : '';
}
