// The real server: one for all workers, or one of its own on a free port with a database of its own.
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const STARTS_WITHIN_MS = 20_000;

const program = process.env.WARROOM_BIN;
if (!program) throw new Error('WARROOM_BIN must name the warroom program, built with the page inside');

const running = process.env.WARROOM_URL;

function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}

export class Server {
  /** The server of all workers, or one of its own for a file that is run alone. */
  static async shared() {
    if (!running) return Server.start();
    const server = new Server();
    server.url = running;
    return server;
  }

  /** For tests that end it, or that need to be alone with it. */
  static async start() {
    const server = new Server();
    server.folder = await mkdtemp(join(tmpdir(), 'warroom-web-'));
    server.port = await freePort();
    server.url = `http://127.0.0.1:${server.port}`;
    await server.run();
    return server;
  }

  async run() {
    this.said = '';
    const words = ['serve', '--port', String(this.port), '--db', join(this.folder, 'games.sqlite')];
    this.child = spawn(program, words, { stdio: ['ignore', 'pipe', 'pipe'] });
    this.ended = new Promise((resolve) => this.child.once('exit', resolve));
    for (const stream of [this.child.stdout, this.child.stderr]) stream.on('data', (text) => (this.said += text));
    const deadline = Date.now() + STARTS_WITHIN_MS;
    while (Date.now() < deadline) {
      if (this.child.exitCode !== null) throw new Error(`the server ended at once:\n${this.said}`);
      const answer = await fetch(`${this.url}/api/health`).catch(() => null);
      if (answer?.ok) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error(`the server does not answer:\n${this.said}`);
  }

  async kill(signal) {
    this.child.kill(signal);
    await this.ended;
  }

  /** Ends it, unless it is that of all workers. */
  async stop() {
    if (!this.child) return;
    await this.kill('SIGTERM');
    await rm(this.folder, { recursive: true, force: true });
  }

  async post(path, body) {
    const answer = await fetch(`${this.url}/api${path}`, {
      method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`POST ${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  }

  async game(id) {
    return (await fetch(`${this.url}/api/games/${id}`)).json();
  }
}

export const PERSON = { kind: 'human', name: '' };
export const RANDOM = { kind: 'agent', spec: 'random' };
