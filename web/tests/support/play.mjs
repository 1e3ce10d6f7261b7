// Plays by what the page offers, as a person would: only elements that say they can be chosen.
import assert from 'node:assert/strict';

const PATIENCE_MS = 10_000;
/** No action takes more presses. */
const LONGEST_PATH = 6;

/** A person's turn, or the end; returns which. */
export async function myTurn(page, after = -1) {
  const found = await page.waitForFunction((seen) => {
    const table = document.querySelector('main.table');
    if (!table || Number(table.dataset.version) <= seen) return null;
    if (table.dataset.turn === 'agent') return null;
    return { turn: table.dataset.turn, version: Number(table.dataset.version) };
  }, after);
  return found.jsonValue();
}

/**
 * Waits until a person can choose and it does not look as in `passed`, or the game is over; returns
 * what is to be chosen next, best first: strikes, then the rest as it stands, `end` buttons last. It
 * looks when the page changes and not with every frame, because such a look asks for the next frame.
 */
function offer(page, passed, number) {
  return page.evaluate(({ passed, number, patience }) => new Promise((resolve) => {
    const rank = (element) => {
      if (element.dataset.look === 'strike') return 0;
      if (element.dataset.look === 'switch') return 9;
      const target = element.dataset.target;
      if (target.startsWith('s:')) return 1;
      if (target.startsWith('c:')) return 2;
      return target.startsWith('b:') ? 3 : 4;
    };
    const look = () => {
      const { turn, version } = document.querySelector('main.table')?.dataset ?? {};
      const offered = [...document.querySelectorAll('main.table [data-target]:not(:disabled)')];
      const waiting = document.querySelector('[data-testid=confirm]') !== null;
      const held = document.querySelectorAll('main.table .hand [aria-pressed=true]').length;
      const seen = [turn, version, waiting, held, ...offered.map((one) => one.dataset.target)].join(' ');
      const best = Math.min(...offered.map(rank));
      const pool = offered.filter((element) => rank(element) === best);
      // Not always the first, so that the game goes somewhere; the same in every run.
      const target = pool.length === 0 ? null : pool[(number * 7 + 3) % pool.length].dataset.target;
      return { turn, seen, waiting, target };
    };
    const answer = (late) => {
      const found = look();
      const ready = found.turn === 'over' || (found.turn === 'person' && (found.waiting || found.target) && !passed.includes(found.seen));
      if (!ready && !late) return;
      observer.disconnect();
      clearTimeout(timer);
      resolve({ ...found, ready });
    };
    const observer = new MutationObserver(() => answer(false));
    observer.observe(document, { subtree: true, childList: true, attributes: true });
    const timer = setTimeout(answer, patience, true);
    answer(false);
  }), { passed, number, patience: PATIENCE_MS });
}

/**
 * Plays to the end. `press` is how an element is chosen: a click, a tap. Returns how often the person
 * pressed something.
 */
export async function playToEnd(page, press, most = 1500) {
  // How the table looked before each press: as long as it looks like that, the press has not arrived.
  const passed = [];
  for (let presses = 0; presses < most; presses += 1) {
    const next = await offer(page, passed.slice(-LONGEST_PATH), presses);
    if (next.turn === 'over') return presses;
    assert.ok(next.ready, `nothing new can be chosen: ${next.seen}`);
    passed.push(next.seen);
    const confirm = page.getByRole('button', { name: 'Confirm' });
    await press(next.waiting ? confirm : page.locator(`main.table [data-target="${next.target}"]`).first());
  }
  throw new Error(`the game did not end within ${most} presses`);
}

export const click = (element) => element.click();
export const tap = (element) => element.tap();
