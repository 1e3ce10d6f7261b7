// What lenses are called: people read what they measure first.

export const LENSES: Record<string, string> = {
  'eval:paper': 'All factors of Hernandez et al.',
  'eval:paper-quick': 'Fast factors of Hernandez et al.',
  'eval:discs': 'Number of discs',
  'eval:outlook': 'Win probability from patterns and mobility',
  'heuristic:squares': 'Value of the square',
  'heuristic:order': 'Order in which a search tries actions',
  'squares:values': 'Value of each square',
};
