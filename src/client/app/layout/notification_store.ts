import { api } from '../../api/http.ts';
import { onLive } from '../../api/live.ts';
import { createStore } from '../store.ts';

/** One entry of the notification centre. */
export interface NotificationEntry {
  id: number;
  event_code: string;
  title: string;
  body: string | null;
  link: string | null;
  severity: 'info' | 'success' | 'warning' | 'error';
  count: number;
  read_at: string | null;
  created_at: string;
}

export interface NotificationPage {
  data: NotificationEntry[];
  more: boolean;
  /** At most 100. */
  unread: number;
}

/** Unread entries, for the bell; 100 = a hundred or more. */
export const unreadCount = createStore(0);

/** A page of one's own entries, the newest first. */
export async function fetchNotifications(query: { before?: number; unread?: boolean } = {}): Promise<NotificationPage> {
  const page = await api.get<NotificationPage>(
    '/tapi/notifications',
    { before: query.before, unread: query.unread ? 'true' : undefined },
    { quiet: true },
  );
  unreadCount.set(page.unread);
  return page;
}

/** Marks entries as read, or all of them. */
export async function markRead(ids: number[] | 'all'): Promise<void> {
  await api.put('/tapi/notifications/read', ids === 'all' ? { all: true } : { ids });
}

/** How long the stream may take to open; if another tab holds it, it never opens in this one. */
const STREAM_MS = 500;

/**
 * Updates the count of the bell while the frame is mounted; returns the function that stops it. The count is requested
 * after the stream has started, so that no notification is missed in between.
 */
export function watchNotifications(): () => void {
  const look = () => void fetchNotifications().catch(() => undefined);
  const without = setTimeout(look, STREAM_MS);
  const deaf = onLive(({ event }) => {
    if (event === 'state') clearTimeout(without);
    if (event === 'state' || event === 'notification' || event === 'resumed') look();
  });
  return () => {
    clearTimeout(without);
    deaf();
  };
}
