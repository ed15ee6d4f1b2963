import { api } from '../../api/http.ts';
import { alertDialog, confirmDialog, toast } from '../feedback.ts';
import { currentSession, forgetSession } from '../session.ts';
import type { FirebaseSettings } from './firebase_token.ts';

/** Where the browser's token is stored, so that signing out can revoke it. */
const DEVICE_TOKEN = 'device_token';
const DEVICE_ID = 'device_id';
/** Set once this tab has an answer, so that the person is not asked twice. */
const ASKED = 'push_asked';

/** The browser's functions; tests replace them. */
export interface PushBrowser {
  supported(): boolean;
  permission(): NotificationPermission;
  ask(): Promise<NotificationPermission>;
  token(settings: FirebaseSettings): Promise<string>;
  leave(): void;
}

const here: PushBrowser = {
  supported: () => 'Notification' in window && 'serviceWorker' in navigator && 'PushManager' in window,
  permission: () => Notification.permission,
  ask: () => Notification.requestPermission(),
  token: async (settings) => (await import('./firebase_token.ts')).firebaseToken(settings),
  leave: () => location.assign('/login'),
};

/**
 * After signing in, and at each start of the page: asks for permission, reads the browser's token again (browsers issue
 * a new one after a change of permission) and sends it to the server. Does nothing if push is not configured or not
 * supported.
 */
export async function startPush(browser: PushBrowser = here): Promise<void> {
  const session = currentSession();
  if (!session.signedIn || session.isPlatform || !browser.supported()) return;
  const response = await fetch('/config.json');
  const { firebase } = (await response.json()) as { firebase: FirebaseSettings | null };
  if (!firebase) return;

  let permission = browser.permission();
  if (permission === 'default') {
    if (sessionStorage.getItem(ASKED)) return;
    const { data } = await api.get<{ data: { denied_action: DeniedAction } }>('/tapi/push', undefined, { quiet: true });
    const agreed = await confirmDialog({
      title: 'Show notifications on this device?',
      text: `Your browser will now ask whether to allow notifications, such as a ticket assigned to you. Please allow them.${data.denied_action === 'logout' ? ' Your company requires it: if you do not allow it, you are signed out.' : ''}`,
      confirmLabel: 'Continue',
      cancelLabel: 'Not now',
    });
    sessionStorage.setItem(ASKED, '1');
    permission = agreed ? await browser.ask() : 'denied';
  }
  if (permission !== 'granted')
    return refused(
      browser,
      'Notifications are blocked on this device. Allow them for this address in the settings of your browser.',
    );

  let token: string;
  try {
    token = await browser.token(firebase);
  } catch (thrown) {
    const { code, message } = thrown as { code?: string; message?: string };
    for (const words of [code, message, 'An error occurred while retrieving token']) if (words) toast.error(words);
    return refused(
      browser,
      'This device could not be registered for notifications. Try again, or use another browser.',
    );
  }
  await register(token);
}

async function register(token: string): Promise<void> {
  const { userId, name, email, entityId } = currentSession();
  const { data: known } = await api.get<{ data: { id: number; device_token: string }[] }>(
    `/get_users_device/${userId}`,
    undefined,
    { quiet: true },
  );
  const device =
    known.find((one) => one.device_token === token) ??
    known.find(({ id }) => String(id) === localStorage.getItem(DEVICE_ID));
  const answer = device
    ? await api.put<{ data: { id: number } }>(
        `/update_users_device/${device.id}`,
        { device_token: token, device_flag: true, entity_id: entityId, active: true },
        { quiet: true },
      )
    : await api.post<{ data: { id: number } }>(
        '/notification_token',
        {
          notification_token: {
            user_id: userId,
            name,
            email,
            device_token: token,
            device_flag: true,
            entity_id: entityId,
            active: true,
          },
        },
        { quiet: true },
      );
  localStorage.setItem(DEVICE_ID, String(answer.data.id));
  localStorage.setItem(DEVICE_TOKEN, token);
}

type DeniedAction = 'logout' | 'warn' | 'ignore';

/** The client's configured consequence when messages cannot be shown. */
async function refused(browser: PushBrowser, words: string): Promise<void> {
  const { data } = await api.get<{ data: { denied_action: DeniedAction } }>('/tapi/push', undefined, { quiet: true });
  if (data.denied_action === 'ignore') return;
  if (data.denied_action === 'warn') {
    if (sessionStorage.getItem('push_warned')) return;
    sessionStorage.setItem('push_warned', '1');
    toast.warning(words);
    return;
  }
  await alertDialog({ type: 'warning', title: 'You are signed out', text: `${words} Then sign in again.` });
  await api.post('/api/sessions/logout', {}, { quiet: true }).catch(() => undefined);
  forgetSession();
  browser.leave();
}
