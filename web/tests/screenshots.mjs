// Every page, light and dark, at a desk and on a phone: `node tests/screenshots.mjs FOLDER`.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DESKTOP, PHONE, launch, open } from './support/browser.mjs';
import { addresses } from './support/pages.mjs';
import { choose, explain, unfold, wholeRun } from './support/insight.mjs';
import { click, myTurn, tap } from './support/play.mjs';
import { Server } from './support/server.mjs';

const folder = process.argv[2] ?? 'screenshots';
const only = process.argv[3] ?? '';
const LORDS_TURNS = 5;
const SEARCH = 'uct:iterations=2000';
const PREPARED = {
  'later-explain': async (page) => {
    await explain(page);
    const panel = page.getByTestId('explanations');
    await unfold(page, 'Ask an agent');
    await choose(panel, 'Agent', SEARCH);
    await panel.getByRole('button', { name: 'Ask', exact: true }).click();
    await page.getByTestId('summary').waitFor();
  },
  'later-tree': async (page) => {
    await choose(page.locator('main'), 'Search: agent', SEARCH);
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await page.getByRole('treegrid').locator('[data-level="2"]').first().click();
    await page.getByRole('treegrid').locator('[data-level="3"]').first().waitFor();
  },
  'later-analysis': async (page) => {
    await choose(page.locator('main'), 'Agent', 'uct:iterations=300');
    await page.getByRole('button', { name: /^Analyse/ }).click();
    await page.getByTestId('done').waitFor({ timeout: 60_000 });
    await page.locator('li [data-ply="4"]').click();
  },
  'later-new-run': async (page) => {
    await page.getByLabel('Example').selectOption('smoke');
    await page.getByTestId('plan').waitFor();
  },
};

await mkdir(folder, { recursive: true });
const [server, browser] = await Promise.all([Server.start(), launch()]);
try {
  const pages = { ...(await addresses(server)), ...(await laterAddresses()) };
  for (const [device, options, press] of [['desktop', DESKTOP, click], ['phone', PHONE, tap]]) {
    for (const colorScheme of ['light', 'dark']) {
      const page = await open(browser, server, options, { colorScheme, reducedMotion: 'reduce' });
      for (const [name, address] of Object.entries(pages)) {
        const file = `${name}-${device}-${colorScheme}.png`;
        if (!file.includes(only)) continue;
        await page.goto(address, { waitUntil: 'networkidle' });
        await page.locator('h1').first().waitFor({ state: 'attached' });
        if (name === 'play-lords-of-war') await playSome(page, press);
        if (PREPARED[name]) await PREPARED[name](page);
        await page.screenshot({ path: join(folder, file), fullPage: device === 'phone' || !name.startsWith('play') });
      }
      await page.context().close();
    }
  }
} finally {
  await browser.close();
  await server.stop();
}

/** Pages about agents and experiments, with something in them. */
async function laterAddresses() {
  const moves = 'f5d6c3d3c4f4e6';
  const { record } = await server.post('/import', { game: 'othello', text: moves, rules: '' });
  const seats = [{ kind: 'human', name: 'Ada' }, { kind: 'human', name: 'Ben' }];
  const { id } = await server.post('/games', { game: 'othello', seats, record });
  const text = 'about = "Does a tree beat chance?"\ngame = "othello"\nkind = "round-robin"\nagents = ["random", "uct:iterations=20", "greedy"]\ngames = 20\n';
  const run = await wholeRun(server, 'tree-or-chance', text);
  const other = await wholeRun(server, 'more-work', text.replace('=20"', '=60"'));
  return {
    'later-explain': `/game/${id}`, 'later-tree': `/game/${id}/tree?ply=5`, 'later-analysis': `/game/${id}/analysis`,
    'later-runs': '/runs', 'later-new-run': '/runs/new', 'later-run': `/runs/${run.id}`,
    'later-compare': `/runs/compare?a=${run.id}&b=${other.id}`, 'later-guide': '/guide',
  };
}

/** A few cards on the board, and one in hand. */
async function playSome(page, press) {
  for (let turn = 0; turn < LORDS_TURNS; turn += 1) {
    const { turn: whose, version } = await myTurn(page);
    if (whose === 'over') return;
    for (let step = 0; step < 3; step += 1) {
      const confirm = page.getByRole('button', { name: 'Confirm' });
      if (await confirm.isVisible()) await press(confirm);
      else await press(page.locator('main.table [data-square][data-target], main.table [data-target]').first());
      await page.waitForTimeout(60);
      const now = await page.locator('main.table').getAttribute('data-version');
      if (Number(now) > version) break;
    }
  }
  await myTurn(page);
  const card = page.locator('main.table [data-target^="c:"]').first();
  if (await card.isVisible()) await press(card);
}
