import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { openLive } from '../../../../src/client/api/live.ts';
import { unreadCount, watchNotifications } from '../../../../src/client/app/layout/notification_store.ts';
import { forgetSession, rememberSession } from '../../../../src/client/app/session.ts';

let unread = 0;
let asked = 0;
let stream: ReadableStreamDefaultController<Uint8Array> | null = null;
const say = (event: string) => stream!.enqueue(new TextEncoder().encode(`event: ${event}\ndata: {}\n\n`));
const stops: (() => void)[] = [];

beforeEach(() => {
  rememberSession({ token: 'tok', user_id: 7, entity_id: 2, entity_name: 'Acme' });
  unreadCount.set(0);
  asked = 0;
  stream = null;
  vi.stubGlobal('fetch', async (input: Request | string) => {
    const { pathname } = new URL(typeof input === 'string' ? input : input.url, 'http://demo.localhost');
    if (pathname === '/tapi/live')
      return new Response(new ReadableStream({ start: (controller) => void (stream = controller) }), {
        headers: { 'content-type': 'text/event-stream' },
      });
    asked++;
    return Response.json({ data: [], more: false, unread });
  });
});
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
  forgetSession();
  vi.unstubAllGlobals();
});

it('counts when the stream starts, so that nothing is missed in between, and again at each notification', async () => {
  stops.push(openLive(), watchNotifications());
  await vi.waitFor(() => expect(stream).not.toBeNull());
  // On a busy machine the stream opens so late that the count was asked for before.
  const before = asked;
  unread = 2;
  say('state');
  await vi.waitFor(() => expect(unreadCount.get()).toBe(2));
  unread = 3;
  say('notification');
  await vi.waitFor(() => expect(unreadCount.get()).toBe(3));
  // The count is not asked for once more because time went by.
  await new Promise((resolve) => setTimeout(resolve, 700));
  expect(asked - before).toBe(2);
});

it('counts also if another tab holds the stream', async () => {
  unread = 4;
  stops.push(watchNotifications());
  await vi.waitFor(() => expect(unreadCount.get()).toBe(4), 2_000);
  expect(asked).toBe(1);
});
