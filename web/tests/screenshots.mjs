// Every page, light and dark, at a desk and on a phone: `node tests/screenshots.mjs FOLDER`.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DESKTOP, PHONE, launch, open } from './support/browser.mjs';
import { addresses } from './support/pages.mjs';
import { click, myTurn, tap } from './support/play.mjs';
import { Server } from './support/server.mjs';

const folder = process.argv[2] ?? 'screenshots';
const only = process.argv[3] ?? '';
const LORDS_TURNS = 5;

await mkdir(folder, { recursive: true });
const [server, browser] = await Promise.all([Server.start(), launch()]);
try {
  const pages = await addresses(server);
  for (const [device, options, press] of [['desktop', DESKTOP, click], ['phone', PHONE, tap]]) {
    for (const colorScheme of ['light', 'dark']) {
      const page = await open(browser, server, options, { colorScheme, reducedMotion: 'reduce' });
      for (const [name, address] of Object.entries(pages)) {
        const file = `${name}-${device}-${colorScheme}.png`;
        if (!file.includes(only)) continue;
        await page.goto(address, { waitUntil: 'networkidle' });
        await page.locator('h1').first().waitFor({ state: 'attached' });
        if (name === 'play-lords-of-war') await playSome(page, press);
        await page.screenshot({ path: join(folder, file), fullPage: device === 'phone' || !name.startsWith('play') });
      }
      await page.context().close();
    }
  }
} finally {
  await browser.close();
  await server.stop();
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
