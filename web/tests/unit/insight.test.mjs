import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NO_ANALYSIS, advice, judgement, judgements, merged, nextBad, progress, signed, summary, views } from '../../src/lib/analysis.ts';
import { chosenAnswer, withAnswer } from '../../src/lib/answers.ts';
import { middle, shaft, shapes, turnedArrows } from '../../src/lib/arrows.ts';
import { chancePercent, chanceWords, duration, percent } from '../../src/lib/format.ts';
import { area, chanceSeries, curve, known, ticks } from '../../src/lib/graph.ts';
import { heatColour, inkOn, shareOf } from '../../src/lib/heat.ts';
import { lensNote, lensTitle } from '../../src/lib/lenses.ts';
import { SIGNS, markOf } from '../../src/lib/marks.ts';
import { Positions, keyOf, lastExplained, lastOpen, overAt, secret } from '../../src/lib/positions.ts';
import { wholeHistory } from '../../src/lib/history.ts';
import { named, seatName } from '../../src/lib/seats.ts';
import { levelSpec } from '../../src/lib/spec.ts';
import { EventReader } from '../../src/lib/sse.ts';
import { LENSES as CONQUEST } from '../../src/games/conquest/lenses.ts';
import { LENSES as LORDS } from '../../src/games/lords-of-war/lenses.ts';
import { describe, held } from '../../src/games/lords-of-war/words.ts';
import { LENSES as OTHELLO } from '../../src/games/othello/lenses.ts';
import { matches } from '../../src/watch/states.ts';

const BOX = { left: 10, top: 5, width: 100, height: 50 };

test('chances become a curve: seat 0 is above', () => {
  const points = [{ ply: 0, chance: 0.5 }, { ply: 5, chance: 1 }, { ply: 10, chance: 0 }];
  assert.equal(curve(points, 10, BOX), 'M10 30L60 5L110 55');
  assert.equal(area(points, 10, BOX), 'M10 30L10 30L60 5L110 55L110 30Z');
  assert.equal(curve([], 10, BOX), '');
  assert.equal(area([], 10, BOX), '');
  assert.equal(curve([{ ply: 0, chance: 7 }], 0, BOX), 'M10 5', 'nothing leaves the box');
});

test('numbers below the curve are round and few', () => {
  assert.deepEqual(ticks(60, 6), [0, 10, 20, 30, 40, 50, 60]);
  assert.deepEqual(ticks(7, 8), [0, 1, 2, 3, 4, 5, 6, 7]);
  assert.deepEqual(ticks(0, 8), [0]);
  assert.ok(ticks(1234, 6).length <= 8);
});

test('what is known of a position is what was said last', () => {
  const points = [{ ply: 1, chance: 0.4 }, { ply: 3, chance: 0.6 }];
  assert.equal(known(points, 0), null);
  assert.equal(known(points, 2).chance, 0.4);
  assert.equal(known(points, 9).chance, 0.6);
});

const BOARD = { columns: 8, rows: 8, row_zero_below: false, turned_for_seat_one: true, names: [] };
const step = (squares, seat = 0) => ({ seat, action: 'x', words: 'x', squares });

test('squares are drawn where the board draws them', () => {
  assert.deepEqual(middle(0, BOARD, false), { x: 0.5, y: 0.5 });
  assert.deepEqual(middle(0, BOARD, true), { x: 7.5, y: 7.5 });
  assert.deepEqual(middle(0, { ...BOARD, row_zero_below: true }, false), { x: 0.5, y: 7.5 });
  assert.deepEqual(middle(9, { ...BOARD, row_zero_below: true }, true), { x: 6.5, y: 1.5 });
});

test('a line becomes arrows and rings with the numbers of its steps', () => {
  const found = shapes([step([3]), step([]), step([3, 5], 1), step([3]), step([900])], BOARD, false);
  assert.deepEqual(found.map(({ numbers }) => numbers), [[1, 4], [3]]);
  assert.equal(found[0].from, null);
  assert.deepEqual(found[1].from, { x: 3.5, y: 0.5 });
  assert.deepEqual(found[1].to, { x: 5.5, y: 0.5 });
  assert.equal(found[1].seat, 1);
});

test('arrows in words are turned with the board', () => {
  assert.equal(turnedArrows('Goblin Shanker ↑4↗1 to 3,2'), 'Goblin Shanker ↓4↙1 to 3,2');
});

