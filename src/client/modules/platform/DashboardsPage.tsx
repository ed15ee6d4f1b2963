import { BoardRegular } from '@fluentui/react-icons';
import { Link } from 'react-router-dom';
import useSWR from 'swr';
import { api } from '../../api/http.ts';
import { EmptyState, ErrorView, Page, PageBody, Skeleton } from '../../app/page.tsx';
import { useSession } from '../../app/session.ts';
import { MenuIcon } from '../../app/layout/MenuIcon.tsx';
import styles from './admin.module.css';

interface Tile {
  route: string;
  name: string;
  icon: string | null;
  group: string | null;
  text: string;
  /** Why it cannot be opened now. */
  disabled: string | null;
}

/** A tile for every dashboard that the user may open. */
export default function DashboardsPage() {
  const { entityId } = useSession();
  const {
    data: tiles,
    error,
    mutate,
  } = useSWR(
    ['/tapi/dashboards', entityId],
    async ([path]) => (await api.get<{ data: Tile[] }>(path, undefined, { quiet: true })).data,
  );
  return (
    <Page title="Dashboards">
      <PageBody>
        {error && !tiles ? (
          <ErrorView error={error} retry={() => void mutate()} home />
        ) : !tiles ? (
          <Skeleton rows={4} label="Loading dashboards" />
        ) : tiles.length === 0 ? (
          <EmptyState
            icon={<BoardRegular />}
            title="No dashboards for you yet"
            text="Ask your administrator for the dashboards you need."
          />
        ) : (
          <ul className={styles.tiles}>
            {tiles.map((tile) => (
              <li key={tile.route}>
                {tile.disabled === null ? (
                  <Link className={styles.tile} to={tile.route}>
                    <Words tile={tile} />
                  </Link>
                ) : (
                  <div className={styles.tile} data-off>
                    <Words tile={tile} />
                  </div>
                )}
              </li>
            ))}
          </ul>
        )}
      </PageBody>
    </Page>
  );
}

function Words({ tile }: { tile: Tile }) {
  return (
    <>
      <MenuIcon name={tile.icon ?? 'Board'} fallback="Board" />
      <span>
        <strong>{tile.name}</strong>
        <span className={styles.small}>{tile.disabled ?? tile.text}</span>
      </span>
    </>
  );
}
