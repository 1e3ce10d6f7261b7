// Runs the tests of the page: two workers, one server, one browser. Words after the command name the
// files to run: `npm run browser -- flow games`.
import { readdir } from 'node:fs/promises';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { chromium } from 'playwright-core';
import { LAUNCHED } from './support/browser.mjs';
import { Server } from './support/server.mjs';

const WORKERS = 2;

const folder = new URL('browser/', import.meta.url);
const wanted = process.argv.slice(2);
const names = (await readdir(folder)).filter((name) => name.endsWith('.test.mjs')).sort();
const chosen = names.filter((name) => wanted.length === 0 || wanted.includes(name.replace('.test.mjs', '')));
if (chosen.length === 0) throw new Error(`no file of ${wanted.join(', ')}; there are ${names.join(', ')}`);

const [server, browser] = await Promise.all([Server.start(), chromium.launchServer(LAUNCHED)]);
process.env.WARROOM_URL = server.url;
process.env.CHROMIUM_URL = browser.wsEndpoint();
const files = chosen.map((name) => new URL(name, folder).pathname);
const results = run({ files, concurrency: WORKERS });
results.on('test:fail', () => (process.exitCode = 1));
results.compose(spec).pipe(process.stdout);
results.once('end', async () => {
  await browser.close();
  await server.stop();
});
