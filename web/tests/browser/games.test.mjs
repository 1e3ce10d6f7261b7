// Games of each of the three games to their end, by mouse at a desk and by touch on a phone, and one
// by keys alone.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { DESKTOP, MOVING, PHONE, close, launch, open } from '../support/browser.mjs';
import { click, myTurn, playToEnd, tap } from '../support/play.mjs';
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

const SEATS = [PERSON, RANDOM];
const GAMES = [
  { game: 'othello', request: { game: 'othello', seats: SEATS, seed: 3 } },
  {
    game: 'conquest',
    // Two against two, near each other, with a command to use.
    request: {
      game: 'conquest', seats: SEATS, seed: 5,
      position: '0 select 20 - open 150/0 BattleCry,Charge Chastise K9/8=300,A8/6=100 S10/11=100,F12/12=100 -',
    },
  },
  {
    game: 'lords-of-war',
    // The mouse plays from the start to a drawn end, fingers from the middle until an army is beaten.
    request: { game: 'lords-of-war', seats: SEATS, seed: 7 },
    mouse: { rules: 'turn-limit=40' },
    touch: { position: 'orcs:dwarves 45:1 deploy 7/7/6-e/6+3/5+91/7 048ack:088bcq d8kdd2b76l6ibdf1ej:gl1nr37k59dfsao4' },
  },
];

for (const { game, request, mouse, touch } of GAMES) {
  for (const [how, device, press, more] of [['mouse', { ...DESKTOP, ...MOVING }, click, mouse], ['touch', PHONE, tap, touch]]) {
    test(`${game} to the end by ${how}`, async () => {
      const { id } = await server.post('/games', { ...request, ...more });
      const page = await open(browser, server, device);
      await page.goto(`/game/${id}`);
      const actions = await playToEnd(page, press);
      assert.ok(actions > 0);
      const state = await server.game(id);
      assert.ok(state.ending, 'the server says that it is over');
      const said = await page.getByTestId('status').innerText();
      assert.equal(said, state.ending.words);
      assert.match(said, /^(You won|You lost|A draw)/);
      // Once: the panel of the status holds nothing else but buttons.
      assert.equal((await page.getByRole('region', { name: 'Status' }).locator('p, span').allInnerTexts()).join(''), said);
      await close(page);
    });
  }
}

for (const [how, device, press] of [['mouse', DESKTOP, click], ['touch', PHONE, tap]]) {
  test(`conquest from its start to its end by ${how}`, async () => {
    const { id } = await server.post('/games', {
      game: 'conquest', seats: SEATS, seed: 5, rules: 'turn-limit=20', setups: ['2C,1A+Charge', '1S,1M'],
    });
    const page = await open(browser, server, device);
    await page.goto(`/game/${id}`);
    await playToEnd(page, press);
    const state = await server.game(id);
    assert.ok(state.ending, 'the server says that it is over');
    assert.ok(state.history.length > 20, `${state.history.length} actions`);
    await close(page);
  });
}

test('the board of Conquest is zoomed by the wheel and moved by a drag', async () => {
  const { id } = await server.post('/games', { game: 'conquest', seats: [PERSON, PERSON], seed: 5 });
  const page = await open(browser, server, { ...DESKTOP, ...MOVING });
  await page.goto(`/game/${id}`);
  const { version } = await myTurn(page);
  const [frame, inside] = [page.locator('.frame'), page.locator('.frame .inside')];
  const box = await frame.boundingBox();
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  for (let turns = 0; turns < 4; turns += 1) await page.mouse.wheel(0, -150);
  await page.waitForFunction((width) => document.querySelector('.frame .inside').getBoundingClientRect().width > width * 1.8, box.width);
  const before = await inside.boundingBox();
  await page.mouse.down();
  for (let step = 1; step <= 8; step += 1) await page.mouse.move(x - 15 * step, y - 10 * step);
  await page.mouse.up();
  const after = await inside.boundingBox();
  assert.ok(Math.abs(after.x - before.x + 120) < 12 && Math.abs(after.y - before.y + 80) < 12, JSON.stringify({ before, after }));
  assert.equal(await page.locator('main.table').getAttribute('data-version'), String(version), 'the drag chose nothing');
  for (let turns = 0; turns < 12; turns += 1) await page.mouse.wheel(0, 200);
  await page.waitForFunction((width) => Math.abs(document.querySelector('.frame .inside').getBoundingClientRect().width - width) < 2, box.width);
  await close(page);
});

