// What happens between the moves: undo, hint, pondering, reload, a server that goes away.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { DESKTOP, close, launch, open, openNew } from '../support/browser.mjs';
import { MOST_OF_A_GAME, othelloAfter } from '../support/insight.mjs';
import { click, myTurn, playToEnd } from '../support/play.mjs';
import { PERSON, RANDOM, Server } from '../support/server.mjs';

let server;
let browser;

before(async () => {
  [server, browser] = await Promise.all([Server.shared(), launch()]);
});

after(async () => {
  await browser?.close();
  await server?.stop();
});

const othello = (opponent = RANDOM, more = {}) =>
  server.post('/games', { game: 'othello', seats: [PERSON, opponent], seed: 2, ...more });

async function move(page) {
  const { version } = await myTurn(page);
  await page.locator('main.table [data-target]').first().click();
  return myTurn(page, version);
}

test('a game is begun from the start page', async () => {
  const page = await open(browser, server, DESKTOP);
  await page.goto('/');
  await page.locator('article', { hasText: 'Othello' }).getByRole('link', { name: 'Play' }).click();
  await page.getByText('First game').click();
  await page.getByRole('button', { name: 'Begin' }).click();
  await page.waitForURL(/\/game\//);
  await move(page);
  assert.ok((await page.locator('ol[aria-label="Actions so far"] li').count()) >= 2);
  const played = page.url();
  // How an opponent is written is told to who asks.
  assert.equal(await page.locator('.player code').count(), 0);
  await page.getByRole('button', { name: 'Agent of Level 1: First game' }).click();
  assert.equal(await page.locator('.player code').innerText(), 'random');
  // The next game is proposed as this one was chosen, and takes the place of one that nobody acted in.
  const again = async () => {
    await page.goto('/new/othello');
    assert.ok(await page.getByRole('radio', { name: /First game/ }).isChecked());
    await page.getByRole('button', { name: 'Begin' }).click();
    await page.waitForURL(/\/game\//);
    return page.url();
  };
  const [empty, last] = [await again(), await again()];
  const kept = async (address) => (await fetch(address.replace('/game/', '/api/games/'))).status;
  assert.deepEqual(await Promise.all([played, empty, last].map(kept)), [200, 404, 200]);
  await close(page);
});

test('undo takes back the last move with the reply, redo plays it again', async () => {
  const { id } = await othello();
  const page = await open(browser, server, DESKTOP);
  await page.goto(`/game/${id}`);
  await move(page);
  const plies = (await server.game(id)).history.length;
  assert.ok(plies >= 2);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Nothing has been played yet.').waitFor();
  await page.getByRole('button', { name: 'Redo' }).click();
  await page.waitForFunction((count) => document.querySelectorAll('ol[aria-label="Actions so far"] li').length === count, plies);
  await close(page);
});

test('a hint names a move and shows its square', async () => {
  const { id } = await othello();
  const page = await open(browser, server, DESKTOP);
  await page.goto(`/game/${id}`);
  await myTurn(page);
  await page.getByRole('button', { name: 'Hint' }).click();
  await page.getByTestId('hint').waitFor();
  assert.equal(await page.locator('.square.hinted').count(), 1);
  assert.ok(await page.locator('.square.hinted button').getAttribute('data-target'), 'the advised square can be chosen');
  await close(page);
});

test('the opponent thinks ahead, and says so', async () => {
  const { id } = await othello({ kind: 'agent', spec: 'mcts:iterations=20000' });
  const page = await open(browser, server, DESKTOP);
  await page.goto(`/game/${id}`);
  await move(page);
  await page.getByTestId('pondering').waitFor();
  await close(page);
});

test('stop ends a long thought', async () => {
  const { id } = await othello({ kind: 'agent', spec: 'mcts:iterations=20000000' });
  const page = await open(browser, server, DESKTOP);
  await page.goto(`/game/${id}`);
  await myTurn(page);
  await page.locator('main.table [data-target]').first().click();
  await page.getByTestId('thinking').waitFor();
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.getByTestId('thinking').waitFor({ state: 'detached' });
  await close(page);
});

test('a reload brings the same game back', async () => {
  const { id } = await othello();
  const page = await open(browser, server, DESKTOP);
  await page.goto(`/game/${id}`);
  await move(page);
  const before = (await server.game(id)).history;
  await page.reload();
  await myTurn(page);
  assert.equal(await page.locator('ol[aria-label="Actions so far"] li').count(), before.length);
  await close(page);
});

for (const signal of ['SIGTERM', 'SIGKILL']) {
  test(`a game goes on after the server was ended by ${signal}`, async () => {
    const own = await Server.start();
    try {
      const { id } = await othelloAfter(own, MOST_OF_A_GAME, [PERSON, RANDOM]);
      const page = await openNew(browser, own, DESKTOP);
      await page.goto(`/game/${id}`);
      await move(page);
      const before = (await own.game(id)).history.map((ply) => ply.action);
      await own.kill(signal);
      await page.getByText('The connection is lost').waitFor();
      await own.run();
      await page.getByText('The connection is lost').waitFor({ state: 'detached' });
      assert.deepEqual((await own.game(id)).history.map((ply) => ply.action).slice(0, before.length), before);
      assert.ok((await playToEnd(page, click)) > 0, 'there was something left to play');
      await close(page);
    } finally {
      await own.stop();
    }
  });
}

test('resigning asks first and ends the game; a rematch swaps the seats', async () => {
  const { id } = await othello();
  const page = await open(browser, server, DESKTOP);
  await page.goto(`/game/${id}`);
  await myTurn(page);
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('button', { name: 'Resign' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Resign' }).click();
  await page.getByRole('button', { name: 'Rematch' }).click();
  await page.waitForURL((url) => url.pathname.startsWith('/game/') && !url.pathname.endsWith(id));
  const next = await server.game(new URL(page.url()).pathname.split('/').at(-1));
  assert.equal(next.seats[1].player.kind, 'human');
  await page.goto(`/games`);
  const row = page.locator('li', { has: page.locator(`a[href="/game/${id}"]`) });
  await row.locator('.mark', { hasText: 'L' }).waitFor();
  assert.match(await row.innerText(), /You lost: you resigned · 0 actions/);
  await close(page);
});

test('an attack in Conquest is shown before it is made, and Escape takes it back', async () => {
  const { id } = await server.post('/games', {
    game: 'conquest', seats: [PERSON, RANDOM], seed: 1,
    position: '0 select 20 - open 0/0 - - K9/9=300 M10/10=100,S0/19=100 -',
  });
  const page = await open(browser, server, DESKTOP);
  await page.goto(`/game/${id}`);
  const { version } = await myTurn(page);
  await page.locator('[data-square="189"]').click();
  await myTurn(page, version);
  await page.locator('[data-square="210"]').click();
  await page.getByTestId('confirm').waitFor();
  assert.ok((await page.locator('.square .effect').count()) > 0, 'effects stand on the board');
  await page.keyboard.press('Escape');
  await page.getByTestId('confirm').waitFor({ state: 'detached' });
  await page.locator('[data-square="210"]').click();
  await page.locator('[data-square="210"]').click();
  await page.waitForFunction(() => !document.querySelector('.square:has([data-square="210"]) .piece'));
  await close(page);
});

test('two people with hidden cards pass the device', async () => {
  const { id } = await server.post('/games', { game: 'lords-of-war', seats: [PERSON, PERSON], seed: 1, rules: 'table' });
  const page = await open(browser, server, DESKTOP);
  await page.goto(`/game/${id}`);
  await page.getByRole('heading', { name: /Pass the device/ }).waitFor();
  assert.equal(await page.locator('[role=grid]').count(), 0, 'nothing is to be seen yet');
  await page.getByRole('button', { name: /^I am/ }).click();
  await page.locator('[role=grid]').waitFor();
  await close(page);
});

test('two people with nothing hidden need no cover', async () => {
  const { id } = await server.post('/games', { game: 'lords-of-war', seats: [PERSON, PERSON], seed: 1 });
  const page = await open(browser, server, DESKTOP);
  await page.goto(`/game/${id}`);
  await page.locator('[role=grid]').waitFor();
  await close(page);
});

test('agents play each other and can be paused', async () => {
  const seats = [{ kind: 'agent', spec: 'mcts:iterations=2000' }, RANDOM];
  const { id } = await server.post('/games', { game: 'othello', seats, seed: 2 });
  const page = await open(browser, server, DESKTOP);
  await page.goto(`/game/${id}`);
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByRole('button', { name: 'Resume' }).first().waitFor();
  const plies = async () => (await server.game(id)).history.length;
  // Who is thinking when it is paused may still move.
  await page.waitForTimeout(300);
  const paused = await plies();
  await page.waitForTimeout(700);
  assert.equal(await plies(), paused, 'nobody plays while it is paused');
  assert.ok(!(await server.game(id)).ending, 'there is something left to play');
  await page.getByRole('button', { name: 'Resume' }).first().click();
  await page.getByRole('button', { name: 'Pause' }).waitFor();
  await page.waitForFunction((count) => document.querySelectorAll('ol[aria-label="Actions so far"] button').length > count, paused);
  await close(page);
});
