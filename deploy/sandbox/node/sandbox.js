// The sandbox as a process of its own, and Stripe's library pointed at it.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';

import Stripe from 'stripe';

export const API_VERSION = '2026-10-28.endive';
export const SECRET_KEY = 'sk_test_stillpoint';
export const PUBLISHABLE_KEY = 'pk_test_stillpoint';
export const WEBHOOK_SECRET = 'whsec_stillpoint';
const PROGRAM = process.env.SANDBOX_BIN ?? fileURLToPath(new URL('../../../target/debug/sandbox', import.meta.url));
const TIMEOUT_MS = 15_000;

export class SandboxProcess {
  /** Listens for webhooks too. */
  static async start() {
    const sandbox = new SandboxProcess();
    await sandbox.#listen();
    await sandbox.#launch();
    return sandbox;
  }

  async #listen() {
    this.received = [];
    this.receiver = createServer(async (request, response) => {
      const chunks = [];
      for await (const chunk of request) {
        chunks.push(chunk);
      }
      this.received.push({ body: Buffer.concat(chunks), signature: request.headers['stripe-signature'] });
      response.writeHead(200).end();
    });
    this.receiver.listen(0, '127.0.0.1');
    await new Promise((listening) => this.receiver.once('listening', listening));
  }

  async #launch() {
    this.port = await freePort();
    this.process = spawn(PROGRAM, [], {
      env: {
        SANDBOX_ADDR: `127.0.0.1:${this.port}`,
        SANDBOX_SMTP_ADDR: '127.0.0.1:0',
        STRIPE_WEBHOOK_URL: `http://127.0.0.1:${this.receiver.address().port}/`,
        STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
        LOG_LEVEL: 'error',
      },
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    this.process.once('error', (error) => {
      this.failed = error;
    });
    await this.until('the sandbox answers', async () => {
      assert.ok(!this.failed && this.process.exitCode === null, `${PROGRAM} did not start: ${this.failed ?? 'it ended'}`);
      const answer = await fetch(`${this.base}/healthz`).catch(() => null);
      return answer?.ok;
    });
  }

  async stop() {
    this.process.kill();
    this.receiver.closeAllConnections();
    this.receiver.close();
  }

  get base() {
    return `http://127.0.0.1:${this.port}`;
  }

  /** As a shop sets the library up, but for where Stripe is. */
  library(key = SECRET_KEY, more = {}) {
    return new Stripe(key, {
      apiVersion: API_VERSION,
      host: '127.0.0.1',
      port: this.port,
      protocol: 'http',
      maxNetworkRetries: 0,
      telemetry: false,
      ...more,
    });
  }

  /** The answer as it came, before any library has touched it. */
  async raw(path, form) {
    const request = form && { method: 'POST', body: new URLSearchParams(form) };
    const answer = await fetch(this.base + path, { ...request, headers: { authorization: `Bearer ${SECRET_KEY}` } });
    return answer.json();
  }

  async control(method, path, body) {
    const answer = await fetch(`${this.base}/sandbox/${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      body: body && JSON.stringify(body),
    });
    assert.ok(answer.ok, `${method} ${path}: ${answer.status}`);
    return answer.json().catch(() => null);
  }

  /** Its clock goes on by so much, and all that falls due on the way happens. */
  pass(seconds) {
    return this.control('POST', 'clock', { advance_secs: seconds });
  }

  async until(what, reached) {
    const end = Date.now() + TIMEOUT_MS;
    for (;;) {
      const found = await reached();
      if (found) {
        return found;
      }
      assert.ok(Date.now() < end, `never: ${what}`);
      await sleep(20);
    }
  }
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((listening) => server.once('listening', listening));
  const { port } = server.address();
  await new Promise((closed) => server.close(closed));
  return port;
}
