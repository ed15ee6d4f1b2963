import { Button } from '@fluentui/react-components';
import { AppsListRegular, SearchRegular } from '@fluentui/react-icons';
import type { ReactNode } from 'react';
import { Suspense, lazy, useState } from 'react';
import { Link } from 'react-router-dom';
import { clockIn, dayIn, place } from '../../../descriptor/place.ts';
import type { ScreenRef } from '../../../descriptor/types.ts';
import { menu, refetchMenu } from '../../api/screens.ts';
import { dayInWords } from '../../runtime/fields/calendar/days.ts';
import { MenuIcon } from '../layout/MenuIcon.tsx';
import { openPanel } from '../layout/panels.ts';
import { EmptyState, ErrorView, Page, PageBody, Skeleton } from '../page.tsx';
import { pageStar } from '../quick_links/page_star.ts';
import { quickTiles } from '../dialogs/quick_tiles.ts';
import { recentScreens } from '../recent_screens.ts';
import { useSession } from '../session.ts';
import { screenGroups } from './screen_groups.ts';
import styles from './home.module.css';

const Announcements = lazy(() => import('./Announcements.tsx'));
const MyWork = lazy(() => import('./MyWork.tsx'));
const MyZone = lazy(() => import('./MyZone.tsx'));
const QuickLinks = lazy(() => import('./QuickLinks.tsx'));

/** Where the day starts: what this person uses, and everything that can be opened. */
export function Home({ title = 'Home' }: { title?: string }) {
  const session = useSession();
  const { tree, screens, hidden, loaded, error } = menu.use();
  const [now] = useState(() => Date.now());
  const recent = recentScreens.use();

  const byName = (names: string[]) =>
    names.flatMap((name) => screens.filter((ref) => ref.name === name && ref.rights.landing));
  const visited = byName(recent).slice(0, 8);
  const add = quickTiles(screens, session);
  const tiles = [...add.shortcuts.filter((tile) => !tile.disabled), ...add.others].slice(0, 4);
  const groups = screenGroups(tree, screens, hidden);

  return (
    <Page title={title} breadcrumbs={[]}>
      <PageBody>
        <section className={styles.hello}>
          <div>
            <h2>
              {greeting(now)}, {session.name.split(' ')[0] || 'welcome'}
            </h2>
            <p>
              {dayInWords(dayIn(place().timezone, now))}
              {session.entityName && ` · ${session.entityName}`}
              {session.financialYear && ` · FY ${session.financialYear}`}
            </p>
          </div>
          <Button icon={<SearchRegular />} onClick={() => openPanel('search')}>
            Search pages and records
          </Button>
        </section>

        {!loaded && error ? (
          <ErrorView error={error} title="Your pages could not be loaded." retry={() => void refetchMenu()} />
        ) : !loaded ? (
          <Skeleton rows={6} label="Loading your pages" />
        ) : groups.length === 0 ? (
          <EmptyState
            icon={<AppsListRegular />}
            title="Nothing is open to you yet"
            text="Your role has no pages in this company. Ask your administrator for access."
            actions={[{ label: 'Look again', onClick: () => void refetchMenu() }]}
          />
        ) : (
          <>
            <Suspense fallback={null}>
              {session.entityId !== null && <MyWork />}
              {!session.isPlatform && <Announcements />}
              <MyZone />
              <QuickLinks />
            </Suspense>
            {visited.length > 0 && (
              <Section title="Opened last">
                <Tiles screens={visited} />
              </Section>
            )}
            {tiles.length > 0 && (
              <Section title="Add">
                <ul className={styles.tiles}>
                  {tiles.map((tile) => (
                    <li key={tile.to} className={styles.tile} data-add>
                      <Link to={tile.to}>
                        <MenuIcon name={tile.icon} />
                        <span>Add {tile.label.toLowerCase()}</span>
                      </Link>
                    </li>
                  ))}
                </ul>
              </Section>
            )}
            {groups.map((group) => (
              <Section key={group.title} title={group.title}>
                <Tiles screens={group.screens} />
              </Section>
            ))}
          </>
        )}
      </PageBody>
    </Page>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={styles.section} aria-label={title}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

function Tiles({ screens }: { screens: ScreenRef[] }) {
  const Star = pageStar.use();
  return (
    <ul className={styles.tiles}>
      {screens.map((ref) => {
        const title = ref.kind === 'settings' ? ref.title : ref.plural;
        return (
          <li key={ref.name} className={styles.tile}>
            <Link to={ref.routes.landing}>
              <MenuIcon name={ref.icon} />
              <span>{title}</span>
            </Link>
            {Star && <Star title={title} path={ref.routes.landing} />}
          </li>
        );
      })}
    </ul>
  );
}

function greeting(now: number): string {
  const hour = Number(clockIn(place().timezone, now).slice(11, 13));
  if (hour < 12) return 'Good morning';
  return hour < 17 ? 'Good afternoon' : 'Good evening';
}
