import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { dialogs, toasts } from '../../../../src/client/app/feedback.ts';
import type { PushBrowser } from '../../../../src/client/app/push/push.ts';
import { startPush } from '../../../../src/client/app/push/push.ts';
import { currentSession, forgetSession, rememberSession } from '../../../../src/client/app/session.ts';
import type { FakeCall } from './fetch_fake.ts';
import { fakeFetch } from './fetch_fake.ts';

const firebase = { apiKey: 'k', projectId: 'p', messagingSenderId: '1', appId: 'a', vapidKey: 'v' };
let devices: { id: number; device_token: string }[];
let calls: FakeCall[];

function browser(more: Partial<PushBrowser> = {}): PushBrowser & { left: boolean } {
  const one = {
    left: false,
    supported: () => true,
    permission: () => 'granted' as NotificationPermission,
    ask: () => Promise.resolve('granted' as NotificationPermission),
    token: () => Promise.resolve('new'),
    leave: () => void (one.left = true),
    ...more,
  };
  return one;
}
function serve(denied: string, settings: object | null = firebase): void {
  calls = fakeFetch({
    'GET /config.json': () => ({ body: { firebase: settings } }),
    'GET /tapi/push': () => ({ body: { data: { denied_action: denied } } }),
    'GET /get_users_device/7': () => ({ body: { data: devices } }),
    'PUT /update_users_device/31': () => ({ body: { data: { id: 31 } } }),
    'POST /notification_token': () => ({ status: 201, body: { data: { id: 32 } } }),
    'POST /api/sessions/logout': () => ({ status: 204 }),
  });
}
/** Answers the dialog that comes, as a person would. */
async function answer(yes: boolean): Promise<string> {
  const dialog = await vi.waitUntil(() => dialogs.get()[0]);
  dialogs.set((old) => old.slice(1));
  dialog.resolve(yes);
  return dialog.kind === 'confirm' || dialog.kind === 'alert' ? (dialog.text ?? '') : '';
}
const asked = () => calls.map(({ method, path }) => `${method} ${path}`);

beforeEach(() => {
  devices = [];
  rememberSession({
    token: 't',
    user_id: 7,
    user_name: 'Asha Rao',
    user_email: 'asha@acme.in',
    domain: 'acme',
    entity_id: 1,
  });
});
afterEach(() => {
  forgetSession();
  toasts.set([]);
  vi.unstubAllGlobals();
});

describe('push', () => {
  it('asks nobody if it is not configured, or the browser does not support it', async () => {
    serve('logout', null);
    const ask = vi.fn(() => Promise.resolve('granted' as const));
    await startPush(browser({ permission: () => 'default', ask }));
    await startPush(browser({ supported: () => false, ask }));
    expect(ask).not.toHaveBeenCalled();
    expect(asked()).toEqual(['GET /config.json']);
  });

  it('explains, asks, and registers a new browser', async () => {
    serve('logout');
    const done = startPush(browser({ permission: () => 'default' }));
    expect(await answer(true)).toContain('if you do not allow it, you are signed out');
    await done;
    expect(calls.at(-1)).toMatchObject({
      method: 'POST',
      path: '/notification_token',
      body: {
        notification_token: {
          user_id: 7,
          name: 'Asha Rao',
          email: 'asha@acme.in',
          device_token: 'new',
          device_flag: true,
          entity_id: 1,
          active: true,
        },
      },
    });
    expect(localStorage.getItem('device_token')).toBe('new');
  });

  it('reads the token again at each start, and updates the known device', async () => {
    serve('logout');
    devices = [{ id: 31, device_token: 'old' }];
    localStorage.setItem('device_id', '31');
    await startPush(browser());
    expect(calls.at(-1)).toMatchObject({
      method: 'PUT',
      path: '/update_users_device/31',
      body: { device_token: 'new', active: true },
    });
  });

  it('signs out a person who refuses, if the client wants that', async () => {
    serve('logout');
    const one = browser({ permission: () => 'denied' });
    const done = startPush(one);
    await answer(true);
    await done;
    expect(asked()).toContain('POST /api/sessions/logout');
    expect(currentSession().signedIn).toBe(false);
    expect(one.left).toBe(true);
  });

  it('says so once, or nothing, as the client wants', async () => {
    serve('warn');
    await startPush(browser({ permission: () => 'denied' }));
    await startPush(browser({ permission: () => 'denied' }));
    expect(toasts.get()).toMatchObject([{ type: 'warning', count: 1 }]);
    toasts.set([]);
    serve('ignore');
    await startPush(browser({ permission: () => 'denied' }));
    expect(toasts.get()).toEqual([]);
    expect(currentSession().signedIn).toBe(true);
  });

  it('reports a token that is unavailable, and counts it as refused', async () => {
    serve('warn');
    await startPush(
      browser({ token: () => Promise.reject(Object.assign(new Error('No network'), { code: 'messaging/failed' })) }),
    );
    expect(toasts.get().map(({ text }) => text)).toEqual(
      expect.arrayContaining(['messaging/failed', 'No network', 'An error occurred while retrieving token']),
    );
    expect(asked()).not.toContain('POST /notification_token');
  });
});