test('the board of Conquest is zoomed by two fingers, moved by one, and still played', async () => {
  const { id } = await server.post('/games', { game: 'conquest', seats: [PERSON, PERSON], seed: 5 });
  const page = await open(browser, server, { ...PHONE, ...MOVING });
  await page.goto(`/game/${id}`);
  const { version } = await myTurn(page);
  const cdp = await page.context().newCDPSession(page);
  const touch = (type, ...points) => cdp.send('Input.dispatchTouchEvent', {
    type, touchPoints: points.map(([x, y], id) => ({ x, y, id })),
  });
  const inside = page.locator('.frame .inside');
  const box = await page.locator('.frame').boundingBox();
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await touch('touchStart', [x - 30, y], [x + 30, y]);
  for (let step = 1; step <= 6; step += 1) await touch('touchMove', [x - 30 - 8 * step, y], [x + 30 + 8 * step, y]);
  await touch('touchEnd');
  const zoomed = await inside.boundingBox();
  assert.ok(zoomed.width > box.width * 1.8, `${zoomed.width} of ${box.width}`);
  await touch('touchStart', [x, y]);
  for (let step = 1; step <= 6; step += 1) await touch('touchMove', [x + 10 * step, y + 12 * step]);
  await touch('touchEnd');
  const moved = await inside.boundingBox();
  assert.ok(moved.x - zoomed.x > 30 && moved.y - zoomed.y > 30, JSON.stringify({ zoomed, moved }));
  assert.equal(await page.locator('main.table').getAttribute('data-version'), String(version), 'nothing was chosen');
  // Right after a drag a touch only ends the movement.
  await page.waitForTimeout(600);
  await page.getByRole('button', { name: 'Whole board' }).tap();
  await page.locator('main.table [data-square][data-target]').first().tap();
  await myTurn(page, version);
  await close(page);
});

test('a game without a board of its own is played by buttons', async () => {
  const { id } = await server.post('/games', { game: 'tic-tac-toe', seats: SEATS, seed: 1 });
  const page = await open(browser, server, PHONE);
  await page.goto(`/game/${id}`);
  await playToEnd(page, tap);
  assert.ok((await server.game(id)).ending);
  await close(page);
});

async function tabTo(page, selector) {
  for (let tabs = 0; tabs < 40; tabs += 1) {
    if (await page.evaluate((wanted) => document.activeElement?.matches(wanted), selector)) return;
    await page.keyboard.press('Tab');
  }
  assert.fail(`Tab does not reach ${selector}`);
}

test('othello to the end by keys alone', async () => {
  const { id } = await server.post('/games', { game: 'othello', seats: SEATS, seed: 11 });
  const page = await open(browser, server, DESKTOP);
  await page.goto(`/game/${id}`);
  let seen = -1;
  for (;;) {
    const { turn, version } = await myTurn(page, seen);
    if (turn === 'over') break;
    seen = version;
    // Tab reaches the board or the button to pass; N walks to a square that can be chosen.
    const pass = (await page.locator('main.table .button[data-target]').count()) > 0;
    await tabTo(page, pass ? '.button[data-target]' : '[data-square]');
    if (!pass) await page.keyboard.press('n');
    await page.keyboard.press('Enter');
  }
  assert.ok((await server.game(id)).ending);
  await close(page);
});

test('a card is chosen and put down by keys', async () => {
  const { id } = await server.post('/games', { game: 'lords-of-war', seats: [PERSON, PERSON], seed: 3 });
  const page = await open(browser, server, DESKTOP);
  await page.goto(`/game/${id}`);
  const { version } = await myTurn(page);
  await page.keyboard.press('2');
  await page.locator('.hand [aria-pressed=true]').waitFor();
  await page.keyboard.press('n');
  await page.keyboard.press('Enter');
  if (await page.getByTestId('confirm').isVisible()) await page.keyboard.press('Enter');
  await myTurn(page, version);
  assert.equal((await server.game(id)).history.length > 0, true);
  await close(page);
});

test('arrow keys walk over the board, and every square has a name', async () => {
  const { id } = await server.post('/games', { game: 'othello', seats: SEATS, seed: 11 });
  const page = await open(browser, server, DESKTOP);
  await page.goto(`/game/${id}`);
  await page.locator('[data-square="0"]').focus();
  for (const key of ['ArrowRight', 'ArrowDown', 'ArrowDown']) await page.keyboard.press(key);
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('data-square'));
  assert.equal(await focused(), '17');
  await page.keyboard.press('End');
  assert.equal(await focused(), '23');
  const labels = await page.locator('[data-square]').evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')));
  assert.equal(labels.length, 64);
  assert.match(labels[0], /^a1, empty/);
  assert.match(labels[27], /^d4, .*white/i);
  await close(page);
});
