// What lenses are called: people read what they measure first.

export const LENSES: Record<string, string> = {
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
};
