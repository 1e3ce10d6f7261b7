// What agents think: reasons beside the board, opinions as colours, search trees.
import assert from 'node:assert/strict';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { DESKTOP, NARROW, PHONE, close, launch, open } from '../support/browser.mjs';
import { afterAgent, choose, explain, finished, othelloAfter, sound, unfold } from '../support/insight.mjs';
import { myTurn } from '../support/play.mjs';
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

const agent = (spec) => ({ kind: 'agent', spec });
const OPENING = 'f5d6c3d3c4f4e6';
/** A few troops near each other. */
const NEAR = '0 move 20 0 open 150/75 BattleCry,Charge - K9/8=300,A8/6=100 S10/9=100,F12/12=200 -';

const played = (game, spec) => afterAgent(browser, server, game, spec);

test('the history is told in words, with the action for who wants it', async () => {
  const { id, page } = await played('lords-of-war', 'random');
  const { history } = await server.game(id);
  const first = page.locator('ol[aria-label="Actions so far"] button').first();
  assert.equal(await first.innerText(), history[0].words);
  assert.equal(await first.getAttribute('title'), history[0].action);
  await close(page);
});

test('nothing is told before it is asked for, and the choice is remembered', async () => {
  const { page } = await played('othello', 'uct:iterations=50');
  assert.equal(await page.getByTestId('explanations').count(), 0);
  await explain(page);
  await page.reload();
  await page.getByTestId('explanations').waitFor();
  await page.getByRole('button', { name: /^Explain/ }).click();
  await page.getByTestId('explanations').waitFor({ state: 'detached' });
  await close(page);
});

test('pointing at a compared action shows its squares', async () => {
  const { page } = await played('othello', 'uct:iterations=300');
  await explain(page);
  const rows = page.getByRole('region', { name: 'Actions it searched' }).locator('tbody tr');
  await rows.nth(1).waitFor();
  assert.equal(await page.locator('.square.shown').count(), 0);
  await rows.nth(1).hover();
  await page.locator('.square.shown').first().waitFor();
  await page.mouse.move(2, 2);
  await page.locator('.square.shown').first().waitFor({ state: 'detached' });
  await rows.nth(1).getByRole('button').focus();
  await page.locator('.square.shown').first().waitFor();
  await close(page);
});

test('looking at an action brings its position back with the line drawn, and the game goes on after it', async () => {
  const { page } = await played('othello', 'uct:iterations=300');
  await explain(page);
  await page.getByTestId('summary').waitFor();
  const discs = page.locator('.board .disc');
  const now = await discs.count();
  await page.getByRole('button', { name: 'Look at that position' }).click();
  await page.getByText('Position before action 1 of').waitFor();
  assert.equal(await discs.count(), 4);
  await page.getByTestId('line').locator('circle, line').first().waitFor({ state: 'attached' });
  await page.getByLabel('Draw the line on the board').uncheck();
  await page.getByTestId('line').waitFor({ state: 'detached' });
  assert.equal(await page.locator('main.table [data-square][data-target]').count(), 0, 'the past is not played');
  await page.getByRole('button', { name: 'Back to the game' }).click();
  await page.waitForFunction((count) => document.querySelectorAll('.board .disc').length === count, now);
  const { version } = await myTurn(page);
  await page.locator('main.table [data-square][data-target]').first().click();
  await myTurn(page, version);
  await close(page);
});

test('the curve of chances is walked by keys', async () => {
  const seats = [agent('uct:iterations=100'), agent('uct:iterations=100')];
  const { id } = await server.post('/games', { game: 'othello', seats, seed: 2 });
  const page = await open(browser, server, DESKTOP);
  await page.goto(`/game/${id}`);
  await page.waitForFunction(() => document.querySelectorAll('ol[aria-label="Actions so far"] button').length >= 6);
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByRole('button', { name: 'Resume' }).first().waitFor();
  await explain(page);
  const slider = page.getByRole('slider', { name: 'Position in the game' });
  assert.match(await slider.getAttribute('aria-valuetext'), /^After \d+ of \d+ actions\. As Black sees it: Black \d+ %, As White sees it: Black \d+ %/);
  assert.equal(await page.locator('.graph .curve').count(), 2, 'two opinions are two curves');
  await slider.focus();
  await page.keyboard.press('Home');
  await page.getByText('Position before action 1 of').waitFor();
  await page.keyboard.press('ArrowRight');
  await page.getByText('Position before action 2 of').waitFor();
  await page.getByTestId('summary').waitFor();
  await close(page);
});

