import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startPush } from '../../../../src/client/app/push/push.ts';
import { forgetSession, rememberSession } from '../../../../src/client/app/session.ts';
import { fakeFetch } from './fetch_fake.ts';

// Everything here is the product's own code; Google's library alone is put in the place of its servers.
const google = vi.hoisted(() => ({
  initializeApp: vi.fn((settings: object) => ({ settings })),
  getMessaging: vi.fn((app: object) => ({ app })),
  getToken: vi.fn((_messaging: object, _options: object) => Promise.resolve('from-google')),
}));
vi.mock('firebase/app', () => ({ initializeApp: google.initializeApp }));
vi.mock('firebase/messaging', () => ({ getMessaging: google.getMessaging, getToken: google.getToken }));

const application = { apiKey: 'k', projectId: 'p', messagingSenderId: '1', appId: 'a' };

describe('this browser', () => {
  beforeEach(() =>
    rememberSession({ token: 't', user_id: 7, user_name: 'Asha', user_email: 'asha@acme.in', entity_id: 1 }),
  );
  afterEach(() => {
    forgetSession();
    vi.unstubAllGlobals();
    Reflect.deleteProperty(navigator, 'serviceWorker');
  });

  it('registers the service worker, gets its token by the Web Push key, and sends it to the server', async () => {
    const registration = { scope: '/' };
    const register = vi.fn((_file: string) => Promise.resolve(registration));
    Object.defineProperty(navigator, 'serviceWorker', { value: { register }, configurable: true });
    vi.stubGlobal('PushManager', class {});
    vi.stubGlobal('Notification', { permission: 'granted', requestPermission: () => Promise.resolve('granted') });
    const calls = fakeFetch({
      'GET /config.json': () => ({ body: { firebase: { ...application, vapidKey: 'v' } } }),
      'GET /get_users_device/7': () => ({ body: { data: [] } }),
      'POST /notification_token': () => ({ status: 201, body: { data: { id: 32 } } }),
    });
    await startPush();
    expect(register).toHaveBeenCalledWith('/service-worker.js');
    expect(google.initializeApp).toHaveBeenCalledWith(application);
    expect(google.getToken).toHaveBeenCalledWith(
      { app: { settings: application } },
      { vapidKey: 'v', serviceWorkerRegistration: registration },
    );
    expect(calls.at(-1)).toMatchObject({
      path: '/notification_token',
      body: { notification_token: { device_token: 'from-google', user_id: 7 } },
    });
  });
});

type Tab = { url: string; focused: boolean; focus: () => Promise<void>; navigate: (url: string) => Promise<void> };

/** The service worker as browsers load it, in a world of its own. */
function worker(tabs: Tab[]) {
  const listeners = new Map<string, (event: object) => void>();
  const shown: [string, { body: string; tag: string; data: { link: string } }][] = [];
  const opened: string[] = [];
  const self = {
    PROGRAM: { version: '1', files: [] },
    location: { origin: 'https://acme.example' },
    addEventListener: (name: string, listener: (event: object) => void) => listeners.set(name, listener),
    skipWaiting: () => undefined,
    clients: {
      claim: () => Promise.resolve(),
      matchAll: () => Promise.resolve(tabs),
      openWindow: (url: string) => Promise.resolve(void opened.push(url)),
    },
    registration: {
      showNotification: (title: string, options: never) => Promise.resolve(void shown.push([title, options])),
    },
  };
  const file = join(import.meta.dirname, '../../../../src/client/service_worker.js');
  runInContext(readFileSync(file, 'utf8'), createContext({ self, URL }));
  const fire = async (name: string, event: object) => {
    let waiting: Promise<unknown> = Promise.resolve();
    listeners.get(name)!({ ...event, waitUntil: (work: Promise<unknown>) => (waiting = work) });
    await waiting;
  };
  return { fire, shown, opened };
}
const push = (data: unknown) => ({ data: { json: () => ({ data }) } });
const click = (link?: string) => {
  const close = vi.fn();
  return { notification: { close, data: link === undefined ? undefined : { link } } };
};
function tab(focused: boolean) {
  const gone: string[] = [];
  return {
    gone,
    url: 'https://acme.example/branch',
    focused,
    focus: () => Promise.resolve(),
    navigate: (url: string) => Promise.resolve(void gone.push(url)),
  };
}

describe('the service worker', () => {
  it('shows messages only while no tab is in front', async () => {
    const away = worker([tab(false)]);
    await away.fire('push', push({ title: 'Ticket 7', body: 'Lift 3', tag: 'message-1', link: '/ticket/view/7' }));
    expect(away.shown).toEqual([
      ['Ticket 7', { body: 'Lift 3', tag: 'message-1', icon: '/favicon.svg', data: { link: '/ticket/view/7' } }],
    ]);
    const front = worker([tab(true)]);
    await front.fire('push', push({ title: 'Ticket 7' }));
    await away.fire('push', push({}));
    await away.fire('push', { data: { json: () => JSON.parse('no JSON') as object } });
    expect(front.shown).toEqual([]);
    expect(away.shown).toHaveLength(1);
  });

  it('opens the message’s page in an existing tab or a new one, and never another site', async () => {
    const one = tab(false);
    await worker([one]).fire('notificationclick', click('/ticket/view/7'));
    expect(one.gone).toEqual(['https://acme.example/ticket/view/7']);
    const none = worker([]);
    await none.fire('notificationclick', click('/ticket/view/7'));
    await none.fire('notificationclick', click());
    await none.fire('notificationclick', click('https://evil.example/'));
    expect(none.opened).toEqual([
      'https://acme.example/ticket/view/7',
      'https://acme.example/notifications',
      'https://acme.example',
    ]);
  });
});
