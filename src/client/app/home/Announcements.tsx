import { Link } from 'react-router-dom';
import useSWR from 'swr';
import type { MediaItem } from '../../../domain/media_feed.ts';
import { api } from '../../api/http.ts';
import { MenuIcon } from '../layout/MenuIcon.tsx';
import { useSession } from '../session.ts';
import styles from './home.module.css';

/** What the company tells its people: to be read first, then pinned and new; nothing where there is none. */
export default function Announcements() {
  const { entityId } = useSession();
  const { data } = useSWR(['/tapi/media_feed/announcements', entityId], ([path]) =>
    api.get<{ data: MediaItem[] }>(path, undefined, { quiet: true }),
  );
  if (!data || data.data.length === 0) return null;
  return (
    <section className={styles.section} aria-label="Announcements">
      <h2>
        Announcements <Link to="/media_page">All</Link>
      </h2>
      <ul className={styles.tiles}>
        {data.data.map((one) => (
          <li key={one.id} className={styles.tile}>
            <Link to={`/media_page?item=${one.id}`}>
              <MenuIcon name={one.must_acknowledge && !one.acknowledged ? 'Warning' : 'Megaphone'} />
              <span>
                {one.title}
                {one.must_acknowledge && !one.acknowledged && ' (to be read)'}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