test('any agent is asked about any position; a long search is cancelled, nonsense refused', async () => {
  const { id } = await othelloAfter(server, OPENING, [PERSON, PERSON]);
  const page = await open(browser, server, DESKTOP);
  await page.goto(`/game/${id}`);
  await myTurn(page);
  await explain(page);
  const panel = page.getByTestId('explanations');
  await page.locator('ol[aria-label="Actions so far"] [data-ply="3"]').click();
  await page.getByText('Position before action 4 of').waitFor();
  await panel.getByText('A person played this.').waitFor();
  await choose(panel, 'Agent', 'nonsense');
  await panel.getByRole('button', { name: 'Ask', exact: true }).click();
  assert.match(await panel.getByRole('alert').innerText(), /nonsense/);
  await panel.getByLabel('Agent as text').fill('uct:iterations=1000000');
  await panel.getByRole('button', { name: 'Ask', exact: true }).click();
  await panel.getByRole('button', { name: 'Cancel' }).click();
  await panel.getByLabel('Agent as text').fill('uct:iterations=200');
  await panel.getByRole('button', { name: 'Ask', exact: true }).click();
  await page.getByTestId('summary').waitFor();
  assert.match(await panel.innerText(), /uct:iterations=200/);
  await page.getByTestId('line').waitFor();
  await close(page);
});

test('every agent that is asked keeps its answer, beside that of who played', async () => {
  const { page } = await played('othello', 'uct:iterations=50');
  await explain(page);
  const panel = page.getByTestId('explanations');
  await page.getByRole('button', { name: 'Look at that position' }).click();
  await page.getByText('Position before action 1 of').waitFor();
  await page.getByTestId('summary').waitFor();
  const whose = panel.getByLabel('Whose reasons');
  for (const [index, spec] of ['uct:iterations=60', 'greedy'].entries()) {
    await unfold(page, 'Ask an agent');
    await choose(panel, 'Agent', spec);
    await panel.getByRole('button', { name: 'Ask', exact: true }).click();
    await whose.locator('option').nth(index + 1).waitFor({ state: 'attached' });
  }
  const names = await whose.locator('option').allInnerTexts();
  assert.equal(names[0], 'Who played');
  assert.match(names[1], /^greedy/, 'the newest first');
  assert.match(names[2], /^uct:iterations=60/);
  const spec = panel.locator('.spec');
  assert.match(await spec.innerText(), /^greedy/);
  await whose.selectOption(names[2]);
  assert.match(await spec.innerText(), /^uct:iterations=60/);
  await whose.selectOption('Who played');
  assert.match(await spec.innerText(), /^uct:iterations=50/);
  await panel.getByRole('heading', { name: 'Action 1: Black' }).waitFor();
  await close(page);
});

for (const [game, request] of [
  ['othello', {}],
  ['conquest', { position: NEAR }],
  ['lords-of-war', {}],
]) {
  test(`opinions are laid over the board of ${game}`, async () => {
    const { id } = await server.post('/games', { game, seats: [PERSON, PERSON], seed: 3, ...request });
    const page = await open(browser, server, DESKTOP);
    await page.goto(`/game/${id}`);
    await myTurn(page);
    await explain(page);
    const part = await unfold(page, 'Evaluations as colours');
    const pick = part.getByLabel('Lay over the board');
    await part.locator('optgroup').first().waitFor({ state: 'attached' });
    const names = await part.locator('optgroup').evaluateAll((groups) => groups.map((group) => group.querySelector('option').value));
    assert.ok(names.length > 0);
    let coloured = 0;
    for (const name of names) {
      const told = page.waitForResponse((answer) => answer.url().includes('/lens?'));
      await pick.selectOption(name);
      assert.equal((await told).status(), 200, name);
      await page.waitForTimeout(150);
      coloured += await page.locator('.square .heat').count();
      // Numbers can be read, or are not there.
      const sizes = await page.locator('.square .value').evaluateAll((all) =>
        all.filter((one) => one.checkVisibility()).map((one) => Number.parseFloat(getComputedStyle(one).fontSize)));
      assert.ok(sizes.every((size) => size >= 10), `${name}: ${Math.min(...sizes)} px`);
    }
    assert.ok(coloured > 0, names.join(', '));
    await pick.selectOption('');
    await page.locator('.square .heat').first().waitFor({ state: 'detached' });
    await close(page);
  });
}

