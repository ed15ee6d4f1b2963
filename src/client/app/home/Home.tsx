import { CounterBadge } from '@fluentui/react-components';
import { AppsListRegular } from '@fluentui/react-icons';
import { Suspense, lazy, useState } from 'react';
import { Link } from 'react-router-dom';
import { clockIn, dayIn, place } from '../../../descriptor/place.ts';
import type { DashboardAnswer, TileAnswer } from '../../../domain/dashboard.ts';
import type { HomeAnswer } from '../../../domain/home.ts';
import { api } from '../../api/http.ts';
import { menu, refetchMenu } from '../../api/screens.ts';
import { FigureTile } from '../../runtime/dashboard/FigureTile.tsx';
import { dayInWords } from '../../runtime/fields/calendar/days.ts';
import { MenuIcon } from '../layout/MenuIcon.tsx';
import { openPanel } from '../layout/panels.ts';
import { EmptyState, ErrorView, Page, PageBody, Skeleton } from '../page.tsx';
import { useSession } from '../session.ts';
import { Announcements, Notices } from './Announcements.tsx';
import { Card } from './Card.tsx';
import { QuickLinks } from './QuickLinks.tsx';
import { Recent } from './Recent.tsx';
import { Waiting } from './Waiting.tsx';
import { useHome } from './use_home.ts';
import styles from './home.module.css';

const HomeTile = lazy(() => import('./HomeTile.tsx'));

/** The start page: items that wait for this person, the figures of their role, and recent pages. */
export function Home({ title = 'Home' }: { title?: string }) {
  const session = useSession();
  const { tree, loaded, error: menuError } = menu.use();
  const { data: answer, error, mutate } = useHome();
  const [now] = useState(() => Date.now());
  const failed = (!loaded && menuError) || (!answer && error);

  return (
    <Page
      title={title}
      breadcrumbs={[]}
      secondary={[{ label: 'All pages', icon: <AppsListRegular />, onClick: () => openPanel('menu') }]}
    >
      <PageBody>
        <p className={styles.hello}>
          <strong>
            {greeting(now)}, {session.name.split(' ')[0] || 'welcome'}
          </strong>{' '}
          {dayInWords(dayIn(place().timezone, now))}
          {session.entityName && ` · ${session.entityName}`}
          {session.financialYear && ` · FY ${session.financialYear}`}
        </p>
        {failed ? (
          <ErrorView
            error={failed}
            title="Your page could not be loaded."
            retry={() => void Promise.all([refetchMenu(), mutate()])}
          />
        ) : loaded && tree.length === 0 ? (
          <EmptyState
            icon={<AppsListRegular />}
            title="You have no access to any page yet"
            text="Your role has no pages in this company. Ask your administrator for access."
            actions={[{ label: 'Check again', onClick: () => void refetchMenu() }]}
          />
        ) : !loaded || !answer ? (
          <Coming />
        ) : (
          <div className={styles.columns}>
            <div className={styles.column}>
              <Waiting answer={answer} />
              {answer.figures && <Figures figures={answer.figures} />}
              <Zone zone={answer.zone} />
              {answer.tiles.length > 0 && (
                <Suspense fallback={null}>
                  {answer.tiles.map((one) => (
                    <HomeTile key={`${one.dashboard} ${one.tile.name}`} {...one} />
                  ))}
                </Suspense>
              )}
            </div>
            <div className={styles.column}>
              <Announcements items={answer.announcements} />
              <Notices notices={answer.notices} />
              <Recent />
              <QuickLinks />
            </div>
          </div>
        )}
      </PageBody>
    </Page>
  );
}

/** A skeleton of the coming content. */
function Coming() {
  return (
    <div className={styles.columns}>
      <div className={styles.column}>
        <div className={styles.card}>
          <Skeleton rows={8} label="Loading your page" />
        </div>
      </div>
      <div className={styles.column} aria-hidden>
        <div className={styles.card}>
          <Skeleton rows={6} />
        </div>
      </div>
    </div>
  );
}

/** The figures of the person's role, from their dashboard. */
function Figures({ figures }: { figures: NonNullable<HomeAnswer['figures']> }) {
  const { title, dashboard, route, tiles } = figures;
  const [fresh, setFresh] = useState<TileAnswer[]>([]);
  const answers = new Map([...figures.answers, ...fresh].map((one) => [one.name, one]));
  const again = async (name: string) => {
    const { data } = await api.post<{ data: DashboardAnswer }>(
      `/tapi/dashboard/${dashboard}`,
      { tiles: [name] },
      { quiet: true },
    );
    setFresh(data.tiles);
  };
  return (
    <Card title={title} more={<Link to={route}>Dashboard</Link>}>
      <ul className={styles.figures}>
        {tiles
          .filter(({ name }) => answers.has(name))
          .map((tile) => (
            <li key={tile.name}>
              <FigureTile
                tile={tile}
                answer={answers.get(tile.name)}
                onAgain={() => void again(tile.name).catch(() => undefined)}
              />
            </li>
          ))}
      </ul>
    </Card>
  );
}

/** The person's own lists, each with its number of records. */
function Zone({ zone }: { zone: HomeAnswer['zone'] }) {
  if (zone.length === 0) return null;
  return (
    <Card title="My Zone">
      <ul className={styles.zone}>
        {zone.map(({ code, name, icon, route, count, more }) => (
          <li key={code}>
            <Link to={route} aria-label={count === null ? name : `${name}, ${count}${more ? ' or more' : ''}`}>
              <MenuIcon name={icon} />
              <span>{name}</span>
              {count !== null && count > 0 && (
                <CounterBadge appearance="filled" color="brand" count={more ? 100 : count} overflowCount={99} />
              )}
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function greeting(now: number): string {
  const hour = Number(clockIn(place().timezone, now).slice(11, 13));
  if (hour < 12) return 'Good morning';
  return hour < 17 ? 'Good afternoon' : 'Good evening';
}
