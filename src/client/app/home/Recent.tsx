import { Link } from 'react-router-dom';
import { menu } from '../../api/screens.ts';
import { MenuIcon } from '../layout/MenuIcon.tsx';
import { openPlaces } from '../open_places.ts';
import { recentPlaces } from '../recent_places.ts';
import { useSession } from '../session.ts';
import { Card } from './Card.tsx';
import styles from './home.module.css';

const SHOWN = 6;

/** The pages and records that this person opened recently and can still open. */
export function Recent() {
  const places = recentPlaces.use();
  const { screens } = menu.use();
  const { entityId } = useSession();
  const open = openPlaces(places, screens, entityId);
  return (
    <Card title="Recent">
      {open.length === 0 ? (
        <p className={styles.nothing}>
          <span>Lists and records that you open appear here. Pages that you mark with the star stay here.</span>
        </p>
      ) : (
        <ul className={styles.lines}>
          {open.slice(0, SHOWN).map(({ to, title, what, icon }) => (
            <li key={to}>
              <Link to={to}>
                <MenuIcon name={icon} />
                <span>{title}</span>
                {what !== undefined && <small>{what}</small>}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