test('actions that heuristics pruned are told with their values, and marked in the tree', async () => {
  const spec = 'uct:iterations=100,prune=h';
  const { id } = await server.post('/games', { game: 'conquest', seats: [PERSON, PERSON], position: NEAR });
  const page = await open(browser, server, PHONE);
  await page.goto(`/game/${id}`);
  await myTurn(page);
  await explain(page);
  const panel = page.getByTestId('explanations');
  await choose(panel, 'Agent', spec);
  await panel.getByRole('button', { name: 'Ask', exact: true }).tap();
  const pruned = page.getByTestId('pruned');
  await pruned.locator('summary').tap();
  assert.match(await pruned.locator('li').first().innerText(), /best by h[\s\S]*h [+−]\d/);
  await page.goto(`/game/${id}/tree`);
  await choose(page.locator('main'), 'Search: agent', spec);
  await page.getByRole('button', { name: 'Search', exact: true }).tap();
  const marked = page.getByRole('treegrid').locator('.dim').first();
  await marked.waitFor();
  assert.match(await marked.getAttribute('aria-label'), /pruned/);
  assert.equal(await marked.locator('.note').textContent(), 'pruned');
  await close(page);
});

const LARGE = 100_000;
const SHOWN_WITHIN_MS = 1000;

test('a tree of 100,000 nodes unfolds at once, by pointer and by keys, and is saved', async () => {
  const { id } = await othelloAfter(server, OPENING, [PERSON, PERSON]);
  const page = await open(browser, server, DESKTOP);
  await page.goto(`/game/${id}/tree?ply=7`);
  await choose(page.locator('main'), 'Search: agent', 'uct:iterations=120000');
  await page.getByLabel('Nodes kept, up to 100,000').fill(String(LARGE));
  await page.getByRole('button', { name: 'Search', exact: true }).click();
  const tree = page.getByRole('treegrid');
  await tree.locator('[data-level="2"]').first().waitFor({ timeout: 60_000 });
  const kept = /([\d,]+) nodes kept/.exec(await page.locator('main').innerText())?.[1].replaceAll(',', '');
  assert.ok(Number(kept) > LARGE / 2, `${kept} nodes`);
  for (let level = 2; level <= 6; level += 1) {
    const row = tree.locator(`[data-level="${level}"][aria-expanded=false]`).first();
    const began = Date.now();
    await row.click();
    await tree.locator(`[data-level="${level + 1}"]`).first().waitFor();
    assert.ok(Date.now() - began < SHOWN_WITHIN_MS, `level ${level}: ${Date.now() - began} ms`);
  }
  // Only what is unfolded is there.
  assert.ok((await tree.getByRole('row').count()) < 400);
  const scrolled = await page.locator('.scroll', { has: tree }).evaluate(async (box) => {
    let longest = 0;
    for (let step = 0; step < 20; step += 1) {
      const began = performance.now();
      box.scrollTop = (step % 2) * box.scrollHeight;
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      longest = Math.max(longest, performance.now() - began);
    }
    return longest;
  });
  assert.ok(scrolled < SHOWN_WITHIN_MS, `scrolling took ${scrolled} ms`);
  const visits = await tree.locator('[data-level="2"] .visits').evaluateAll((all) => all.map((one) => Number(one.title.replace(/\D/g, ''))));
  assert.deepEqual(visits, [...visits].sort((a, b) => b - a), 'the most visited first');

  const first = tree.locator('[data-level="2"]').first();
  await first.focus();
  await page.keyboard.press('ArrowLeft');
  assert.equal(await first.getAttribute('aria-expanded'), 'false');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  const level = () => page.evaluate(() => document.activeElement?.getAttribute('aria-level'));
  assert.equal(await level(), '3');
  // It was unfolded before: first it is folded, then its parent is next.
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  assert.equal(await level(), '2');
  await page.keyboard.press('Home');
  assert.equal(await level(), '1');

  const saved = page.waitForEvent('download');
  await page.getByRole('link', { name: 'The tree as JSON' }).click();
  const written = JSON.parse(await text(await (await saved).createReadStream()));
  assert.equal(written.nodes.length, Number(kept));
  await close(page);
});

