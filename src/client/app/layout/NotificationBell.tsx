import { Button, CounterBadge } from '@fluentui/react-components';
import { AlertRegular } from '@fluentui/react-icons';
import { useEffect } from 'react';
import { unreadCount, watchNotifications } from './notification_store.ts';
import { openPanel } from './panels.ts';
import styles from './layout.module.css';

/** The bell with the number of unread notifications. */
export default function NotificationBell() {
  const unread = unreadCount.use();
  useEffect(watchNotifications, []);
  useEffect(() => {
    // Without an answer the page continues without push.
    void import('../push/push.ts').then(({ startPush }) => startPush()).catch(() => undefined);
  }, []);
  const words = unread === 0 ? 'Notifications' : `Notifications, ${unread >= 100 ? 'more than 99' : unread} unread`;
  return (
    <span className={styles.bell}>
      <Button
        className={styles.topButton}
        appearance="transparent"
        icon={<AlertRegular />}
        aria-label={words}
        title="Notifications"
        onClick={() => openPanel('notifications')}
      />
      {unread > 0 && (
        <CounterBadge
          className={styles.bellCount}
          count={unread}
          overflowCount={99}
          size="small"
          color="danger"
          aria-hidden
        />
      )}
    </span>
  );
}
