// Experiments: written, started, watched, stopped, gone on with, compared; and the guide.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { DESKTOP, NARROW, PHONE, close, launch, open } from '../support/browser.mjs';
import { sound, wholeRun } from '../support/insight.mjs';
import { Server } from '../support/server.mjs';

let server;
let browser;

before(async () => {
  [server, browser] = await Promise.all([Server.start(), launch()]);
});

after(async () => {
  await browser?.close();
  await server?.stop();
});

const SMALL = `about = "Does a tree beat chance?"
game = "othello"
kind = "round-robin"
agents = ["random", "uct:iterations=5", "greedy"]
games = 4
`;
/** Long enough to be stopped. */
const LONG = `about = "Many games"
game = "othello"
kind = "round-robin"
agents = ["uct:iterations=400", "uct:iterations=300"]
games = 2000
`;

test('without runs the page says what to do', async () => {
  const page = await open(browser, server, PHONE);
  await page.goto('/');
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Lab' }).tap();
  await page.getByRole('heading', { name: 'No experiment has been run here yet.' }).waitFor();
  await page.getByRole('link', { name: 'Choose an experiment' }).tap();
  await page.waitForURL('**/runs/new');
  await close(page);
});

/** Workers as a server with a cluster tells them: one plays, one is gone, one run was left behind. */
const WORKERS = {
  server: 'nats://cluster.example',
  problem: null,
  status: {
    workers: ['anna', 'bert'].map((host, index) => ({
      name: `${host}-1`,
      worker: {
        protocol: 1, host, process: 1, program: '0.2.0', cpu: 'a processor', threads: 4, heartbeat: 10_000, rate: 12.3,
        runs: index === 0 ? { ladder: { games: 1234 } } : { ladder: { games: 0, refused: 'another program' } },
      },
      timing: { silent: index === 0 ? 3 : 300, gone: index === 1 },
    })),
    runs: [{
      protocol: 1, run: 'left', host: 'carl', process: 2, nonce: '', beat: 1, heartbeat: 10_000, description: '', stored: 1,
      planned: 2, jobs: 1, reports: 0, bytes: 9, refused: {}, timing: { silent: 900, gone: true },
    }],
  },
};

test('who plays elsewhere is shown where somebody does', async () => {
  const page = await open(browser, server, PHONE);
  await page.goto('/runs');
  await page.getByRole('heading', { name: 'Lab' }).waitFor();
  const panel = page.getByRole('region', { name: 'Workers', exact: true });
  assert.equal(await panel.count(), 0, 'this server plays by itself');
  await page.route('**/api/workers', (route) => route.fulfill({ json: WORKERS }));
  await page.reload();
  await panel.getByText('1 worker, 4 games at a time').waitFor();
  assert.match(await panel.locator('tbody tr').first().innerText(), /anna-1\s+4\s+1,234\s+12\.3\s+3 s ago/);
  assert.match(await panel.locator('tbody tr').last().innerText(), /gone\?/);
  await panel.getByText('bert-1 does not play ladder: another program').waitFor();
  await panel.getByText('warroom workers nats://cluster.example --forget left').waitFor();
  await sound(page, 'the lab with workers', true);
  await page.route('**/api/workers', (route) => route.fulfill({ json: { ...WORKERS, problem: 'it is away' } }));
  await panel.getByText('it is away').waitFor();
  await close(page);
});

test('an experiment is checked while it is written', async () => {
  const page = await open(browser, server, DESKTOP);
  await page.goto('/runs/new');
  await page.getByLabel('Example').selectOption('smoke');
  const plan = page.getByTestId('plan');
  await plan.getByText('120').waitFor();
  assert.match(await plan.innerText(), /two plies, tree, random/);
  assert.equal(await page.getByLabel('Name').inputValue(), 'smoke');
  const text = page.getByLabel('Experiment', { exact: true });
  await text.fill(SMALL.replace('games = 4', 'gmaes = 4'));
  const problem = page.getByTestId('problem');
  await problem.waitFor();
  assert.match(await problem.innerText(), /gmaes/);
  assert.match(await problem.innerText(), /^Line 5\./);
  assert.equal(await page.locator('.gutter .marked').innerText(), '5');
  assert.ok(await page.getByRole('button', { name: 'Start' }).isDisabled());
  await text.fill(SMALL);
  await plan.waitFor();
  await page.getByLabel(/^How much of it/).selectOption({ label: '50 % of the games' });
  await page.waitForFunction(() => document.querySelector('[data-testid=plan]')?.innerText.includes('6'));
  await close(page);
});