test('a tree says whose chances it tells, and of bounds that they are bounds', async () => {
  const { id } = await othelloAfter(server, OPENING, [PERSON, PERSON]);
  const page = await open(browser, server, DESKTOP);
  await page.goto(`/game/${id}/tree`);
  await choose(page.locator('main'), 'Search: agent', 'alphabeta:depth=4');
  await page.getByRole('button', { name: 'Search', exact: true }).click();
  const tree = page.getByRole('treegrid');
  await tree.locator('[data-level="2"]').nth(1).waitFor();
  await tree.getByRole('columnheader', { name: 'Chance of White' }).waitFor();
  const bound = tree.getByRole('row', { name: /value ≤ .*, chance of White ≤ \d+ %/ }).first();
  assert.match(await bound.innerText(), /≤ \d+ %/);
  const told = await page.getByTestId('summary').locator('strong').innerText();
  const chosen = tree.getByRole('row', { name: /, chosen/ });
  assert.equal(await chosen.count(), 1);
  assert.match(await chosen.innerText(), new RegExp(`^${told} chosen`));
  await close(page);
});

test('a line is drawn in the position that was searched only', async () => {
  const { id } = await othelloAfter(server, OPENING, [PERSON, PERSON]);
  const page = await open(browser, server, DESKTOP);
  await page.goto(`/game/${id}/tree?ply=4`);
  await choose(page.locator('main'), 'Search: agent', 'uct:iterations=200');
  const line = page.getByTestId('line');
  // Who looks elsewhere while it searches.
  let answer;
  await page.route('**/api/studies', (route) => new Promise((done) => { answer = () => done(route.continue()); }), { times: 1 });
  const asked = page.waitForRequest('**/api/studies');
  await page.getByRole('button', { name: 'Search', exact: true }).click();
  await asked;
  await page.getByRole('button', { name: 'One action on' }).click();
  await page.getByText('5 of 7').waitFor();
  answer();
  const row = page.getByRole('treegrid').locator('[data-level="2"]').first();
  await row.hover();
  assert.equal(await line.count(), 0);
  const shown = await page.locator('.square.shown').count();
  await page.getByRole('button', { name: 'One action back' }).click();
  await line.waitFor();
  await row.hover();
  assert.ok((await page.locator('.square.shown').count()) >= shown);
  await close(page);
});

test('a finished game is searched before its end', async () => {
  const page = await open(browser, server, DESKTOP);
  const id = await finished(server, page);
  const { history } = await server.game(id);
  await explain(page);
  await page.getByRole('button', { name: 'To the beginning' }).click();
  await page.getByText('Position before action 1 of').waitFor();
  const list = page.locator('ol[aria-label="Actions so far"]');
  const [line, box] = [await list.locator('[data-ply="0"]').boundingBox(), await list.boundingBox()];
  assert.ok(line.y >= box.y - 1 && line.y + line.height <= box.y + box.height + 1, 'what is looked at is in sight');
  await page.getByRole('button', { name: 'Back to the game' }).click();
  await page.getByRole('link', { name: 'Search tree' }).click();
  await page.getByText(`${history.length - 1} of ${history.length}`).waitFor();
  const search = page.getByRole('button', { name: 'Search', exact: true });
  assert.ok(await search.isEnabled());
  await page.getByRole('button', { name: 'To the end' }).click();
  await page.getByText('The game is over here').waitFor();
  assert.ok(await search.isDisabled());
  await page.goto(`/game/${id}/tree`);
  await page.getByText(`${history.length - 1} of ${history.length}`).waitFor();
  await close(page);
});

