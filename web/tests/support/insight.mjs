// What the tests of explanations and of experiments have in common.
import assert from 'node:assert/strict';
import { DESKTOP, open, overflow, seriousFindings } from './browser.mjs';
import { myTurn } from './play.mjs';
import { PERSON } from './server.mjs';

/** A game in which an agent has just played, looked at by the person whose turn it is. */
export async function afterAgent(browser, server, game, spec) {
  const agent = { kind: 'agent', spec };
  let made = await server.post('/games', { game, seats: [agent, PERSON], seed: 3 });
  // In some games the other seat begins.
  if (made.human_to_act) made = await server.post('/games', { game, seats: [PERSON, agent], seed: 3 });
  const page = await open(browser, server, DESKTOP);
  await page.goto(`/game/${made.id}`);
  await myTurn(page);
  return { id: made.id, page };
}

/** A game of Othello that goes on after these moves. */
export async function othelloAfter(server, text, seats) {
  const { record } = await server.post('/import', { game: 'othello', text, rules: '' });
  return server.post('/games', { game: 'othello', seats, record });
}

/** Opens the panel beside a game, unless it is open. */
export async function explain(page) {
  const opener = page.getByRole('button', { name: /^Explain/ });
  if ((await opener.getAttribute('aria-expanded')) === 'false') await opener.click();
  await page.getByTestId('explanations').waitFor();
}

export async function unfold(page, words) {
  const part = page.locator('details', { has: page.locator('summary', { hasText: words }) }).last();
  if ((await part.getAttribute('open')) === null) await part.locator('summary').first().click();
  return part;
}

/** Chooses an agent by its spec; `label` is that of the choice. */
export async function choose(scope, label, spec) {
  await scope.getByRole('combobox', { name: label, exact: true }).selectOption({ label: 'Any agent, as text…' });
  await scope.getByLabel('Agent as text').fill(spec);
}

/** The first moves of a random game of Othello. */
export const MOST_OF_A_GAME =
  'c4c3f5f6c2b2e6d2g7f4e3f7e7d3a1c5g5e2b4h5e1g8h4d1f8h3c1d8d7c8h8b1b6f3g4b3b5f2a2f1g1g2c7d6h2a4a3c6';

/** A whole game of Othello, its last moves played by two agents of the server while a page looks on. */
export async function finished(server, page) {
  const agent = { kind: 'agent', spec: 'random' };
  const { record } = await server.post('/import', { game: 'othello', text: MOST_OF_A_GAME, rules: '' });
  const { id } = await server.post('/games', { game: 'othello', seats: [agent, agent], record });
  await page.goto(`/game/${id}`);
  await page.locator('main.table[data-turn=over]').waitFor({ timeout: 30_000 });
  return id;
}

/** An experiment, run to its end: the server plays one at a time. */
export async function wholeRun(server, name, text) {
  const { id } = await server.post('/runs', { name, text });
  for (let tries = 0; tries < 300; tries += 1) {
    const { card } = await (await fetch(`${server.url}/api/runs/${id}`)).json();
    if (card.state === 'finished') return card;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error(`run ${id} did not end`);
}

const TOUCH = 44;

/** What is too small for a finger; links inside sentences may be. */
async function small(page) {
  return page.evaluate((least) => {
    const wanted = 'main button, main a.button, main summary, main select, main input:not([type=checkbox], [type=radio]), header a';
    return [...document.querySelectorAll(wanted)]
      .filter((element) => !element.closest('[role=grid]') && element.checkVisibility())
      .map((element) => ({ box: element.getBoundingClientRect(), name: element.textContent.trim().slice(0, 40) || element.className }))
      .filter(({ box }) => box.height > 0 && box.height < least - 0.5)
      .map(({ box, name }) => `${name}: ${Math.round(box.height)} px high`);
  }, TOUCH);
}

/** How far the page goes on below what stands on it. */
async function emptyBelow(page) {
  return page.evaluate(() => {
    const end = document.querySelector('main').getBoundingClientRect().bottom + window.scrollY;
    return Math.round(document.documentElement.scrollHeight - Math.max(end, window.innerHeight));
  });
}

/** Nothing serious by axe, nothing that scrolls sideways or into nothing, and on a phone nothing too small. */
export async function sound(page, name, phone) {
  const wider = await overflow(page);
  assert.equal(wider, 0, `${name} is ${wider} px too wide`);
  const empty = await emptyBelow(page);
  assert.ok(empty <= 1, `${name} has ${empty} px of nothing below it`);
  assert.deepEqual(await seriousFindings(page), [], name);
  if (phone) assert.deepEqual(await small(page), [], name);
}
