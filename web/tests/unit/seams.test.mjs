// What the page knows of one game stands in the folder of that game, and how it reaches the server in one
// file: everything else asks the face of a game, and the wire.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from 'node:test';

const SOURCES = fileURLToPath(new URL('../../src', import.meta.url));
const GENERATED = 'api/types.ts';
const LIST = 'games/index.ts';
const WIRE = 'api/wire.ts';

const GAMES = readdirSync(join(SOURCES, 'games'), { withFileTypes: true }).filter((one) => one.isDirectory()).map(({ name }) => name);
const { Piece } = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8')).components.schemas;
/** What pieces are called that a game draws by itself. */
const KINDS = [...JSON.stringify(Piece).matchAll(/"kind":\{[^}]*"enum":\["([^"]+)"\]/g)].map(([, kind]) => kind);

/** A name as it may be written in a word, in two words or as part of one. */
const written = (name) => name.replaceAll('-', '[\\W_]?');

const inFolder = (file) => GAMES.some((game) => file.startsWith(`games/${game}/`));
const RULES = [
  ...GAMES.map((game) => ({
    about: 'names a game', pattern: new RegExp(written(game), 'i'), but: (file) => file === LIST || file.startsWith(`games/${game}/`),
  })),
  { about: 'asks what a piece or position is of', pattern: /\bdetail[?!]?\.game\b|\bpiece[?!]?\.kind\b/, but: inFolder },
  { about: 'names a kind of piece', pattern: new RegExp(`(['"\`])(?:${KINDS.join('|')})\\1`), but: inFolder },
  { about: 'goes past the wire', pattern: /\bfetch\s*\(|\b(?:EventSource|WebSocket|XMLHttpRequest|sendBeacon)\b/, but: (file) => file === WIRE },
];

/** What is wrong with a file, line by line. */
function faults(file, text) {
  const rules = RULES.filter((rule) => !rule.but(file));
  return text.split('\n').flatMap((line, index) =>
    rules.filter(({ pattern }) => pattern.test(line)).map(({ about }) => `${file}:${index + 1} ${about}: ${line.trim()}`));
}

test('no file outside its folder knows a game, and only one reaches the server', () => {
  const files = readdirSync(SOURCES, { recursive: true }).filter((name) => /\.(ts|svelte|css)$/.test(name) && name !== GENERATED);
  assert.ok(files.length > 50 && files.includes(WIRE), 'the sources are found');
  assert.deepEqual(files.flatMap((file) => faults(file, readFileSync(join(SOURCES, file), 'utf8'))), []);
});

test('what the rule forbids is found', () => {
  assert.ok(GAMES.length > 1 && KINDS.length > 1, 'games and kinds of pieces are found');
  const file = 'play/Some.svelte';
  const caught = [
    "{#if game.game === 'othello'}", "import Panel from '../games/conquest/Panel.svelte';", '.table.lords-of-war .board {', 'lordsOfWar.rules',
    "if (scene.detail.game !== other)", 'switch (placed.piece.kind) {', "pieces.filter(({ kind }) => kind === 'troop')",
    "await fetch('/api/catalog')", 'new WebSocket(address)', 'let source: EventSource | null = null;',
  ];
  for (const line of caught) assert.equal(faults(file, `first\n${line}`).length, 1, line);
  assert.match(faults(file, `first\n${caught[0]}`)[0], /^play\/Some\.svelte:2 names a game: /);
  for (const line of ["faceOf(game.game)?.rules", "'picture' in scene.detail", 'void fetchIt();', 'placed.piece']) assert.deepEqual(faults(file, line), [], line);
  assert.deepEqual([faults('games/othello/index.ts', caught[0]), faults(LIST, caught[1])], [[], []]);
  assert.equal(faults('games/othello/index.ts', caught[1]).length, 1, 'another game');
  assert.deepEqual(faults(WIRE, caught[7]), []);
});