test('where something is hidden, levels are agents that may play there', async () => {
  const { id } = await server.post('/games', { game: 'lords-of-war', seats: [RANDOM, RANDOM], seed: 3, rules: 'table' });
  const page = await open(browser, server, DESKTOP);
  await page.goto(`/game/${id}`);
  await page.waitForFunction(() => document.querySelectorAll('ol[aria-label="Actions so far"] button').length >= 6);
  await page.goto(`/game/${id}/tree?ply=4`);
  await page.getByRole('combobox', { name: 'Search: agent' }).selectOption({ index: 3 });
  await page.getByRole('button', { name: 'Search', exact: true }).click();
  await page.getByTestId('summary').waitFor();
  await page.locator('.found code', { hasText: /^ismcts:iterations=\d+/ }).waitFor();
  await page.goto(`/game/${id}/analysis`);
  await page.getByRole('button', { name: 'Add a second agent' }).click();
  assert.match(await page.getByRole('combobox', { name: 'Second agent' }).inputValue(), /^(ismcts|lords-of-war-best):/);
  await close(page);
});

test('two searches stand side by side, and a long one is cancelled', async () => {
  const { id } = await othelloAfter(server, OPENING, [PERSON, PERSON]);
  const page = await open(browser, server, DESKTOP);
  await page.goto(`/game/${id}/tree?ply=4`);
  await page.getByRole('button', { name: 'Compare with another search' }).click();
  const [one, other] = [page.getByRole('region', { name: 'First search' }), page.getByRole('region', { name: 'Second search' })];
  await choose(one, 'First search: agent', 'alphabeta:depth=4');
  await choose(other, 'Second search: agent', 'uct:iterations=1000000');
  await one.getByRole('button', { name: 'Search', exact: true }).click();
  await one.getByRole('treegrid').locator('[data-level="2"]').first().waitFor({ timeout: 30_000 });
  await other.getByRole('button', { name: 'Search', exact: true }).click();
  await other.getByRole('button', { name: 'Cancel' }).click();
  await other.getByRole('button', { name: 'Search', exact: true }).waitFor();
  await other.getByLabel('Agent as text').fill('uct:iterations=300');
  await other.getByRole('button', { name: 'Search', exact: true }).click();
  await other.getByRole('treegrid').locator('[data-level="2"]').first().waitFor({ timeout: 30_000 });
  const [left, right] = [await one.boundingBox(), await other.boundingBox()];
  assert.ok(right.x > left.x + left.width - 1, 'side by side');
  const [steps, board] = [await page.getByRole('button', { name: 'To the end' }).boundingBox(), await page.getByRole('grid').boundingBox()];
  assert.ok(steps.x + steps.width <= board.x + board.width + 1, 'the buttons below the board are no wider than it');
  await close(page);
});

for (const [where, device, colorScheme] of [['at a desk', DESKTOP, 'light'], ['on a small phone', NARROW, 'dark']]) {
  test(`explanations, trees and analyses are sound, ${colorScheme} ${where}`, async () => {
    const page = await open(browser, server, device, { colorScheme, reducedMotion: 'reduce' });
    const phone = device === NARROW;
    const { id } = await othelloAfter(server, OPENING, [PERSON, RANDOM]);
    await page.goto(`/game/${id}`);
    await myTurn(page);
    await explain(page);
    const panel = page.getByTestId('explanations');
    await unfold(page, 'Ask an agent');
    await choose(panel, 'Agent', 'uct:iterations=200');
    await panel.getByRole('button', { name: 'Ask', exact: true }).click();
    await page.getByRole('region', { name: 'Actions it searched' }).waitFor();
    const part = await unfold(page, 'Evaluations as colours');
    await part.locator('optgroup option').first().waitFor({ state: 'attached' });
    await part.getByLabel('Lay over the board').selectOption({ index: 1 });
    await page.locator('.square .heat').first().waitFor();
    await sound(page, 'explanations', phone);

    await page.goto(`/game/${id}/tree?ply=5`);
    await choose(page.locator('main'), 'Search: agent', 'uct:iterations=500');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await page.getByRole('treegrid').locator('[data-level="2"]').first().click();
    await page.getByRole('treegrid').locator('[data-level="3"]').first().waitFor();
    await sound(page, 'tree', phone);

    await page.goto(`/game/${id}/analysis`);
    await choose(page.locator('main'), 'Agent', 'uct:iterations=40');
    await page.getByRole('button', { name: 'Analyse', exact: true }).click();
    await page.getByTestId('done').waitFor({ timeout: 60_000 });
    await sound(page, 'analysis', phone);
    await close(page);
  });
}
