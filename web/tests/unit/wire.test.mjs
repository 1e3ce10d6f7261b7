// The wire over HTTP and WebSocket, against a network that does as it is told.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, mock, test } from 'node:test';
import { HttpWire, Refusal } from '../../src/api/wire.ts';

const wire = new HttpWire();
const sockets = [];

class Socket {
  static CONNECTING = 0;
  static OPEN = 1;
  static CLOSED = 3;
  readyState = Socket.CONNECTING;
  sent = [];

  constructor(address) {
    this.address = address;
    sockets.push(this);
  }

  send(text) {
    this.sent.push(JSON.parse(text));
  }

  open() {
    this.readyState = Socket.OPEN;
    this.onopen();
  }

  say(answer) {
    this.onmessage({ data: JSON.stringify(answer) });
  }

  close() {
    this.readyState = Socket.CLOSED;
    this.onclose();
  }
}

const answers = (status, text) => mock.method(globalThis, 'fetch', async () => new Response(text, { status }));

beforeEach(() => {
  sockets.length = 0;
  mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
  const nothing = { addEventListener() {}, removeEventListener() {} };
  Object.assign(globalThis, {
    ...nothing, WebSocket: Socket, window: globalThis, document: { hidden: false, ...nothing }, location: { protocol: 'http:', host: 'here' },
  });
});

afterEach(() => {
  mock.timers.reset();
  mock.restoreAll();
});

function listen() {
  const heard = [];
  const connection = wire.play('a b', {
    heard: (answer) => heard.push(answer.type), lost: () => heard.push('lost'), ended: (reason) => heard.push(reason),
  });
  return { heard, connection };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test('a refusal has the words of the server', async () => {
  answers(409, '{"error":"it is not your turn"}');
  await assert.rejects(wire.ask('POST', '/x', {}), (failure) => failure instanceof Refusal && failure.status === 409 && failure.message === 'it is not your turn');
  answers(502, 'bad gateway');
  await assert.rejects(wire.ask('GET', '/x'), { message: 'bad gateway', status: 502 });
  mock.method(globalThis, 'fetch', async () => { throw new TypeError('no network'); });
  await assert.rejects(wire.ask('GET', '/x'), { status: 0 });
});

test('what is asked is sent as JSON, and an end on purpose is no refusal', async () => {
  const asked = answers(200, '7');
  assert.equal(await (await wire.ask('POST', '/x?a=1', { b: 2 })).json(), 7);
  const [address, { method, body, headers }] = asked.mock.calls[0].arguments;
  assert.deepEqual([address, method, body, headers], ['/api/x?a=1', 'POST', '{"b":2}', { 'content-type': 'application/json' }]);
  const control = new AbortController();
  control.abort();
  mock.method(globalThis, 'fetch', async () => { throw new DOMException('ended', 'AbortError'); });
  await assert.rejects(wire.ask('GET', '/x', undefined, control.signal), { name: 'AbortError' });
});

test('a connection that breaks is made again', async () => {
  answers(503, 'busy');
  const { heard, connection } = listen();
  assert.equal(sockets[0].address, 'ws://here/api/games/a%20b/play');
  assert.equal(connection.send({ type: 'hint' }), false, 'nobody can hear it yet');
  sockets[0].open();
  assert.equal(connection.send({ type: 'hint' }), true);
  sockets[0].say({ type: 'state' });
  sockets[0].close();
  await settled();
  mock.timers.tick(300);
  assert.equal(sockets.length, 2);
  sockets[1].open();
  sockets[1].say({ type: 'state' });
  assert.deepEqual(heard, ['state', 'lost', 'state']);
  connection.close();
  mock.timers.tick(60_000);
  assert.equal(sockets.length, 2, 'closed on purpose');
});

test('a connection that answers no ping is dead', () => {
  answers(200, '{}');
  const { heard, connection } = listen();
  sockets[0].open();
  mock.timers.tick(15_000);
  assert.deepEqual(sockets[0].sent, [{ type: 'ping' }]);
  sockets[0].say({ type: 'pong' });
  mock.timers.tick(14_000);
  assert.deepEqual(heard, [], 'it lives, and that is nobody else\'s business');
  mock.timers.tick(1_000);
  mock.timers.tick(6_000);
  assert.deepEqual(heard, ['lost']);
  connection.close();
});

test('a game that is gone is not asked for again', async () => {
  answers(404, '{"error":"no such game"}');
  const { heard } = listen();
  sockets[0].close();
  await settled();
  assert.deepEqual(heard, ['lost', 'no such game']);
  mock.timers.tick(60_000);
  assert.equal(sockets.length, 1);
});
