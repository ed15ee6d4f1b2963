import { Button } from '@fluentui/react-components';
import { AddRegular, ArrowSyncRegular, BuildingMultipleRegular, QuestionCircleRegular, SearchRegular } from '@fluentui/react-icons';
import { Suspense, lazy, useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import { api } from '../../api/http.ts';
import { menu, screenRefs } from '../../api/screens.ts';
import { serverAhead } from '../../api/session_events.ts';
import { useBrand } from '../brand.ts';
import { toast } from '../feedback.ts';
import { daysLeft, rememberSession, usePhone, useSession } from '../session.ts';
import { cookieToken } from '../stored_session.ts';
import { MenuIcon } from './MenuIcon.tsx';
import { cardGroup } from './card_group.ts';
import { findGroup } from './menu_tree.ts';
import { openHelp, openPanel } from './panels.ts';
import styles from './layout.module.css';

const ProfileMenu = lazy(() => import('./ProfileMenu.tsx'));
const NotificationBell = lazy(() => import('./NotificationBell.tsx'));

export function TopBar() {
  const brand = useBrand();
  const session = useSession();
  const phone = usePhone();
  const mayAdd = screenRefs.use().some((ref) => ref.routes.add !== null && ref.rights.add_screen);

  return (
    <header className={styles.top}>
      <Link to="/show_list" className={styles.logo} aria-label={`${brand.title}, home`}>
        <img src={brand.logo ?? '/favicon.svg'} alt="" width={28} height={28} />
        {!phone && <span>{brand.title}</span>}
      </Link>
      {session.entityName && (
        <span className={styles.company} title={session.entityName}>
          {session.entityName}
        </span>
      )}
      <span className={styles.space} />
      {phone ? (
        <Button
          className={styles.topButton}
          appearance="transparent"
          icon={<SearchRegular />}
          aria-label="Search"
          onClick={() => openPanel('search')}
        />
      ) : (
        <button type="button" className={styles.search} onClick={() => openPanel('search')}>
          <SearchRegular aria-hidden />
          <span>Search</span>
          <kbd>Ctrl K</kbd>
        </button>
      )}
      {mayAdd && (
        <Button
          className={styles.topButton}
          appearance="transparent"
          icon={<AddRegular />}
          aria-label="Quick add"
          title="Quick add"
          onClick={() => openPanel('add')}
        />
      )}
      {brand.menuVariant === 'board' && session.isBoard && !phone && <BoardShortcuts />}
      {!session.isPlatform && !phone && (
        <Button
          className={styles.topButton}
          appearance="transparent"
          icon={<QuestionCircleRegular />}
          aria-label="Help"
          title="Help on this page"
          onClick={openHelp}
        />
      )}
      <Suspense fallback={null}>
        <NotificationBell />
      </Suspense>
      <RefreshButton />
      {session.entities.length > 1 && (
        <Button
          className={styles.topButton}
          appearance="transparent"
          icon={<BuildingMultipleRegular />}
          aria-label="Switch company"
          title="Switch company"
          onClick={() => openPanel('company')}
        />
      )}
      <Suspense fallback={<span className={styles.profilePlace} />}>
        <ProfileMenu />
      </Suspense>
    </header>
  );
}

/** The groups of the board, each a card menu away. */
function BoardShortcuts() {
  const { tree } = menu.use();
  return ['STRATEGY', 'TEAM', 'ACT'].map((name) => {
    const node = findGroup(tree, name);
    if (!node) return null;
    const open = () => {
      cardGroup.set(node.code);
      openPanel('menu');
    };
    return <Button key={name} className={styles.topButton} appearance="transparent" icon={<MenuIcon name={node.icon} />} aria-label={node.name} title={node.name} onClick={open} />;
  });
}

/** Red when fewer than three days of the session are left; a refresh that fails is not told, the button stays. */
function RefreshButton() {
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
      const answer = await api.post<{ new_token: string; expiry_date: string }>('/api/update_refresh_token/~', {}, { quiet: true });
      rememberSession({ token: answer.new_token || cookieToken, expiry_date: answer.expiry_date });
      toast.success('Your session is extended by 7 days.');
    } catch {
      // By rule ignored: at the end of the session the next call leads to the sign-in page.
    }
    setBusy(false);
  };
  const words = left <= 0 ? 'Your session ends today. Extend it' : `Your session ends in ${left} ${left === 1 ? 'day' : 'days'}. Extend it`;
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
