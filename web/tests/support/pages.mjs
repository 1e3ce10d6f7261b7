// The address of every page, with games in the middle to be looked at.
import { PERSON, RANDOM } from './server.mjs';

export async function addresses(server) {
  const seats = [PERSON, RANDOM];
  const position = '0 move 20 0 open 150/75 BattleCry,Charge,Chastise Stoicism:2,Bombard K9/8=300,A8/6=100,C11/5=400+200!BattleCry S10/9=100,F12/12=200,M13/13=100 6/10,13/9';
  const othello = await server.post('/import', { game: 'othello', text: 'f5d6c3d3c4f4e6', rules: '' });
  const games = {
    'play-othello': { game: 'othello', seats: [RANDOM, PERSON], record: othello.record, clock: { total_seconds: 600, increment_seconds: 5 } },
    'play-conquest': { game: 'conquest', seats, position },
    'play-lords-of-war': { game: 'lords-of-war', seats, seed: 4 },
  };
  const found = {
    home: '/', games: '/games', import: '/import', loadouts: '/loadouts', settings: '/settings', missing: '/no-such-page',
  };
  for (const game of ['othello', 'conquest', 'lords-of-war']) {
    found[`new-${game}`] = `/new/${game}`;
    found[`rules-${game}`] = `/rules/${game}`;
    found[`setup-${game}`] = `/setup/${game}`;
  }
  for (const [name, request] of Object.entries(games)) found[name] = `/game/${(await server.post('/games', request)).id}`;
  return found;
}
