import { Button } from '@fluentui/react-components';
import { AddRegular, BuildingMultipleRegular, QuestionCircleRegular, SearchRegular } from '@fluentui/react-icons';
import { Suspense, lazy } from 'react';
import { Link } from 'react-router-dom';
import { menu, screenRefs } from '../../api/screens.ts';
import { useBrand } from '../brand.ts';
import { usePhone, useSession } from '../session.ts';
import { openHelp, openPanel } from './panels.ts';
import styles from './layout.module.css';

const ProfileMenu = lazy(() => import('./ProfileMenu.tsx'));
const TopTools = lazy(() => import('./TopTools.tsx'));

export function TopBar() {
  const brand = useBrand();
  const session = useSession();
  const phone = usePhone();
  const { loaded } = menu.use();
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
      {/* The space of buttons that are loaded later is reserved, so that none moves. */}
      {!loaded && <span className={styles.toolPlace} />}
      {loaded && mayAdd && (
        <Button
          className={styles.topButton}
          appearance="transparent"
          icon={<AddRegular />}
          aria-label="Quick add"
          title="Quick add"
          onClick={() => openPanel('add')}
        />
      )}
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
      <Suspense fallback={<span className={styles.toolPlace} />}>
        <TopTools />
      </Suspense>
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