test('what is new of a history takes its place in what was known', () => {
  const ply = (number, action, explained = false) => ({ number, action, explained });
  const before = [ply(0, 'a'), ply(1, 'b', true), ply(2, 'c')];
  assert.deepEqual(wholeHistory({ plies: 3, history: before }, []), before);
  assert.deepEqual(wholeHistory({ plies: 4, history: [ply(3, 'd')] }, before).map((one) => one.action), ['a', 'b', 'c', 'd']);
  const back = wholeHistory({ plies: 2, history: [ply(1, 'b')] }, before);
  assert.deepEqual(back, [ply(0, 'a'), ply(1, 'b')]);
  assert.equal(before.length, 3, 'what was known is left alone');
});

test('an arrow leaves both squares to be seen', () => {
  const { x1, x2, y1 } = shaft({ x: 0.5, y: 0.5 }, { x: 3.5, y: 0.5 });
  assert.ok(x1 > 0.5 && x2 < 3.5 && x1 < x2);
  assert.equal(y1, 0.5);
});

test('events are read however the stream is cut', () => {
  const text = ': hello\n\ndata: {"a":1}\n\nevent: x\ndata:{"b":\ndata: 2}\r\n\r\ndata: late';
  const whole = new EventReader().feed(text);
  assert.deepEqual(whole, ['{"a":1}', '{"b":\n2}']);
  for (let size = 1; size < 9; size += 1) {
    const reader = new EventReader();
    const found = [];
    for (let at = 0; at < text.length; at += size) found.push(...reader.feed(text.slice(at, at + size)));
    assert.deepEqual(found, whole, `pieces of ${size}`);
  }
});

const EVENTS = [
  { type: 'plan', positions: 3, agents: ['a', 'b'], solver: true },
  { type: 'opinion', agent: 1, ply: 0, seat: 0, chance: 0.6, value_words: '', line: [], agrees: false },
  { type: 'opinion', agent: 0, ply: 0, seat: 0, chance: 0.5, value_words: '', line: [], agrees: true },
  { type: 'judgement', agent: 0, ply: 0, seat: 0, loss: 0.01, mark: 'fine', forced: false },
  { type: 'judgement', agent: 1, ply: 0, seat: 0, loss: 0.25, mark: 'blunder', forced: false },
  { type: 'judgement', agent: 0, ply: 2, seat: 0, loss: 0.07, mark: 'inaccuracy', forced: false },
  { type: 'judgement', agent: 0, ply: 1, seat: 1, loss: 0.12, mark: 'mistake', forced: false },
  { type: 'exact', ply: 2, score: -4, line: [], lost_before: 6 },
];

test('pieces of an analysis are put together in any order', () => {
  const found = EVENTS.reduce(merged, NO_ANALYSIS);
  const backwards = [...EVENTS].reverse().reduce(merged, NO_ANALYSIS);
  assert.deepEqual(backwards.opinions[0].get(0), found.opinions[0].get(0));
  assert.equal(found.opinions[1].get(0).chance, 0.6);
  assert.equal(found.exact.get(2).score, -4);
  assert.equal(progress(found), 2 / 6);
  assert.equal(progress(merged(found, { type: 'done', elapsed_ms: 5 })), 1);
  assert.equal(progress(NO_ANALYSIS), 0);
  assert.equal(NO_ANALYSIS.opinions.length, 0, 'the beginning stays empty');
  assert.equal(merged(found, { type: 'failed', error: 'why' }).failed, 'why');
});

test('a seat is summed up by each agent', () => {
  const found = EVENTS.reduce(merged, NO_ANALYSIS);
  const own = summary(found, 0, 0);
  assert.equal(own.counts.inaccuracy, 1);
  assert.equal(own.counts.fine, 1);
  assert.ok(Math.abs(own.loss - 0.04) < 1e-9);
  assert.equal(summary(found, 1, 1).loss, null);
  assert.equal(nextBad(found, 0, 0, false), 1);
  assert.equal(nextBad(found, 0, 2, false), null);
  assert.equal(nextBad(found, 0, 2, true), 1);
  assert.equal(nextBad(found, 1, 2, true), 0, 'each agent has its own mistakes');
});

test('actions without a choice do not flatter', () => {
  const forced = { type: 'judgement', agent: 0, ply: 4, seat: 0, loss: 0, mark: 'fine', forced: true };
  const found = [...EVENTS, forced].reduce(merged, NO_ANALYSIS);
  assert.ok(Math.abs(summary(found, 0, 0).loss - 0.04) < 1e-9);
  assert.equal(summary([forced].reduce(merged, NO_ANALYSIS), 0, 0).loss, null);
});

