// The table itself: what is seen, what keys do, what fits on a phone, what is nobody else's business.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { DESKTOP, MOVING, NARROW, PHONE, close, launch, open } from '../support/browser.mjs';
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

async function table(request, device = DESKTOP) {
  const { id } = await server.post('/games', { seed: 1, ...request });
  const page = await open(browser, server, device);
  await page.goto(`/game/${id}`);
  return { id, page };
}

const TWO = [PERSON, PERSON];
const DUEL = '0 select 20 - open 0/0 - - K9/9=300 M10/10=100,S0/19=100 -';

test('obstacles show on both shades of cloth', async () => {
  const { page } = await table({
    game: 'conquest', seats: TWO, position: DUEL.replace(/-$/, '6/10,13/10'),
  });
  await myTurn(page);
  const drawn = await page.locator('.square:has([aria-label*="obstacle"])').evaluateAll((all) =>
    all.map((one) => ({ odd: one.classList.contains('odd'), background: getComputedStyle(one).background })));
  assert.deepEqual(drawn.map(({ odd }) => odd).sort(), [false, true]);
  assert.match(drawn[0].background, /gradient/);
  assert.equal(drawn[0].background, drawn[1].background);
  await close(page);
});

test('a hint that a move overtakes does not block the next hint', async () => {
  const { page } = await table({ game: 'othello', seats: TWO });
  const { version } = await myTurn(page);
  // In one go, so that the move is on its way before the advice can be.
  await page.evaluate(() => {
    [...document.querySelectorAll('.tools button')].find((one) => one.textContent.includes('Hint')).click();
    document.querySelector('main.table [data-target]').click();
  });
  await myTurn(page, version);
  await page.getByRole('button', { name: 'Hint' }).click();
  await page.getByTestId('hint').waitFor();
  await close(page);
});

test('between two people advice can be stopped', async () => {
  const { page } = await table({ game: 'othello', seats: TWO });
  await myTurn(page);
  const stop = page.getByRole('button', { name: 'Stop' });
  assert.ok(await stop.isDisabled(), 'nobody thinks yet');
  // Seen as it happens: on a busy machine the hint may be there before anybody looks.
  const enabled = page.evaluate(() => new Promise((resolve) => {
    const named = (name) => [...document.querySelectorAll('.tools button')].find((one) => one.textContent.includes(name));
    const watched = new MutationObserver(() => resolve(!named('Stop').disabled));
    watched.observe(named('Stop'), { attributes: true, attributeFilter: ['disabled'] });
    setTimeout(() => resolve(false), 5000);
    named('Hint').click();
  }));
  assert.ok(await enabled);
  await page.getByTestId('hint').waitFor();
  await close(page);
});

test('Stop can be pressed while the opponent thinks ahead', async () => {
  const { page } = await table({ game: 'othello', seats: [PERSON, { kind: 'agent', spec: 'mcts:iterations=20000' }] });
  const { version } = await myTurn(page);
  await page.locator('main.table [data-target]').first().click();
  await myTurn(page, version);
  await page.getByTestId('pondering').waitFor();
  assert.ok(await page.getByRole('button', { name: 'Stop' }).isEnabled());
  await close(page);
});

test('open menus are inside a small screen', async () => {
  const { page } = await table({ game: 'conquest', seats: TWO }, NARROW);
  await myTurn(page);
  for (const name of ['Layers on the board', 'Save or share', 'More']) {
    await page.getByRole('button', { name, exact: true }).click();
    const box = await page.getByRole('group', { name, exact: true }).boundingBox();
    assert.ok(box.x >= 0 && box.x + box.width <= NARROW.viewport.width, `${name}: ${box.x} to ${box.x + box.width}`);
    await page.keyboard.press('Escape');
  }
  await close(page);
});

test('what waits to be confirmed is in sight on a phone', async () => {
  const { page } = await table({ game: 'conquest', seats: TWO, position: DUEL }, { ...PHONE, viewport: { width: 390, height: 560 } });
  const { version } = await myTurn(page);
  await page.locator('[data-square="189"]').tap();
  await myTurn(page, version);
  await page.locator('[data-square="210"]').tap();
  await page.evaluate(() => scrollTo(0, 0));
  const box = await page.getByRole('button', { name: 'Confirm' }).boundingBox();
  assert.ok(box.y + box.height <= 560, `its lower edge is at ${box.y + box.height}`);
  await close(page);
});

/** Plays on for whoever holds the device, until it is to be passed. */
async function playToCover(page) {
  const cover = page.getByRole('heading', { name: /Pass the device/ });
  for (let step = 0; step < 40; step += 1) {
    if (await cover.isVisible()) return;
    const confirm = page.getByRole('button', { name: 'Confirm' });
    const next = (await confirm.isVisible()) ? confirm : page.locator('main.table [data-square][data-target], main.table .button[data-target]').first();
    if (!(await next.isVisible())) await page.keyboard.press('1');
    // By keys, so that the pointer looks at nothing.
    else await next.press('Enter');
    await page.waitForTimeout(150);
  }
  assert.fail('the turn never passed');
}

