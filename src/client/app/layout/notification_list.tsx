import { Badge, Button } from '@fluentui/react-components';
import {
  AlertRegular,
  CheckmarkCircleRegular,
  ErrorCircleRegular,
  InfoRegular,
  WarningRegular,
} from '@fluentui/react-icons';
import { useCallback, useEffect, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { onLive } from '../../api/live.ts';
import { toast } from '../feedback.ts';
import { EmptyState, ErrorView, Skeleton } from '../page.tsx';
import { formatMoment } from '../../../descriptor/format.ts';
import type { NotificationEntry } from './notification_store.ts';
import { fetchNotifications, markRead } from './notification_store.ts';
import styles from './notifications.module.css';

export interface NotificationsState {
  entries: NotificationEntry[] | null;
  more: boolean;
  unread: number;
  error: unknown;
  reload: () => void;
  loadMore: () => Promise<void>;
  read: (entry: NotificationEntry) => Promise<void>;
  readAll: () => Promise<void>;
}

/** One's own notifications, updated while they are shown. */
export function useNotifications(unreadOnly: boolean): NotificationsState {
  const [entries, setEntries] = useState<NotificationEntry[] | null>(null);
  const [more, setMore] = useState(false);
  const [unread, setUnread] = useState(0);
  const [error, setError] = useState<unknown>(null);

  const reload = useCallback(() => {
    fetchNotifications({ unread: unreadOnly }).then(
      (page) => {
        setEntries(page.data);
        setMore(page.more);
        setUnread(page.unread);
        setError(null);
      },
      (thrown: unknown) => setError(thrown),
    );
  }, [unreadOnly]);

  useEffect(() => {
    reload();
    return onLive(({ event }) => {
      if (event === 'notification' || event === 'resumed') reload();
    });
  }, [reload]);

  const now = () => new Date().toISOString();
  return {
    entries,
    more,
    unread,
    error,
    reload,
    async loadMore() {
      const last = entries?.at(-1);
      if (!last) return;
      const page = await fetchNotifications({ before: last.id, unread: unreadOnly });
      setEntries((old) => [...(old ?? []), ...page.data]);
      setMore(page.more);
    },
    async read(entry) {
      if (entry.read_at !== null) return;
      setEntries((old) => old?.map((one) => (one.id === entry.id ? { ...one, read_at: now() } : one)) ?? null);
      await markRead([entry.id]).catch(() => undefined);
    },
    async readAll() {
      try {
        await markRead('all');
        setEntries((old) => old?.map((one) => ({ ...one, read_at: one.read_at ?? now() })) ?? null);
        setUnread(0);
      } catch {
        toast.error('Server Error');
      }
    },
  };
}

const ICONS = {
  info: InfoRegular,
  success: CheckmarkCircleRegular,
  warning: WarningRegular,
  error: ErrorCircleRegular,
};

/** "5 min ago", "yesterday 02:30 PM", "03-11-2026 09:15 AM". */
export function momentWords(at: string, today = new Date()): string {
  const moment = new Date(at);
  const minutes = Math.round((today.getTime() - moment.getTime()) / 60_000);
  if (minutes < 1) return 'just now';
  if (minutes < 60) return `${minutes} min ago`;
  const whole = formatMoment(at);
  const clock = whole.slice(whole.indexOf(' ') + 1);
  const days = Math.round(
    (new Date(today.toDateString()).getTime() - new Date(moment.toDateString()).getTime()) / 86_400_000,
  );
  if (days === 0) return `today ${clock}`;
  if (days === 1) return `yesterday ${clock}`;
  return whole;
}

/** The entries; a click marks one as read and opens its target. */
export function NotificationList({ list, onOpen }: { list: NotificationsState; onOpen?: () => void }) {
  const navigate = useNavigate();
  const [busy, setBusy] = useState(false);
  if (list.error && list.entries === null)
    return <ErrorView error={list.error} title="Your notifications could not be loaded." retry={list.reload} />;
  if (list.entries === null) return <Skeleton rows={5} label="Loading notifications" />;
  if (list.entries.length === 0)
    return (
      <EmptyState
        icon={<AlertRegular />}
        title="Nothing new"
        text="Messages for you appear here: approvals, comments, finished imports."
      />
    );
  return (
    <>
      <ul className={styles.list}>
        {list.entries.map((entry) => {
          const Icon = ICONS[entry.severity];
          return (
            <li key={entry.id} data-unread={entry.read_at === null || undefined}>
              <button
                type="button"
                onClick={() => {
                  void list.read(entry);
                  if (entry.link === null) return;
                  onOpen?.();
                  void navigate(entry.link);
                }}
              >
                <Icon className={styles.icon} data-severity={entry.severity} aria-hidden />
                <span className={styles.text}>
                  <span className={styles.title}>
                    {entry.title}
                    {entry.count > 1 && (
                      <Badge appearance="tint" size="small">
                        {entry.count}
                      </Badge>
                    )}
                  </span>
                  {entry.body && <span className={styles.body}>{entry.body}</span>}
                  <span className={styles.when}>
                    {momentWords(entry.created_at)}
                    {entry.read_at === null && <span className={styles.unread}> · unread</span>}
                  </span>
                </span>
              </button>
            </li>
          );
        })}
      </ul>
      {list.more && (
        <Button
          disabledFocusable={busy}
          onClick={() => {
            setBusy(true);
            void list.loadMore().finally(() => setBusy(false));
          }}
        >
          Show older
        </Button>
      )}
    </>
  );
}
