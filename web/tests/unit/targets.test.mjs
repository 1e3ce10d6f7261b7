import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NOTHING, buttons, looks, next, point, stepBack } from '../../src/lib/targets.ts';
import { Kept, alike } from '../../src/lib/alike.ts';

const choice = (action, path, more = {}) => ({ action, path, words: action, back: 0, ...more });
const CHOICES = [
  choice('a', ['c:1', 's:3']),
  choice('b', ['c:1', 's:4'], { preview: { words: [], effects: [] } }),
  choice('c', ['c:2', 's:3']),
  choice('d', ['b:draw']),
  choice('e', ['s:9'], { back: 1 }),
];
const asks = (one) => one.preview !== undefined;

test('only what goes on from here is offered', () => {
  assert.deepEqual([...next(CHOICES, []).keys()], ['c:1', 'c:2', 'b:draw', 's:9']);
  assert.deepEqual([...next(CHOICES, ['c:1']).keys()], ['s:3', 's:4']);
  assert.deepEqual([...next(CHOICES, ['s:3']).keys()], []);
});

test('a path is walked step by step, and its end is played', () => {
  const first = point(CHOICES, NOTHING, 'c:1', asks);
  assert.deepEqual(first.pointing.pointed, ['c:1']);
  assert.equal(first.play, null);
  const second = point(CHOICES, first.pointing, 's:3', asks);
  assert.equal(second.play.action, 'a');
  assert.deepEqual(second.pointing, NOTHING);
});

test('a choice with a preview is played when pointed at twice', () => {
  const now = point(CHOICES, { pointed: ['c:1'], pending: null }, 's:4', asks);
  assert.equal(now.play, null);
  assert.equal(now.pointing.pending.action, 'b');
  assert.equal(point(CHOICES, now.pointing, 's:4', asks).play.action, 'b');
  assert.equal(point(CHOICES, now.pointing, 's:3', asks).play.action, 'a', 'another target is another choice');
});

test('another beginning replaces the selection, nonsense clears it, the same one takes it back', () => {
  const held = { pointed: ['c:1'], pending: null };
  assert.deepEqual(point(CHOICES, held, 'c:2', asks).pointing.pointed, ['c:2']);
  assert.deepEqual(point(CHOICES, held, 's:77', asks).pointing, NOTHING);
  assert.deepEqual(point(CHOICES, held, 'c:1', asks).pointing, NOTHING);
  assert.equal(point(CHOICES, NOTHING, 's:77', asks).ignored, true);
});

test('one step back', () => {
  assert.deepEqual(stepBack({ pointed: ['c:1', 's:4'], pending: CHOICES[1] }), { pointed: ['c:1'], pending: null });
  assert.deepEqual(stepBack({ pointed: ['c:1'], pending: null }), NOTHING);
});

test('squares look by who stands there; changes of mind look different', () => {
  const choices = [choice('go', ['s:1']), choice('hit', ['s:2']), choice('own', ['s:3']), choice('other', ['s:4'], { back: 1 })];
  const pieces = [{ square: 2, seat: 1 }, { square: 3, seat: 0 }, { square: 4, seat: 0 }];
  assert.deepEqual([...looks(choices, NOTHING, pieces, 0)], [[1, 'go'], [2, 'strike'], [3, 'own'], [4, 'switch']]);
});

test('buttons stay in sight while something is selected', () => {
  assert.deepEqual(buttons(CHOICES, NOTHING).map((one) => one.target), ['b:draw']);
  assert.deepEqual(buttons(CHOICES, { pointed: ['c:1'], pending: null }).map((one) => one.target), ['b:draw']);
});

test('what looks as before is the same as before', () => {
  const looks = new Kept();
  const square = (health) => ({ label: 'a1', placed: { seat: 0, piece: { health } }, marks: [{ id: 'range' }], way: undefined });
  const first = looks.keep(0, square(300));
  assert.equal(looks.keep(0, square(300)), first);
  assert.notEqual(looks.keep(1, square(300)), first, 'each square has its own');
  const hurt = looks.keep(0, square(200));
  assert.notEqual(hurt, first);
  assert.equal(looks.keep(0, square(200)), hurt);
  assert.ok(!alike({ a: 1 }, { a: 1, b: undefined }) && !alike([1], [1, 2]) && alike(null, null));
});
