import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ago, clock, short } from '../../src/lib/format.ts';
import { drawn, moved } from '../../src/lib/layout.ts';
import { blocks, spans } from '../../src/lib/markdown.ts';
import { agentSpec, rulesText, rulesValues, specValues } from '../../src/lib/spec.ts';
import { layoutOf, layoutText, loadoutWords } from '../../src/games/conquest/loadout.ts';
import * as conquest from '../../src/games/conquest/position.ts';
import * as lords from '../../src/games/lords-of-war/position.ts';
import { START, parse, write } from '../../src/games/othello/position.ts';

test('clocks show tenths at the end only', () => {
  assert.deepEqual([clock(305_000), clock(9_940), clock(0), clock(3_723_000), clock(-5)], ['5:05', '9.9', '0.0', '1:02:03', '0.0']);
});

test('times and counts for people', () => {
  const now = Date.parse('2026-01-02T12:00:00Z');
  assert.equal(ago('2026-01-02T11:59:30Z', now), 'just now');
  assert.equal(ago('2026-01-02T10:00:00Z', now), '2 hours ago');
  assert.equal(ago('nonsense', now), 'nonsense');
  assert.deepEqual([short(12), short(2000), short(45_000), short(3_200_000)], ['12', '2,000', '45 k', '3.2 M']);
});

test('boards are drawn from above, from below, and turned', () => {
  const geometry = { columns: 2, rows: 2, names: [], row_zero_below: false, turned_for_seat_one: true };
  assert.deepEqual(drawn(geometry, false), [[0, 1], [2, 3]]);
  assert.deepEqual(drawn({ ...geometry, row_zero_below: true }, false), [[2, 3], [0, 1]]);
  assert.deepEqual(drawn({ ...geometry, row_zero_below: true }, true), [[1, 0], [3, 2]]);
});

test('arrow keys stop at the edge', () => {
  assert.deepEqual(moved({ row: 0, column: 1 }, 'ArrowUp', 3, 3), { row: 0, column: 1 });
  assert.deepEqual(moved({ row: 0, column: 1 }, 'End', 3, 3), { row: 0, column: 2 });
  assert.equal(moved({ row: 0, column: 1 }, 'x', 3, 3), null);
});

test('specs and rules name only what was set', () => {
  assert.equal(agentSpec('mcts', ['iterations', 'c'], { iterations: ' 50 ', c: '' }), 'mcts:iterations=50');
  assert.equal(agentSpec('random', [], {}), 'random');
  const game = { presets: [{ name: 'basic' }, { name: 'table' }], rules: [{ key: 'hold' }, { key: 'limit' }] };
  assert.equal(rulesText(game, 'basic', {}), '');
  assert.equal(rulesText(game, 'table', { limit: '9' }), 'table,limit=9');
  assert.deepEqual(specValues('mcts:iterations=50,tree.c=1.4'), { iterations: '50', 'tree.c': '1.4' });
  assert.deepEqual(specValues('random'), {});
  assert.deepEqual(rulesValues(game, 'table,limit=9'), { preset: 'table', values: { limit: '9' } });
  assert.deepEqual(rulesValues(game, ''), { preset: 'basic', values: {} });
});

test('markdown becomes blocks', () => {
  const found = blocks('# A *b*\n\ntext `code`\ngoes on\n\n3. one\n   more\n   - inner\n4. two\n\n| a | b |\n|---|---|\n| 1 | **2** |\n\n```\nx <b>\n```\n');
  assert.deepEqual(found.map((block) => block.kind), ['heading', 'paragraph', 'list', 'table', 'code']);
  assert.equal(found[2].start, 3);
  assert.equal(found[2].items.length, 2);
  assert.equal(found[2].items[0].spans[0].text, 'one more');
  assert.equal(found[2].items[0].inner[0].kind, 'list');
  assert.deepEqual(found[3].rows[0][1], [{ kind: 'bold', text: '2' }]);
  assert.equal(found[4].text, 'x <b>');
  const marked = blocks('<!-- rules of x -->\n| a |\n|---|\n| 1 |\n<!-- end -->\n\ntext');
  assert.deepEqual(marked.map((block) => block.kind), ['table', 'paragraph']);
});

