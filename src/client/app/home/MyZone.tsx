import { CounterBadge } from '@fluentui/react-components';
import { Link } from 'react-router-dom';
import useSWR from 'swr';
import { api } from '../../api/http.ts';
import { MenuIcon } from '../layout/MenuIcon.tsx';
import { useSession } from '../session.ts';
import styles from './home.module.css';

interface Entry {
  code: string;
  name: string;
  icon?: string;
  route: string;
  /** null = not counted. */
  count: number | null;
  more: boolean;
}

/** The person's own work, each kind with how much there is; nothing where there is none. */
export default function MyZone() {
  const { entityId } = useSession();
  const { data } = useSWR(['/tapi/my_zone', entityId], ([path]) =>
    api.get<{ data: Entry[] }>(path, undefined, { quiet: true }),
  );
  if (!data || data.data.length === 0) return null;
  return (
    <section className={styles.section} aria-label="My Zone">
      <h2>My Zone</h2>
      <ul className={styles.tiles}>
        {data.data.map((entry) => (
          <li key={entry.code} className={styles.tile}>
            <Link
              to={entry.route}
              aria-label={
                entry.count === null ? entry.name : `${entry.name}, ${entry.count}${entry.more ? ' or more' : ''}`
              }
            >
              <MenuIcon name={entry.icon} />
              <span>{entry.name}</span>
              {entry.count !== null && entry.count > 0 && (
                <CounterBadge
                  appearance="filled"
                  color="brand"
                  count={entry.more ? 100 : entry.count}
                  overflowCount={99}
                />
              )}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