test('a card that one person looked at is not shown to the other', async () => {
  const { page } = await table({ game: 'lords-of-war', seats: TWO, rules: 'table' });
  await page.getByRole('button', { name: /^I am/ }).press('Enter');
  const info = page.getByRole('region', { name: 'Piece' });
  const held = page.locator('.hand .cards button').first();
  await held.focus();
  await info.locator('strong').waitFor();
  await held.blur();
  await info.getByText('Point at a card').waitFor();
  await held.focus();
  await playToCover(page);
  await page.getByRole('button', { name: /^I am/ }).press('Enter');
  await info.getByText('Point at a card').waitFor();
  await close(page);
});

test('keys do nothing behind the cover', async () => {
  const { page } = await table({ game: 'lords-of-war', seats: TWO, rules: 'table' });
  await page.getByRole('heading', { name: /Pass the device/ }).waitFor();
  await page.keyboard.press('?');
  await page.waitForTimeout(100);
  assert.equal(await page.getByRole('dialog').count(), 0);
  await close(page);
});

test('Escape on the board goes one step back only', async () => {
  const { page } = await table({ game: 'lords-of-war', seats: TWO, seed: 3 });
  await myTurn(page);
  await page.keyboard.press('2');
  const held = page.locator('.hand [aria-pressed=true]');
  await held.waitFor();
  await page.keyboard.press('n');
  await page.keyboard.press('Enter');
  await page.getByTestId('confirm').waitFor();
  await page.keyboard.press('Escape');
  await page.getByTestId('confirm').waitFor({ state: 'detached' });
  assert.equal(await held.count(), 1, 'the card is still held');
  await page.keyboard.press('Escape');
  await held.waitFor({ state: 'detached' });
  await close(page);
});

test('a dialog gives the focus back, and keys do not act behind it', async () => {
  const { page } = await table({ game: 'othello', seats: TWO });
  await myTurn(page);
  const more = page.getByRole('button', { name: 'More' });
  await more.click();
  await page.getByRole('button', { name: 'Resign' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  const turned = () => page.locator('[data-square]').first().getAttribute('data-square');
  const first = await turned();
  await page.keyboard.press('f');
  await page.keyboard.press('?');
  assert.equal(await turned(), first);
  assert.equal(await dialog.count(), 1);
  await dialog.getByRole('button', { name: 'Play on' }).click();
  await dialog.waitFor({ state: 'detached' });
  assert.ok(await more.evaluate((button) => button === document.activeElement));
  await close(page);
});

test('a game deleted elsewhere is said to be gone', async () => {
  const { id, page } = await table({ game: 'othello', seats: [PERSON, RANDOM] });
  await myTurn(page);
  await fetch(`${server.url}/api/games/${id}`, { method: 'DELETE' });
  await page.getByRole('heading', { name: 'This game cannot be shown' }).waitFor();
  assert.match(await page.getByRole('alert').innerText(), new RegExp(id));
  await close(page);
});

test('a zoomed board stays in its frame when the screen gets another size', async () => {
  const { page } = await table({ game: 'conquest', seats: TWO }, { ...MOVING, viewport: { width: 844, height: 390 } });
  await myTurn(page);
  await page.locator('[data-square="19"]').scrollIntoViewIfNeeded();
  const frame = page.locator('.frame');
  const box = await frame.boundingBox();
  await page.mouse.move(box.x + box.width - 5, Math.min(box.y + box.height - 5, 380));
  // A step of the wheel stretches the picture; it is laid out anew when the wheel rests.
  const step = await page.evaluate(async () => {
    const [outer, inside] = [document.querySelector('.frame'), document.querySelector('.frame .inside')];
    const before = inside.offsetWidth;
    outer.dispatchEvent(new WheelEvent('wheel', { deltaY: -100, cancelable: true }));
    await Promise.resolve();
    const during = inside.offsetWidth;
    await new Promise((resolve) => setTimeout(resolve, 600));
    return { before, during, after: inside.offsetWidth };
  });
  assert.ok(step.during === step.before && step.after > step.before, JSON.stringify(step));
  for (let turns = 0; turns < 6; turns += 1) await page.mouse.wheel(0, -200);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.waitForTimeout(200);
  const [outer, inner] = [await frame.boundingBox(), await page.locator('.frame .inside').boundingBox()];
  assert.ok(inner.width > outer.width * 2, 'it is zoomed');
  assert.ok(inner.x <= outer.x + 1 && inner.x + inner.width >= outer.x + outer.width - 1, JSON.stringify({ outer, inner }));
  assert.ok(inner.y <= outer.y + 1 && inner.y + inner.height >= outer.y + outer.height - 1, JSON.stringify({ outer, inner }));
  await close(page);
});

test('the wheel scrolls the page when the whole board is in sight', async () => {
  const { page } = await table({ game: 'conquest', seats: TWO }, { viewport: { width: 800, height: 500 } });
  await myTurn(page);
  const box = await page.locator('.frame').boundingBox();
  await page.mouse.move(box.x + 60, box.y + 60);
  await page.mouse.wheel(0, 120);
  await page.waitForFunction(() => scrollY > 50);
  await close(page);
});