const words = (text) => [{ seat: 0, action: text, words: text, squares: [] }];
const exact = (ply, score) => ({ type: 'exact', ply, score, line: words('solved'), lost_before: null });
const thought = (ply, seat, agrees) => ({ type: 'opinion', agent: 0, ply, seat, chance: 0.5, value_words: '', line: words('thought'), agrees });
const found = (...events) => events.reduce(merged, NO_ANALYSIS);

test('exact scores outweigh the opinion of the agent', () => {
  const flawed = { type: 'judgement', agent: 0, ply: 1, seat: 1, loss: 0.3, mark: 'blunder', forced: false };
  for (const [seat, before, after, loss, mark] of [
    [0, 4, 2, 0, 'fine'], [0, 4, 0, 0.5, 'blunder'], [0, 2, -2, 1, 'blunder'], [0, 0, -6, 0.5, 'blunder'], [0, -2, -30, 0, 'fine'],
    [1, -4, -2, 0, 'fine'], [1, -4, 2, 1, 'blunder'], [1, 6, 10, 0, 'fine'], [1, 0, -2, 0, 'fine'],
  ]) {
    const by = judgement(found({ ...flawed, seat }, exact(1, before), exact(2, after)), 0, 1);
    assert.deepEqual([by.loss, by.mark, by.seat], [loss, mark, seat], `seat ${seat}: ${before} to ${after}`);
  }
  assert.equal(judgement(found(flawed, exact(1, 4)), 0, 1).mark, 'blunder', 'one score is not enough');
  assert.equal(judgement(found(exact(1, 4), exact(2, 0)), 0, 1), null, 'nobody knows who acted');
  const unjudged = found(thought(1, 0, false), exact(1, 4), exact(2, -4));
  assert.equal(judgement(unjudged, 0, 1).mark, 'blunder');
  assert.deepEqual(judgements(unjudged, 0).map(({ ply }) => ply), [1]);
  assert.equal(nextBad(unjudged, 0, 0, false), 1);
  assert.equal(summary(unjudged, 0, 0).counts.blunder, 1);
});

test('only what cost something has a better action', () => {
  const judged = (loss) => ({ type: 'judgement', agent: 0, ply: 1, seat: 0, loss, mark: markOf(loss), forced: false });
  assert.deepEqual(advice(found(judged(0.06), thought(1, 0, false)), 0, 1), { better: true, words: 'thought' });
  assert.deepEqual(advice(found(judged(0), thought(1, 0, false)), 0, 1), { better: false, words: 'thought' });
  assert.equal(advice(found(judged(0), thought(1, 0, true)), 0, 1), null);
  const lost = [exact(1, 4), exact(2, -4)];
  assert.deepEqual(advice(found(judged(0), thought(1, 0, true), ...lost), 0, 1), { better: true, words: 'solved' });
  const kept = [exact(1, 4), exact(2, 2)];
  assert.deepEqual(advice(found(judged(0.3), thought(1, 0, false), ...kept), 0, 1), { better: false, words: 'thought' });
  assert.equal(advice(NO_ANALYSIS, 0, 1), null);
});

test('losses are marked as the server marks them', () => {
  assert.deepEqual([0.049, 0.05, 0.1, 0.2, 0.6 - 0.4, 1].map(markOf), ['fine', 'inaccuracy', 'mistake', 'blunder', 'blunder', 'blunder']);
});

test('marks are the signs of chess players, numbers have their sign', () => {
  assert.deepEqual(Object.values(SIGNS), ['', '?!', '?', '??']);
  assert.deepEqual([signed(12), signed(-3), signed(0)], ['+12', '−3', '±0']);
  assert.equal(percent(0.617), '62 %');
  assert.deepEqual([duration(0.3), duration(45), duration(200), duration(7500), duration(120)], ['< 1 s', '45 s', '3 min 20 s', '2 h 5 min', '2 min']);
});

