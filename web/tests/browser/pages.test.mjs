// Every page: found good by axe in light and dark, narrow enough for a small phone, small enough to
// load; and what it says to nonsense.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { DESKTOP, NARROW, close, launch, open, openNew, overflow, seriousFindings } from '../support/browser.mjs';
import { addresses } from '../support/pages.mjs';
import { Server } from '../support/server.mjs';

let server;
let browser;
let pages;

before(async () => {
  [server, browser] = await Promise.all([Server.shared(), launch()]);
  pages = await addresses(server);
});

after(async () => {
  await browser?.close();
  await server?.stop();
});

for (const [where, device, colorScheme] of [['at a desk', DESKTOP, 'light'], ['on a small phone', NARROW, 'dark']]) {
  test(`axe finds nothing serious and nothing scrolls sideways, ${colorScheme} ${where}`, async () => {
    const page = await open(browser, server, device, { colorScheme, reducedMotion: 'reduce' });
    const findings = [];
    for (const [name, address] of Object.entries(pages)) {
      await page.goto(address, { waitUntil: 'networkidle' });
      await page.locator('h1').first().waitFor({ state: 'attached' });
      const wider = await overflow(page);
      if (wider > 0) findings.push(`${name}: ${wider} px too wide`);
      findings.push(...(await seriousFindings(page)).map((finding) => `${name}: ${finding}`));
    }
    assert.deepEqual(findings, []);
    await close(page);
  });
}

test('the first load is at most 200 kB compressed', async () => {
  const page = await openNew(browser, server, DESKTOP);
  const bodies = [];
  page.on('response', (answer) => bodies.push(answer.body().catch(() => Buffer.alloc(0))));
  await page.goto('/');
  // A busy machine may be idle on the network before the script has asked for anything.
  await page.locator('article').first().waitFor();
  await page.waitForLoadState('networkidle');
  const sizes = (await Promise.all(bodies)).map((body) => gzipSync(body).length);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  assert.ok(sizes.length > 3, 'page, script, style and catalog were seen');
  assert.ok(total <= 200_000, `${total} bytes`);
  await close(page);
});

