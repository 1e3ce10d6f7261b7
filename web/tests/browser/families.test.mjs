// Why agents of every family played as they did, in every game.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { DESKTOP, close, launch, open } from '../support/browser.mjs';
import { afterAgent, choose, explain } from '../support/insight.mjs';
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

const FAMILIES = [
  ['othello', 'random'],
  ['othello', 'greedy'],
  ['othello', 'alphabeta:depth=4', { compares: true }],
  ['othello', 'minimax:depth=2', { compares: true }],
  ['othello', 'scout:depth=3', { compares: true }],
  ['othello', 'pvs:depth=3', { compares: true }],
  ['othello', 'mtdf:depth=3', { compares: true }],
  ['othello', 'othello-engine:depth=6', { compares: true }],
  ['othello', 'uct:iterations=300,prune=paper', { compares: true }],
  ['conquest', 'random'],
  ['conquest', 'greedy'],
  ['conquest', 'random-search:calls=60', { compares: true }],
  ['conquest', 'conquest-best-1:calls=20', { compares: true }],
  ['conquest', 'conquest-best:calls=3000', { compares: true, turns: true }],
  ['conquest', 'uct:iterations=100', { compares: true }],
  ['lords-of-war', 'random'],
  ['lords-of-war', 'mcts:iterations=30', { compares: true }],
  ['lords-of-war', 'lords-of-war-best-1:iterations=20', { compares: true }],
];

for (const [game, spec, { compares = false, turns = false } = {}] of FAMILIES) {
  test(`${spec} explains its action in ${game}`, async () => {
    const { id, page } = await afterAgent(browser, server, game, spec);
    await explain(page);
    await page.getByTestId('summary').waitFor();
    const { history } = await server.game(id);
    // Not the end of a turn without a choice, unless nothing else was told.
    const told = history.findLastIndex((one) => one.explained && one.chance != null);
    const ply = told < 0 ? history.findLastIndex((one) => one.explained) : told;
    const kept = await (await fetch(`${server.url}/api/games/${id}/explanations/${ply}`)).json();
    const text = await page.getByTestId('summary').innerText();
    assert.ok(text.includes(kept.summary) && text.includes(kept.choice.words), text);
    assert.ok(kept.summary.length > 10, kept.summary);
    const panel = page.getByTestId('explanations');
    assert.match(await panel.innerText(), new RegExp(spec.split(':')[0]));
    if (compares) {
      // Where a turn has several actions, the last one may have left no choice.
      const own = history.flatMap((one, index) => (one.explained ? [index] : []));
      const first = page.locator(`ol[aria-label="Actions so far"] [data-ply="${own[0]}"]`);
      await first.click();
      await page.getByText(`Position before action ${own[0] + 1} of`).waitFor();
      await panel.getByRole('region', { name: 'Actions it searched' }).locator('tbody tr').first().waitFor();
      const compared = panel.getByRole('region', { name: 'Turns compared' });
      assert.equal(await compared.count(), turns ? 1 : 0);
      if (turns) assert.ok((await compared.getByRole('list').count()) > 2, 'a list of turns, each a list of actions');
    }
    await close(page);
  });
}

const BEFORE_LOOKING = 8;

// Where something is hidden, reasons are told of games between agents, or when the game is over.
for (const [game, rules] of [['lords-of-war', 'table'], ['conquest', 'secret-commands=yes']]) {
  test(`ismcts and pimc explain their actions in ${game} with ${rules}`, async () => {
    const specs = ['ismcts:iterations=40', 'pimc:iterations=20,worlds=2'];
    const seats = specs.map((spec) => ({ kind: 'agent', spec }));
    const { id } = await server.post('/games', { game, seats, seed: 3, rules });
    const page = await open(browser, server, DESKTOP);
    await page.goto(`/game/${id}`);
    const actions = page.locator('ol[aria-label="Actions so far"]');
    await actions.locator('button').nth(BEFORE_LOOKING).waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('button', { name: 'Resume' }).first().waitFor();
    await explain(page);
    const panel = page.getByTestId('explanations');
    const { history } = await server.game(id);
    for (const [seat, spec] of specs.entries()) {
      const ply = history.findIndex((one) => one.seat === seat && one.chance != null);
      assert.ok(ply >= 0, `${spec} told its chances`);
      await actions.locator(`[data-ply="${ply}"]`).click();
      await page.getByText(`Position before action ${ply + 1} of`).waitFor();
      await panel.getByText(spec, { exact: true }).waitFor();
      await panel.getByRole('region', { name: 'Actions it searched' }).locator('tbody tr').nth(1).waitFor();
      const kept = await (await fetch(`${server.url}/api/games/${id}/explanations/${ply}`)).json();
      const text = await panel.innerText();
      assert.ok(text.includes(kept.summary) && text.includes(kept.choice.words), text);
      assert.match(text, /Worlds\s+\d+/, 'it says how many worlds it thought of');
    }
    // An agent that would look at what is hidden is not asked.
    await page.getByText('Ask an agent about this position').click();
    await choose(panel, 'Agent', 'uct:iterations=20');
    await panel.getByRole('button', { name: 'Ask', exact: true }).click();
    assert.match(await panel.getByRole('alert').innerText(), /hid/);
    await close(page);
  });
}

test('what is hidden from a person who plays is not asked for', async () => {
  const seats = [PERSON, { kind: 'agent', spec: 'ismcts:iterations=10' }];
  const { id } = await server.post('/games', { game: 'lords-of-war', seats, seed: 3, rules: 'table' });
  const page = await open(browser, server, DESKTOP);
  await page.goto(`/game/${id}`);
  await explain(page);
  const panel = page.getByTestId('explanations');
  await panel.getByText('explanations are shown when it is over').waitFor();
  assert.equal(await panel.getByRole('button').count(), 0);
  for (const part of ['tree', 'analysis']) {
    await page.goto(`/game/${id}/${part}`);
    await page.getByText('this is available when it is over').waitFor();
  }
  await close(page);
});

test('where there is no choice there is no tree, and nobody is blamed for it', async () => {
  const { id } = await server.post('/games', { game: 'conquest', seats: [RANDOM, RANDOM], seed: 3 });
  const page = await open(browser, server, DESKTOP);
  await page.goto(`/game/${id}`);
  await page.waitForFunction(() => document.querySelectorAll('ol[aria-label="Actions so far"] button').length >= 12);
  const summary = async (ply) => (await (await fetch(`${server.url}/api/games/${id}/explanations/${ply}`)).json()).summary;
  let ply = 0;
  while ((await summary(ply)) !== 'The only legal action.') ply += 1;
  await page.goto(`/game/${id}/tree?ply=${ply}`);
  await choose(page.locator('main'), 'Search: agent', 'uct:iterations=40');
  await page.getByRole('button', { name: 'Search', exact: true }).click();
  await page.getByText('The only legal action.').waitFor();
  await page.getByText('There is no tree: only searching agents').waitFor();
  await close(page);
});
