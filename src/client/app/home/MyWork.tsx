import { Link } from 'react-router-dom';
import useSWR from 'swr';
import type { CalendarDays } from '../../../domain/calendar.ts';
import { api } from '../../api/http.ts';
import { today } from '../../../descriptor/place.ts';
import { addDays } from '../../runtime/fields/calendar/days.ts';
import { MenuIcon } from '../layout/MenuIcon.tsx';
import { useSession } from '../session.ts';
import styles from './home.module.css';

/** What is not done is told so long after its day, and what comes so long before. In days. */
const [BACK, AHEAD] = [30, 7];
const SHOWN = 8;

/** What waits for this person: what is late first, then by its day; nothing where there is none. */
export default function MyWork() {
  const { entityId } = useSession();
  const now = today();
  const span = { from: addDays(now, -BACK), to: addDays(now, AHEAD) };
  const { data } = useSWR(['/tapi/calendar', now, entityId, 'work'], ([path]) =>
    api.get<{ data: CalendarDays }>(path, { ...span, mine: '1' }, { quiet: true }),
  );
  const events = (data?.data.events ?? []).toSorted((a, b) => a.day.localeCompare(b.day));
  if (events.length === 0) return null;
  return (
    <section className={styles.section} aria-label="My work">
      <h2>
        My work <Link to="/Calendar">{events.length > SHOWN ? `All ${events.length}` : 'Calendar'}</Link>
      </h2>
      <ul className={styles.tiles}>
        {events.slice(0, SHOWN).map(({ day, title, label, route }) => (
          <li key={`${route} ${title}`} className={styles.tile}>
            <Link to={route}>
              <MenuIcon name={day < now ? 'Warning' : 'CalendarClock'} />
              <span>
                {label}
                <small className={styles.due} data-late={day < now || undefined}>
                  {title}
                  {day === now ? ' today' : day < now ? ', was due ' : ', '}
                  {day !== now && <time dateTime={day}>{day.split('-').reverse().join('-')}</time>}
                </small>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
