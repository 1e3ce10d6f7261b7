// Whole games looked through by agents.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { DESKTOP, close, launch, open } from '../support/browser.mjs';
import { choose, finished, othelloAfter } from '../support/insight.mjs';
import { myTurn } from '../support/play.mjs';
import { PERSON, Server } from '../support/server.mjs';

let server;
let browser;

before(async () => {
  [server, browser] = await Promise.all([Server.shared(), launch()]);
});

after(async () => {
  await browser?.close();
  await server?.stop();
});

const OPENING = 'f5d6c3d3c4f4e6';

test('a whole game of Othello is looked through, with marks to jump to', async () => {
  const page = await open(browser, server, DESKTOP);
  const id = await finished(server, page);
  await page.getByRole('link', { name: 'Analyse', exact: true }).click();
  await page.waitForURL(`**/game/${id}/analysis`);
  await choose(page.locator('main'), 'Agent', 'uct:iterations=60');
  await page.getByRole('button', { name: 'Analyse', exact: true }).click();
  await page.getByRole('progressbar', { name: 'Analysis' }).waitFor();
  await page.getByTestId('done').waitFor({ timeout: 60_000 });
  const { history } = await server.game(id);
  const list = page.getByRole('list', { name: 'Actions with marks' });
  assert.equal(await list.locator('button').count(), history.length);
  const marked = list.locator('button', { hasText: '?' });
  assert.ok((await marked.count()) > 0, 'random play has mistakes');
  assert.match(await marked.first().innerText(), /(inaccuracy|mistake|blunder)[\s\S]*−\d+ %/);
  assert.match(await list.innerText(), /exact [+−±]\d+/, 'the end is solved');
  const discs = page.locator('.board .disc');
  await list.locator('[data-ply="10"]').click();
  await page.waitForFunction(() => document.querySelectorAll('.board .disc').length === 14);
  await page.getByTestId('line').waitFor();
  await page.getByRole('button', { name: 'One action on' }).click();
  await page.waitForFunction(() => document.querySelectorAll('.board .disc').length === 15);
  assert.equal(await discs.count(), 15);
  await page.getByRole('button', { name: 'Next mistake' }).click();
  await page.getByRole('button', { name: 'To the end' }).click();
  await page.getByRole('button', { name: 'Previous mistake' }).click();
  const [line, box] = [await list.locator('[aria-pressed=true]').boundingBox(), await list.boundingBox()];
  assert.ok(line.y >= box.y && line.y + line.height <= box.y + box.height, 'what is looked at is in sight');
  assert.match(await page.getByTestId('seats').innerText(), /Average loss/);
  await page.getByLabel('Mistakes only').check();
  assert.ok((await list.locator('button').count()) < history.length);
  // It is still there for whoever comes back.
  await page.reload();
  await page.getByTestId('done').waitFor();
  assert.equal(await list.locator('button').count(), history.length);
  await close(page);
});

const FIRST_WITHIN_MS = 10_000;

test('the first third of a game is looked through at depth 8 within ten seconds', async () => {
  const page = await open(browser, server, DESKTOP);
  const id = await finished(server, page);
  await page.goto(`/game/${id}/analysis`);
  await choose(page.locator('main'), 'Agent', 'othello-engine:depth=8');
  const began = Date.now();
  await page.getByRole('button', { name: 'Analyse', exact: true }).click();
  await page.waitForFunction(() => {
    const points = document.querySelector('.graph .curve')?.getAttribute('d')?.split('L').length ?? 0;
    return points >= 20 && document.querySelectorAll('.graph .mark').length > 0;
  });
  assert.ok(Date.now() - began < FIRST_WITHIN_MS, `${Date.now() - began} ms`);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByText('Cancelled; the results so far are kept.').waitFor();
  await close(page);
});

test('an analysis by two agents is cancelled, and what was found stays', async () => {
  const page = await open(browser, server, DESKTOP);
  const id = await finished(server, page);
  await page.goto(`/game/${id}/analysis`);
  await page.getByRole('button', { name: 'Add a second agent' }).click();
  await choose(page.locator('.agents > *').first(), 'First agent', 'uct:iterations=1500');
  await choose(page.locator('.agents > *').last(), 'Second agent', 'alphabeta:depth=3');
  await page.getByRole('button', { name: 'Analyse', exact: true }).click();
  await page.waitForFunction(() => document.querySelectorAll('.graph .curve').length > 0);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByText('Cancelled; the results so far are kept.').waitFor();
  const opinions = page.getByRole('list', { name: 'Evaluations of this position' }).locator('li');
  const told = (await opinions.allInnerTexts()).join('\n');
  assert.match(told, /uct:iterations=1500 Black \d+ %; \w\d next/);
  assert.match(told, /alphabeta:depth=3 Black \d+ %, valued [+−]?\d+ for Black; \w\d next/);
  await page.getByRole('button', { name: 'Analyse again' }).waitFor();
  await close(page);
});

test('an imported game is looked through, and the list of games leads there too', async () => {
  const page = await open(browser, server, DESKTOP);
  await page.goto('/import');
  await page.getByRole('textbox', { name: 'Text' }).fill(OPENING);
  await page.getByRole('button', { name: 'Read', exact: true }).click();
  await page.getByRole('button', { name: 'Analyse', exact: true }).click();
  await page.waitForURL(/\/analysis$/);
  await page.getByRole('heading', { name: 'Analysis' }).waitFor();
  const id = await finished(server, page);
  await page.goto('/games');
  // Another worker may be making more games than a page of the list shows.
  await page.getByRole('combobox', { name: 'Game' }).selectOption('othello');
  await page.locator(`a[href="/game/${id}/analysis"]`).click();
  await page.waitForURL(`**/game/${id}/analysis`);
  await close(page);
});

test('a game that went on elsewhere is looked through as it is now', async () => {
  const { id } = await othelloAfter(server, OPENING, [PERSON, PERSON]);
  const page = await open(browser, server, DESKTOP);
  await page.goto(`/game/${id}/analysis`);
  await page.getByText('0 of 7').waitFor();
  const table = await open(browser, server, DESKTOP);
  await table.goto(`/game/${id}`);
  const { version } = await myTurn(table);
  await table.locator('main.table [data-square][data-target]').first().click();
  await myTurn(table, version);
  await choose(page.locator('main'), 'Agent', 'uct:iterations=40');
  await page.getByRole('button', { name: 'Analyse', exact: true }).click();
  await page.getByTestId('done').waitFor();
  assert.equal(await page.getByRole('list', { name: 'Actions with marks' }).locator('button').count(), 8);
  await close(table);
  await close(page);
});