test('links that are not of the web are text', () => {
  assert.deepEqual(spans('[x](javascript:alert)'), [{ kind: 'text', text: 'x' }]);
  assert.deepEqual(spans('[`x`](first-experiment.md#y)'), [{ kind: 'page', text: 'x', address: 'first-experiment.md#y' }]);
  assert.deepEqual(spans('[x](https://a.b/c)'), [{ kind: 'link', text: 'x', address: 'https://a.b/c' }]);
});

test('positions of Othello come back from their own text', () => {
  assert.equal(write(parse(START)), START);
  assert.equal(parse('xo').discs[1], 'O');
  assert.equal(parse('').mover, 'X');
});

test('loadouts are written with the front row first', () => {
  const slots = [{ troop: 'C', column: 2, row: 0 }, { troop: 'S', column: 0, row: 2 }];
  const layout = layoutOf({ slots, commands: ['Charge'] }, 5, 3);
  assert.equal(layoutText(layout), '@..C/./S+Charge');
  assert.equal(layoutText({ ...layout, commands: [] }), '@..C/./S');
});

test('loadouts are told in words', () => {
  const setup = { troops: [{ id: 'S', name: 'Scout' }, { id: 'K', name: 'Knight' }], commands: [{ id: 'BattleCry', name: 'Battle Cry' }] };
  const slots = [{ troop: 'S' }, { troop: 'K' }, { troop: 'S' }];
  assert.equal(loadoutWords({ slots, commands: ['BattleCry'] }, setup), '2 Scouts, 1 Knight; Battle Cry');
  assert.equal(loadoutWords({ slots: [], commands: [] }, setup), '');
});

test('squares of Conquest are changed in the text, and the turn begins anew', () => {
  const position = conquest.parse('1 combat 20 0:2 open 100/0 Charge - K9/9=300+200!BattleCry,Sx M10/10=100 6/4');
  assert.deepEqual(position.troops[0], [{ letter: 'K', square: 189, health: 300 }]);
  assert.deepEqual(position.obstacles, [86]);
  assert.equal(
    conquest.withSquare(position, 189, { side: 1, letter: 'F', health: 50 }),
    '1 select 20 - open 100/0 Charge - Sx M10/10=100,F9/9=50 6/4');
  assert.equal(conquest.withSquare(position, 86, null).split(' ').at(-1), '-');
  assert.equal(conquest.withPlayer(position, '0').split(' ')[0], '0');
  assert.equal(conquest.parse('garbage'), null);
});

test('cards of Lords of War are moved in the text', () => {
  const written = 'dwarves:orcs 4:1 deploy 7/5-l1/4-82/2+04/7/7 56alps:058bfg 23d8:b7c';
  const position = lords.parse(written);
  assert.equal(lords.write(position), written);
  assert.equal(lords.mover(position), 0);
  assert.deepEqual(position.board[2 * 7 + 2], { side: 0, card: 0 });
  const placed = lords.moved(position, { hand: 0, card: 5 }, 0);
  assert.match(lords.write(placed), / 7\/5-l1\/4-82\/2\+04\/7\/\+56 6alps:/);
  assert.equal(lords.moved(position, { hand: 0, card: 5 }, 16), null, 'the square is taken');
  assert.match(lords.write(lords.moved(position, { square: 16 }, 'hand')), /4-82\/7\/7\/7 056alps:/);
  assert.match(lords.write(lords.moved(position, { deck: 1 }, 'hand')), /:058bbfg 23d8:7c$/);
  assert.match(lords.write(position, 1), / 5:1 deploy /);
  assert.equal(lords.parse('garbage'), null);
});