test('garbage on the import page is refused with the reason', async () => {
  const page = await open(browser, server, DESKTOP);
  await page.goto('/import');
  await page.getByRole('textbox', { name: 'Text' }).fill('no such (game) 💥');
  await page.getByRole('button', { name: 'Read', exact: true }).click();
  assert.ok((await page.getByRole('alert').innerText()).length > 15);
  await page.getByRole('textbox', { name: 'Text' }).fill('f5d6c3d3c4');
  await page.getByRole('button', { name: 'Read', exact: true }).click();
  await page.getByRole('heading', { name: /transcript of Othello/i }).waitFor();
  await page.getByRole('button', { name: 'Play on from here' }).click();
  await page.getByRole('button', { name: 'Begin' }).click();
  await page.waitForURL(/\/game\//);
  await page.locator('ol[aria-label="Actions so far"] li').nth(4).waitFor();
  await close(page);
});

test('garbage on the setup pages is refused with the reason', async () => {
  const page = await open(browser, server, DESKTOP);
  for (const game of ['othello', 'conquest', 'lords-of-war']) {
    await page.goto(`/setup/${game}`);
    await page.getByLabel('Position', { exact: true }).fill('garbage');
    await page.getByRole('alert').waitFor();
    assert.ok((await page.getByRole('alert').innerText()).length > 15, game);
    assert.ok(await page.getByRole('button', { name: 'Play from here' }).isDisabled());
  }
  await close(page);
});

test('a position of Othello is set up by pressing squares, and played', async () => {
  const page = await open(browser, server, DESKTOP);
  await page.goto('/setup/othello');
  await page.locator('[data-square="0"]').click();
  assert.match(await page.getByLabel('Position', { exact: true }).inputValue(), /^X/);
  await page.getByRole('button', { name: 'Play from here' }).click();
  await page.getByRole('button', { name: 'Begin' }).click();
  await page.waitForURL(/\/game\//);
  await page.locator('.square:has([data-square="0"]) .disc').waitFor();
  await close(page);
});

test('a position of Conquest is set up by pressing squares, and played', async () => {
  const page = await open(browser, server, DESKTOP);
  await page.goto('/setup/conquest');
  await page.getByRole('status').filter({ hasText: /choose a troop/i }).waitFor();
  await page.getByLabel(/^Troop/).selectOption('C');
  await page.locator('[data-square="210"]').click();
  assert.match(await page.getByLabel('Position', { exact: true }).inputValue(), /C10\/10=500/);
  assert.match(await page.getByRole('alert').innerText(), /./, 'an eleventh troop is refused');
  await page.getByLabel('Nothing').check({ force: true });
  await page.locator('[data-square="44"]').click();
  await page.getByRole('button', { name: 'Play from here' }).click();
  await page.getByRole('button', { name: 'Begin' }).click();
  await page.waitForURL(/\/game\//);
  await page.locator('.square:has([data-square="210"]) .piece').waitFor();
  await close(page);
});

test('a position of Lords of War is set up by moving cards, and played', async () => {
  const page = await open(browser, server, DESKTOP);
  await page.goto('/setup/lords-of-war');
  const own = page.getByRole('group', { name: /^Hand of/ }).last();
  await own.locator('svg').first().waitFor();
  await own.getByRole('button').first().click();
  await page.locator('[data-square="16"]').click();
  await page.getByRole('status').filter({ hasText: /deploy a card/i }).waitFor();
  await page.getByRole('button', { name: 'Play from here' }).click();
  await page.getByRole('button', { name: 'Begin' }).click();
  await page.waitForURL(/\/game\//);
  await page.locator('.square:has([data-square="16"]) .piece').waitFor();
  await close(page);
});

test('a loadout is built, checked, saved, played and deleted; garbage is refused', async () => {
  const page = await open(browser, server, DESKTOP);
  await page.goto('/loadouts');
  await page.getByRole('button', { name: /^Champion/ }).click();
  await page.locator('[data-square="3"]').click();
  await page.getByText('200 of 1000 points').waitFor();
  await page.getByRole('button', { name: /^Charge/ }).click();
  await page.getByText('275 of 1000 points').waitFor();
  await page.getByLabel('Name').fill('Lonely');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Lonely', exact: true }).waitFor();
  await page.getByRole('textbox', { name: 'Text' }).fill('17Q+Nothing');
  await page.getByRole('button', { name: 'Read', exact: true }).click();
  assert.match(await page.getByRole('alert').innerText(), /Q|Nothing/);
  await page.getByRole('button', { name: 'Play with it' }).click();
  await page.locator('option:checked', { hasText: 'Lonely' }).waitFor({ state: 'attached' });
  await page.getByRole('button', { name: 'Begin' }).click();
  await page.waitForURL(/\/game\//);
  await page.locator('.player', { hasText: 'Lonely' }).waitFor();
  await page.goto('/loadouts');
  await page.getByRole('button', { name: 'Delete Lonely' }).click();
  await page.getByText('Nothing saved yet.').waitFor();
  await close(page);
});

test('games are found, and deleted only after a question', async () => {
  const page = await open(browser, server, DESKTOP);
  const { id } = await server.post('/games', {
    game: 'othello', seats: [{ kind: 'human', name: 'Wilhelmina' }, { kind: 'human', name: 'Theodora' }],
  });
  await page.goto('/games');
  await page.getByLabel('Search').fill('Wilhelmina');
  await page.locator(`a[href="/game/${id}"]`).first().waitFor();
  await page.waitForFunction(() => document.querySelectorAll('main ul li').length === 1);
  await page.getByRole('button', { name: /^Delete/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('No game fits.').waitFor();
  await close(page);
});

test('an address that is not well encoded says so', async () => {
  const page = await open(browser, server, DESKTOP);
  await page.goto('/game/%E0%A4%A');
  assert.match(await page.getByRole('alert').innerText(), /%E0%A4%A/);
  await close(page);
});

test('the last game of the last page is deleted, and the page before is shown', async () => {
  const page = await open(browser, server, DESKTOP);
  const seats = [{ kind: 'human', name: 'Leopoldine' }, { kind: 'human', name: '' }];
  for (let count = 0; count < 31; count += 1) await server.post('/games', { game: 'tic-tac-toe', seats });
  await page.goto('/games');
  await page.getByLabel('Search').fill('Leopoldine');
  await page.getByText('1–30 of 31').waitFor();
  await page.getByRole('button', { name: 'Older' }).click();
  await page.waitForFunction(() => document.querySelectorAll('main ul li').length === 1);
  await page.getByRole('button', { name: /^Delete/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.waitForFunction(() => document.querySelectorAll('main ul li').length === 30);
  await close(page);
});

test('a game that hides something gives no position to set up, and the reason stays', async () => {
  const person = { kind: 'human', name: 'Secretive' };
  await server.post('/games', { game: 'lords-of-war', seats: [person, person], rules: 'table' });
  const page = await open(browser, server, DESKTOP);
  await page.goto('/setup/lords-of-war');
  await page.getByRole('status').filter({ hasText: /./ }).first().waitFor();
  const option = page.locator('option', { hasText: 'Secretive' }).first();
  await option.waitFor({ state: 'attached' });
  await page.getByLabel('Take it from a game').selectOption(await option.getAttribute('value'));
  await page.getByRole('alert').waitFor();
  await page.waitForTimeout(500);
  assert.match(await page.getByRole('alert').innerText(), /hidden/);
  await close(page);
});

test('a command without troops has its price', async () => {
  const page = await open(browser, server, DESKTOP);
  await page.goto('/loadouts');
  await page.getByRole('button', { name: /^Charge/ }).click();
  await page.getByText('75 of 1000 points').waitFor();
  await close(page);
});

test('the usual army is that of the seat taken', async () => {
  const page = await open(browser, server, DESKTOP);
  await page.goto('/new/lords-of-war');
  const usual = () => page.getByLabel('Your army').locator('option').first().innerText();
  const first = await usual();
  await page.getByRole('group', { name: 'Your seat' }).locator('label').nth(1).click();
  assert.notEqual(await usual(), first);
  await page.getByRole('group', { name: 'Your seat' }).locator('label').nth(2).click();
  assert.equal(await usual(), 'The usual one');
  await close(page);
});

test('an address without a game says so', async () => {
  const page = await open(browser, server, DESKTOP);
  await page.goto('/game/nothing-here');
  assert.match(await page.getByRole('alert').innerText(), /nothing-here/);
  await close(page);
});
