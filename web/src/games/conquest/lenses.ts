// What lenses are called: people read what they measure first.

export const LENSES: Record<string, string> = {
  'eval:h': 'Evaluation of the thesis',
  'eval:h-original': 'Evaluation of the thesis, as its program computes it',
  'eval:outlook': 'Win probability from troops, strikes and commands',
  'heuristic:ah-rs': 'Attacks first',
  'heuristic:ah-ft': 'Attacks first, no command but Charge',
  'heuristic:ah-rs-original': 'Attacks first, as the original program reaches',
  'heuristic:ah-ft-original': 'Attacks first, no command but Charge, as the original program reaches',
  'squares:danger': 'Squares the opponent could strike',
};
