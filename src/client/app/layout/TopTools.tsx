import { Button } from '@fluentui/react-components';
import { ArrowSyncRegular } from '@fluentui/react-icons';
import { useEffect, useState } from 'react';
import { api } from '../../api/http.ts';
import { menu } from '../../api/screens.ts';
import { serverAhead } from '../../api/session_events.ts';
import { useBrand } from '../brand.ts';
import { toast } from '../feedback.ts';
import { daysLeft, rememberSession, usePhone, useSession } from '../session.ts';
import { cookieToken } from '../stored_session.ts';
import { MenuIcon } from './MenuIcon.tsx';
import NotificationBell from './NotificationBell.tsx';
import { cardGroup } from './card_group.ts';
import { findGroup } from './menu_tree.ts';
import { openPanel } from './panels.ts';
import styles from './layout.module.css';

/** The part of the top bar loaded after the page. */
export default function TopTools() {
  return (
    <>
      <BoardShortcuts />
      <NotificationBell />
      <RefreshButton />
    </>
  );
}

/** The board's groups, each opening a card menu; for board members, on hosts of such a brand. */
export function BoardShortcuts() {
  const { tree } = menu.use();
  const { isBoard } = useSession();
  const { menuVariant } = useBrand();
  const phone = usePhone();
  if (menuVariant !== 'board' || !isBoard || phone) return null;
  return ['STRATEGY', 'TEAM', 'ACT'].map((name) => {
    const node = findGroup(tree, name);
    if (!node) return null;
    const open = () => {
      cardGroup.set(node.code);
      openPanel('menu');
    };
    return (
      <Button
        key={name}
        className={styles.topButton}
        appearance="transparent"
        icon={<MenuIcon name={node.icon} />}
        aria-label={node.name}
        title={node.name}
        onClick={open}
      />
    );
  });
}

/** Red if the session has less than three days left; a failed refresh shows nothing, the button stays. */
export function RefreshButton() {
  const { expiryDate, utcOffset } = useSession();
  const ahead = serverAhead.use();
  const [busy, setBusy] = useState(false);
  const [now, setNow] = useState(() => Date.now());
  // A tab may stay open for days.
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 3_600_000);
    return () => clearInterval(timer);
  }, []);
  const left = daysLeft(expiryDate, now + ahead, utcOffset);
  if (!(left < 3)) return null;
  const refresh = async () => {
    setBusy(true);
    try {
      const answer = await api.post<{ new_token: string; expiry_date: string }>(
        '/api/update_refresh_token/~',
        {},
        { quiet: true },
      );
      rememberSession({ token: answer.new_token || cookieToken, expiry_date: answer.expiry_date });
      toast.success('Your session is extended by 7 days.');
    } catch {
      // Ignored by specification: at the end of the session the next call leads to the sign-in page.
    }
    setBusy(false);
  };
  const words =
    left <= 0
      ? 'Your session ends today. Extend it'
      : `Your session ends in ${left} ${left === 1 ? 'day' : 'days'}. Extend it`;
  return (
    <Button
      className={styles.refresh}
      appearance="transparent"
      icon={<ArrowSyncRegular />}
      aria-label={words}
      title={words}
      disabled={busy}
      onClick={() => void refresh()}
    />
  );
}
