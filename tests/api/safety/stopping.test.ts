import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import type { World } from '../world.ts';
import { startWorld } from '../world.ts';

let world: World | undefined;
afterEach(async () => {
  await world?.close();
  world = undefined;
});

async function start(env: Record<string, string> = {}): Promise<number> {
  world = await startWorld({ env, types: [] });
  // A call that takes as long as the test wants.
  world.app.server.server.keepAliveTimeout = 60_000;
  await world.app.server.listen({ port: 0, host: '127.0.0.1' });
  return (world.app.server.server.address() as AddressInfo).port;
}

/** A connection that says what it is given, and gathers what it hears until it ends. */
function line(port: number) {
  const socket = connect(port, '127.0.0.1');
  let text = '';
  const errors: string[] = [];
  socket.on('data', (chunk) => (text += String(chunk)));
  socket.on('error', (error) => errors.push(error.message));
  const ended = once(socket, 'close');
  return { socket, say: (words: string) => socket.write(words), text: () => text, errors, ended };
}
const get = 'GET /healthz HTTP/1.1\r\nHost: admin.localhost\r\n\r\n';

test('on shutdown, idle connections end at once, running calls finish, new ones are answered 503', async () => {
  const port = await start();
  const idle = line(port);
  idle.say(get);
  await expect.poll(idle.text).toContain('"ok"');
  const busy = line(port);
  const body = JSON.stringify({ email: 'nobody', password: 'x', prefix: '' });
  busy.say(
    `POST /api/sessions/login HTTP/1.1\r\nHost: admin.localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 5)}`,
  );
  await new Promise((resolve) => setTimeout(resolve, 100));

  world!.app.beginStopping();
  await idle.ended;
  const fresh = line(port);
  fresh.say(get);
  await fresh.ended;
  expect(fresh.text()).toMatch(/^HTTP\/1\.1 503 /);
  expect(fresh.text().toLowerCase()).toContain('connection: close');
  expect(fresh.text().toLowerCase()).toContain('retry-after: ');
  expect(fresh.text()).toContain('"code":"unavailable"');
  // The rest of the call that had begun: it is answered, and its connection ends with the answer.
  busy.say(body.slice(5));
  await busy.ended;
  expect(busy.text()).toMatch(/^HTTP\/1\.1 (200|4\d\d) /);
  expect(busy.text().toLowerCase()).toContain('connection: close');
  expect([idle.errors, fresh.errors, busy.errors]).toEqual([[], [], []]);
});

test('a slow body is answered 408 and its connection ends', async () => {
  const port = await start({ BODY_SECONDS: '1' });
  const slow = line(port);
  slow.say(
    'POST /api/sessions/login HTTP/1.1\r\nHost: admin.localhost\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{',
  );
  const drops = setInterval(() => slow.say(' '), 200);
  await slow.ended;
  clearInterval(drops);
  expect(slow.text()).toMatch(/^HTTP\/1\.1 408 /);
  expect(slow.text()).toContain('did not arrive within 1 seconds');
});

test('headers and whole requests have a time limit, which is checked often', async () => {
  await start({ REQUEST_SECONDS: '120' });
  const { server } = world!.app.server;
  expect([server.headersTimeout, server.requestTimeout]).toEqual([20_000, 120_000]);
});
