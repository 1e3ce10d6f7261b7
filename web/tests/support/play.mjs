// Plays by what the page offers, as a person would: only elements that say they can be chosen.
import assert from 'node:assert/strict';

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

/** What can be chosen now, best first: strikes, then the rest as they stand; `end` buttons last. */
function pick(page, turn) {
  return page.evaluate((number) => {
    const version = Number(document.querySelector('main.table').dataset.version);
    const offered = [...document.querySelectorAll('main.table [data-target]:not(:disabled)')];
    const rank = (element) => {
      if (element.dataset.look === 'strike') return 0;
      if (element.dataset.look === 'switch') return 9;
      const target = element.dataset.target;
      if (target.startsWith('s:')) return 1;
      if (target.startsWith('c:')) return 2;
      return target.startsWith('b:') ? 3 : 4;
    };
    const best = Math.min(...offered.map(rank));
    const pool = offered.filter((element) => rank(element) === best);
    // Not always the first, so that the game goes somewhere; the same in every run.
    return { version, target: pool.length === 0 ? null : pool[(number * 7 + 3) % pool.length].dataset.target };
  }, turn);
}

/**
 * Plays to the end. `press` is how an element is chosen: a click, a tap. Returns the number of
 * actions of the person.
 */
export async function playToEnd(page, press, most = 400) {
  let seen = -1;
  for (let actions = 0; actions < most; actions += 1) {
    const { turn, version } = await myTurn(page, seen);
    if (turn === 'over') return actions;
    for (let step = 0; step < 4; step += 1) {
      const { version: now, target } = await pick(page, actions + step);
      // The action before was slow to show, and the turn is another's by now.
      if (now > version) break;
      assert.ok(target, 'it is a person’s turn, but nothing can be chosen');
      try {
        await press(page.locator(`main.table [data-target="${target}"]`).first());
        const confirm = page.getByRole('button', { name: 'Confirm' });
        if (await confirm.isVisible()) await press(confirm);
      } catch (failure) {
        // What was chosen may have gone because the action before shows only now.
        if (!(await changed(page, version, 1000))) throw failure;
      }
      if (await changed(page, version, step === 0 ? 80 : 300)) break;
    }
    seen = version;
  }
  throw new Error(`the game did not end within ${most} actions`);
}

async function changed(page, version, within) {
  const moved = (seen) => Number(document.querySelector('main.table')?.dataset.version) > seen;
  return page.waitForFunction(moved, version, { timeout: within }).then(() => true, () => false);
}

export const click = (element) => element.click();
export const tap = (element) => element.tap();