test('colours of values can be told apart and written on', () => {
  assert.equal(shareOf(5, 0, 10), 0.5);
  assert.equal(shareOf(5, 5, 5), 0.5);
  assert.equal(shareOf(99, 0, 10), 1);
  const light = (colour) => {
    const [red, green, blue] = colour.match(/\d+/g).map((part) => {
      const value = part / 255;
      return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  let before = -1;
  for (let share = 0; share <= 1; share += 0.05) {
    const now = light(heatColour(share));
    assert.ok(now > before, 'the higher, the lighter');
    before = now;
    const ink = inkOn(share) === '#fff' ? 1 : 0;
    const contrast = (Math.max(now, ink) + 0.05) / (Math.min(now, ink) + 0.05);
    assert.ok(contrast >= 4.5, `${share}: ${contrast}`);
  }
});

test('a position is asked for once, and again after another way there', async () => {
  const asked = [];
  const positions = new Positions((ply) => {
    asked.push(ply);
    return ply === 2 ? Promise.reject(new Error('no')) : Promise.resolve({ ply });
  });
  const [one, other] = [[{ action: 'a' }, { action: 'b' }], [{ action: 'c' }, { action: 'b' }]];
  await positions.scene(one, 1);
  await positions.scene(one, 1);
  await positions.scene(other, 1);
  assert.deepEqual(asked, [1, 1]);
  await assert.rejects(positions.scene(one, 2));
  await assert.rejects(positions.scene(one, 2), 'what failed is asked for again');
  assert.deepEqual(asked, [1, 1, 2, 2]);
  assert.notEqual(keyOf(one, 1), keyOf(other, 1));
});

test('runs are found by any of their words', () => {
  const run = { id: 'x7', name: 'levels', about: 'How strong?', game: 'othello', kind: 'round-robin', state: 'interrupted' };
  assert.ok(matches(run, 'LEVELS interrupted', ''));
  assert.ok(matches(run, '', 'othello'));
  assert.ok(!matches(run, 'levels finished', ''));
  assert.ok(!matches(run, '', 'conquest'));
});

test('seats begin with a capital, and people count them from 1', () => {
  assert.equal(seatName(['player 1', 'player 2'], 0), 'Player 1');
  assert.equal(seatName(['black', 'white'], 1), 'White');
  assert.equal(seatName([], 1), 'Player 2', 'without names too');
  const state = { seats: [{ seat: 'black', name: 'Ada' }, { seat: 'white', name: 'Bo' }] };
  assert.deepEqual(named(state).seats.map((one) => one.seat), ['Black', 'White']);
});

test('lenses say what they measure, with their symbol', () => {
  assert.equal(lensTitle(CONQUEST, { name: 'heuristic:ah-ft', about: 'the same, no command but Charge' }), 'Attacks first, no command but Charge (ah-ft)');
  assert.equal(lensTitle(LORDS, { name: 'squares:h6', about: 'cards at the front' }), 'Cards at the front (h6)');
  assert.equal(lensTitle({}, { name: 'eval:x', about: 'lines' }), 'Lines (x)');
  assert.equal(lensNote(CONQUEST, { name: 'heuristic:ah-ft', about: 'the same, no command but Charge' }), '', 'one symbol explains no other');
  assert.equal(lensNote(LORDS, { name: 'eval:h4', about: 'h1 with lost command cards counted twice' }), '');
  assert.equal(lensNote(OTHELLO, { name: 'eval:discs', about: 'More discs are better.' }), 'More discs are better.');
  assert.equal(lensNote(LORDS, { name: 'squares:h6', about: 'cards at the front' }), '', 'its title is this');
});

test('hands are told in words', () => {
  assert.equal(held({ hand: [{}, {}], hidden: 4, deck: 20 }), '6 in hand (4 hidden), 20 in deck');
  assert.equal(held({ hand: [{}], hidden: 0, deck: 0 }), '1 in hand, 0 in deck');
  const card = { name: 'goblin', rank: 'regular', class: 'infantry', defence: 3, arrows: [2, 0, 0, 0, 0, 0, 0, 1], shot: 0 };
  assert.equal(describe(card), 'Goblin, regular infantry; defence 3; arrows ahead 2, ahead left 1.');
});

test('a chance is no surer than the value that it follows from', () => {
  assert.equal(chanceWords({ chance: 0.48, bound: 'upper' }), '≤ 48 %');
  assert.equal(chanceWords({ chance: 0.48, bound: 'lower' }), '≥ 48 %');
  assert.equal(chanceWords({ chance: 0.48, bound: 'exact' }), '48 %');
  assert.equal(chanceWords({ chance: 0.48, bound: 'estimate' }), '48 %');
  assert.equal(chanceWords({ chance: null, bound: 'upper' }), '');
  assert.deepEqual([0, 0.004, 0.62, 0.998, 1].map(chancePercent), ['0 %', '< 1 %', '62 %', '> 99 %', '100 %']);
  const near = (chance) => ['upper', 'lower', 'exact'].map((bound) => chanceWords({ chance, bound }));
  assert.deepEqual(near(0.001), ['< 1 %', '≥ 0 %', '< 1 %']);
  assert.deepEqual(near(0.999), ['≤ 100 %', '> 99 %', '> 99 %']);
});

test('where something is hidden a level is the agent that may play there', () => {
  const [both, one] = [{ spec: 'greedy', hidden_spec: 'ismcts' }, { spec: 'random', hidden_spec: null }];
  assert.deepEqual([levelSpec(both, false), levelSpec(both, true)], ['greedy', 'ismcts']);
  assert.equal(levelSpec(one, true), 'random');
});

test('a finished game has nothing to search in its last position', () => {
  const history = [{ action: 'a' }, { action: 'b' }];
  assert.equal(lastOpen({ history, ending: null }), 2);
  assert.equal(lastOpen({ history, ending: { words: 'Black won' } }), 1);
  assert.equal(lastOpen({ history: [], ending: { words: 'White won' } }), 0);
  assert.ok(overAt({ history, ending: {} }, 2));
  assert.ok(!overAt({ history, ending: {} }, 1) && !overAt({ history, ending: null }, 2));
});

test('of a turn the last choice is explained, not its end', () => {
  const ply = (seat, explained, chance = null) => ({ seat, explained, chance });
  const turn = [ply(0, true, 0.5), ply(0, true, 0.6), ply(0, true)];
  assert.equal(lastExplained(turn), 1);
  assert.equal(lastExplained([...turn, ply(1, false)]), 1, 'a person answered');
  assert.equal(lastExplained([...turn, ply(1, true)]), 3, 'another agent has no opinions');
  assert.equal(lastExplained([ply(1, false)]), -1);
});

test('nothing is told of what is hidden from a person who plays', () => {
  const [person, agent] = [{ spec: null }, { spec: 'ismcts' }];
  const game = { hidden: true, ending: null, seats: [person, agent] };
  assert.ok(secret(game));
  assert.ok(!secret({ ...game, hidden: false }) && !secret({ ...game, seats: [agent, agent] }));
  assert.ok(!secret({ ...game, ending: { words: 'Orcs won' } }));
});

test('every agent tells its own view of a position', () => {
  const step = { seat: 1, action: 'f6', words: 'f6', squares: [] };
  const opinion = { type: 'opinion', ply: 5, seat: 1, chance: 0.55 };
  const found = [
    EVENTS[0],
    { ...opinion, agent: 0, value_words: '−20', line: [step], agrees: false },
    { ...opinion, agent: 1, value_words: '45 %', line: [step], agrees: true },
    { ...opinion, agent: 0, ply: 6, seat: 0, chance: 1, value_words: 'Black won', line: [], agrees: null },
  ].reduce(merged, NO_ANALYSIS);
  assert.deepEqual(views(found, 5, ['Black', 'White']), [
    { spec: 'a', words: 'Black 55 %, valued −20 for White; f6 next' },
    { spec: 'b', words: 'Black 55 %; f6 next' },
  ]);
  assert.deepEqual(views(found, 6, ['Black', 'White']), [{ spec: 'a', words: 'Black won' }]);
  assert.deepEqual(views(found, 7, ['Black', 'White']), []);
});

test('every agent that was asked keeps its answer, the newest first', () => {
  const [one, two, again] = [{ id: '1', spec: 'uct' }, { id: '2', spec: 'greedy' }, { id: '3', spec: 'uct' }];
  const known = withAnswer(withAnswer([], one), two);
  assert.deepEqual(known, [two, one]);
  assert.deepEqual(withAnswer(known, again), [again, two]);
  assert.equal(chosenAnswer(known, 'uct', true), one);
  assert.equal(chosenAnswer(known, null, true), null, 'who played');
  assert.equal(chosenAnswer(known, 'random', true), null, 'it was asked about another position');
  assert.equal(chosenAnswer(known, null, false), two, 'nobody told why');
  assert.equal(chosenAnswer([], 'uct', false), null);
});

test('each seat has a curve of its own', () => {
  const history = [{ seat: 0, chance: 0.5 }, { seat: 1, chance: 0.9 }, { seat: 0 }, { seat: 0, chance: 0.6 }];
  assert.deepEqual(chanceSeries(history, ['Black', 'White']), [
    { name: 'As Black sees it', points: [{ ply: 0, chance: 0.5 }, { ply: 3, chance: 0.6 }] },
    { name: 'As White sees it', points: [{ ply: 1, chance: 0.9 }] },
  ]);
  assert.deepEqual(chanceSeries([{ seat: 0 }], ['Black', 'White']), []);
});
