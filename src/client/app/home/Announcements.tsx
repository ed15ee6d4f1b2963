import { Link } from 'react-router-dom';
import type { Announced, HomeAnswer } from '../../../domain/home.ts';
import { formatMoment } from '../../../descriptor/format.ts';
import { markRead } from '../layout/notification_store.ts';
import { MenuIcon } from '../layout/MenuIcon.tsx';
import { openPanel } from '../layout/panels.ts';
import { Card } from './Card.tsx';
import styles from './home.module.css';

/** The company's announcements: mandatory ones first, then pinned and new; nothing if there are none. */
export function Announcements({ items }: { items: Announced[] }) {
  if (items.length === 0) return null;
  return (
    <Card title="Announcements" more={<Link to="/media_page">All</Link>}>
      <ul className={styles.lines}>
        {items.map(({ id, title, to_read: toRead }) => (
          <li key={id}>
            <Link to={`/media_page?item=${id}`}>
              <MenuIcon name={toRead ? 'Warning' : 'Megaphone'} />
              <span>{title}</span>
              {toRead && <small>To be read</small>}
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** Unread notices; nothing if there are none. */
export function Notices({ notices: { unread, items } }: { notices: HomeAnswer['notices'] }) {
  if (items.length === 0) return null;
  return (
    <Card
      title="Unread notices"
      more={
        <button type="button" className={styles.all} onClick={() => openPanel('notifications')}>
          All {unread >= 100 ? '99+' : unread}
        </button>
      }
    >
      <ul className={styles.lines}>
        {items.map(({ id, title, link, created_at: at }) => (
          <li key={id}>
            <Notice title={title} link={link} at={at} onOpen={() => void markRead([id]).catch(() => undefined)} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Notice({ title, link, at, onOpen }: { title: string; link: string | null; at: string; onOpen: () => void }) {
  const words = (
    <>
      <MenuIcon name="Mail" />
      <span>{title}</span>
      <small>{formatMoment(at)}</small>
    </>
  );
  return link === null ? (
    <button type="button" onClick={() => openPanel('notifications')}>
      {words}
    </button>
  ) : (
    <Link to={link} onClick={onOpen}>
      {words}
    </Link>
  );
}
