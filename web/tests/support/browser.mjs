// Real Chromium, as a desktop or as a phone.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { chromium } from 'playwright-core';

export const DESKTOP = { viewport: { width: 1280, height: 800 } };
export const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };
export const NARROW = { ...PHONE, viewport: { width: 360, height: 740 } };

/**
 * Whatever moves costs frames, so pages are opened for people who want less of it; tests that are
 * about movement say so. Without it every change of style takes effect with the next frame only.
 */
export const MOVING = { reducedMotion: 'no-preference' };

const PATIENCE_MS = 10_000;
const LOOKS_EVERY_MS = 30;

/** How the browser is started. */
export const LAUNCHED = {
  executablePath: process.env.CHROMIUM_BIN ?? '/usr/bin/chromium',
  // One site needs no isolation from others, which costs a spare process for every load.
  args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-site-isolation-trials'],
};

/** The browser of all workers, or one of its own for a file that is run alone. */
export async function launch() {
  const running = process.env.CHROMIUM_URL;
  return running ? chromium.connect(running) : chromium.launch(LAUNCHED);
}

/** Pages of tests that are over, by their options. */
const idle = new Map();

/** A page that nothing has been loaded in, with storage and cache of its own. */
export async function openNew(browser, server, device, more = {}) {
  const context = await browser.newContext({ reducedMotion: 'reduce', ...device, ...more, baseURL: server.url });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  // Without this it would look with every frame, and have every frame drawn.
  const wait = page.waitForFunction.bind(page);
  page.waitForFunction = (found, word, options) => wait(found, word, { polling: LOOKS_EVERY_MS, ...options });
  page.faults = [];
  page.on('pageerror', (error) => page.faults.push(error.message));
  return page;
}

/**
 * A page that fails the test when a script of it fails. It may have served another test: a new one
 * costs three times as much as a load in one that is there.
 */
export async function open(browser, server, device, more = {}) {
  const key = JSON.stringify({ ...device, ...more, server: server.url });
  const page = idle.get(key)?.pop() ?? (await openNew(browser, server, device, more));
  page.again = () => idle.set(key, [...(idle.get(key) ?? []), page]);
  page.size = device.viewport;
  return page;
}

/** The page of a test that failed never comes here, so nobody takes it again. */
export async function close(page) {
  if (page.again) await forget(page);
  assert.deepEqual(page.faults, [], 'scripts of the page failed');
  if (page.again) page.again();
  else await page.context().close();
}

/** Leaves nothing of a test in its page. */
async function forget(page) {
  await page.unrouteAll();
  await page.evaluate(() => localStorage.clear());
  await page.goto('about:blank');
  // The pointer would hover over what the next test loads.
  await page.mouse.move(-1, -1);
  const size = page.viewportSize();
  if (size.width !== page.size.width || size.height !== page.size.height) await page.setViewportSize(page.size);
}

const axeSource = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe finds serious or worse, as short texts. */
export async function seriousFindings(page) {
  await page.evaluate(await axeSource);
  const { violations } = await page.evaluate(() => globalThis.axe.run({ resultTypes: ['violations'], selectors: false }));
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.slice(0, 3).map((node) => node.html.slice(0, 160)).join(' | ')}`);
}

export async function overflow(page) {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}