test('a run is started, watched to its end, and looked at', async () => {
  const page = await open(browser, server, DESKTOP);
  await page.goto('/runs/new');
  await page.getByLabel('Experiment', { exact: true }).fill(SMALL);
  await page.getByLabel('Name').fill('tree-or-chance');
  await page.getByRole('button', { name: 'Start' }).click();
  await page.waitForURL(/\/runs\/(?!new)/);
  await page.locator('[data-state=finished]').waitFor({ timeout: 30_000 });
  await page.getByText('12 of 12 games').first().waitFor();
  const standings = page.getByRole('region', { name: 'Standings', exact: true });
  assert.equal(await standings.locator('tbody tr').count(), 3);
  await page.getByTestId('counted').getByText('after 12 games').waitFor();
  const shows = page.getByRole('region', { name: 'What it shows', exact: true });
  assert.match(await shows.locator('li').first().innerText(), /is rated highest/);
  assert.equal(await shows.locator('details[open] tbody tr').count(), 7, 'the game itself');
  assert.equal(await page.locator('pre').count(), 0, 'nothing is as a terminal prints it');
  const games = page.getByRole('region', { name: 'Games', exact: true });
  await games.locator('li').nth(11).waitFor();
  await page.getByRole('region', { name: 'Pairings', exact: true }).getByRole('button', { name: /^Games of/ }).first().click();
  await page.waitForFunction(() => document.querySelectorAll('section[aria-label="Games"] li').length === 4);
  await games.locator('li button').first().click();
  await page.waitForURL(/\/game\//);
  await page.locator('main.table[data-turn=over]').waitFor();
  assert.ok((await page.locator('ol[aria-label="Actions so far"] button').count()) > 40);
  await close(page);
});

test('the report opens in a tab of its own and on the page', async () => {
  const { id } = await wholeRun(server, 'reported', SMALL);
  const page = await open(browser, server, DESKTOP);
  await page.goto(`/runs/${id}`);
  const opened = page.context().waitForEvent('page');
  await page.getByRole('link', { name: 'Report', exact: true }).click();
  const report = await opened;
  await report.waitForLoadState();
  assert.match(await report.locator('body').innerText(), /reported/);
  await report.close();
  await page.getByText('The report on this page').click();
  const inside = page.frameLocator('iframe[title^="Report of"]');
  await inside.locator('body').getByText(/reported/).first().waitFor();
  await close(page);
});

test('a run is stopped, and goes on where it was', async () => {
  const { id } = await server.post('/runs', { name: 'many', text: LONG });
  const page = await open(browser, server, DESKTOP);
  await page.goto(`/runs/${id}`);
  await page.getByTestId('speed').waitFor();
  await page.waitForFunction(() => /^[1-9]/.test(document.querySelector('.progress .numbers')?.textContent ?? ''), null, { timeout: 30_000 });
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.locator('[data-state=interrupted]').waitFor();
  const { card } = await (await fetch(`${server.url}/api/runs/${id}`)).json();
  assert.ok(card.played > 0 && card.played < card.planned);
  // Somebody else goes on with it: the page notices.
  await server.post(`/runs/${id}/resume`, {});
  await page.locator('[data-state=running]').waitFor();
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.locator('[data-state=interrupted]').waitFor();
  await page.getByRole('button', { name: 'Resume' }).click();
  await page.locator('[data-state=running]').waitFor();
  const number = () => page.evaluate(() => Number(document.querySelector('.progress .numbers').textContent.split(' ')[0].replaceAll(',', '')));
  await page.waitForFunction((before) => Number(document.querySelector('.progress .numbers').textContent.split(' ')[0].replaceAll(',', '')) > before, card.played, { timeout: 30_000 });
  assert.ok((await number()) > card.played, 'the games that were there stay');
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.locator('[data-state=interrupted]').waitFor();

  await page.goto('/runs');
  await page.getByLabel('Search').fill('many interrupted');
  await page.waitForFunction(() => document.querySelectorAll('main li').length === 1);
  await page.getByLabel('Search').fill('no such thing');
  await page.getByText('No run fits.').waitFor();
  await close(page);
});

test('a server that goes away and comes back is waited for, and the run is resumed', async () => {
  const { id } = await server.post('/runs', { name: 'away', text: LONG.replace('Many games', 'Away') });
  const page = await open(browser, server, DESKTOP);
  await page.goto(`/runs/${id}`);
  await page.getByTestId('speed').waitFor();
  await server.kill('SIGKILL');
  await page.getByText('The server does not answer; asking again…').waitFor();
  await server.run();
  await page.locator('[data-state=interrupted]').waitFor({ timeout: 20_000 });
  await page.getByRole('button', { name: 'Resume' }).click();
  await page.locator('[data-state=running]').waitFor();
  await page.getByTestId('speed').waitFor();
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.locator('[data-state=interrupted]').waitFor();
  await close(page);
});

test('a run is shown as soon as the server answers, also if it did not at first', async () => {
  const { id } = await wholeRun(server, 'late', SMALL.replace('games = 4', 'games = 2'));
  const page = await open(browser, server, DESKTOP);
  let refused = 0;
  await page.route(`**/api/runs/${id}`, (route) => {
    refused += 1;
    if (refused === 1) return route.abort('connectionrefused');
    return refused === 2 ? route.fulfill({ status: 502, body: 'no' }) : route.continue();
  });
  await page.goto(`/runs/${id}`);
  await page.getByText('The server does not answer; asking again…').waitFor();
  await page.getByRole('heading', { name: 'late' }).waitFor();
  assert.equal(refused, 3);
  await page.getByText('The server does not answer').waitFor({ state: 'detached' });
  await close(page);
});

test('the same experiment is gone on with unless a new run is wanted', async () => {
  const { id } = await wholeRun(server, 'again', SMALL.replace('games = 4', 'games = 6'));
  const page = await open(browser, server, DESKTOP);
  await page.goto('/runs/new');
  await page.getByLabel('Experiment', { exact: true }).fill(SMALL.replace('games = 4', 'games = 6'));
  await page.getByLabel('Name').fill('again');
  await page.getByText(`Continues run ${id}`).waitFor();
  await page.getByLabel('Start a new run anyway').check();
  await page.getByRole('button', { name: 'Start' }).click();
  await page.waitForURL(/\/runs\/(?!new)/);
  assert.ok(!page.url().endsWith(id));
  await page.locator('[data-state=finished]').waitFor({ timeout: 30_000 });
  await close(page);
});

test('two runs are compared', async () => {
  const one = await wholeRun(server, 'before', SMALL);
  const other = await wholeRun(server, 'after', SMALL.replace('iterations=5', 'iterations=6'));
  const page = await open(browser, server, DESKTOP);
  await page.goto(`/runs/compare?a=${one.id}`);
  await page.getByRole('combobox', { name: 'After', exact: true }).selectOption(other.id);
  const table = page.getByRole('region', { name: 'Pairings', exact: true });
  await table.locator('tbody tr').first().waitFor();
  assert.match(await page.getByRole('region', { name: 'Experiments' }).innerText(), /iterations=/);
  assert.match(page.url(), new RegExp(`b=${other.id}`));
  await page.getByRole('combobox', { name: 'After', exact: true }).selectOption(one.id);
  await page.getByText('That is the same run twice').waitFor();
  await close(page);
});

test('a run that is not there says so', async () => {
  const page = await open(browser, server, DESKTOP);
  await page.goto('/runs/nothing-here');
  assert.match(await page.getByRole('alert').innerText(), /nothing-here/);
  await close(page);
});

test('the guide leads from chapter to chapter', async () => {
  const page = await open(browser, server, DESKTOP);
  await page.goto('/');
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Guide' }).click();
  const { chapters } = await (await fetch(`${server.url}/api/guide`)).json();
  await page.getByRole('heading', { level: 1, name: chapters[0].title }).waitFor();
  const contents = page.getByRole('navigation', { name: 'Chapters' }).getByRole('link');
  assert.equal(await contents.count(), chapters.length);
  let crossed = 0;
  for (const chapter of chapters) {
    await page.goto(`/guide/${chapter.name}`);
    await page.getByRole('heading', { level: 1, name: chapter.title }).waitFor();
    const inner = await page.locator('article a').evaluateAll((all) => all.map((one) => one.getAttribute('href')));
    for (const address of inner.filter((one) => one.startsWith('/guide/'))) {
      crossed += 1;
      assert.ok(chapters.some(({ name }) => address.split(/[/#]/)[2] === name), `${chapter.name} leads to ${address}`);
    }
  }
  assert.ok(crossed > 0, 'chapters lead to each other');
  await page.goto('/guide/no-such-chapter');
  await page.getByRole('heading', { name: 'There is no such chapter' }).waitFor();
  await close(page);
});

for (const [where, device, colorScheme] of [['at a desk', DESKTOP, 'light'], ['on a small phone', NARROW, 'dark']]) {
  test(`the lab and the guide are sound, ${colorScheme} ${where}`, async () => {
    const page = await open(browser, server, device, { colorScheme, reducedMotion: 'reduce' });
    const phone = device === NARROW;
    const one = await wholeRun(server, 'sound-one', SMALL);
    const other = await wholeRun(server, 'sound-two', SMALL.replace('games = 4', 'games = 8'));
    const { chapters } = await (await fetch(`${server.url}/api/guide`)).json();
    const pages = {
      runs: ['/runs', 'main li'], 'a new run': ['/runs/new', 'textarea'], run: [`/runs/${other.id}`, 'section[aria-label=Games] li'],
      compare: [`/runs/compare?a=${one.id}&b=${other.id}`, 'tbody tr'], 'no run': ['/runs/nothing-here', '[role=alert]'],
    };
    for (const { name } of chapters) pages[`chapter ${name}`] = [`/guide/${name}`, 'article h1'];
    for (const [name, [address, sign]] of Object.entries(pages)) {
      await page.goto(address);
      await page.locator(sign).first().waitFor();
      if (name === 'a new run') {
        await page.getByLabel('Example').selectOption('smoke');
        await page.getByTestId('plan').waitFor();
      }
      await sound(page, name, phone);
    }
    await close(page);
  });
}
