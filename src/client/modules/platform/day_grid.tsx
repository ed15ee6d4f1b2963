import { dayInWords, weekdays, weeksOf } from '../../runtime/fields/calendar/days.ts';
import { monthNames } from '../../../domain/month_names.ts';
import styles from './day_grid.module.css';

/** The meaning of a day, with its text for people who cannot see the colour. */
export interface DayMark {
  kind: 'holiday' | 'optional' | 'off' | 'half';
  title: string;
}

/** The legend of the colours. */
export function DayLegend({ kinds }: { kinds: [kind: DayMark['kind'], title: string][] }) {
  return (
    <ul className={styles.legend}>
      {kinds.map(([kind, title]) => (
        <li key={kind}>
          <span className={styles.swatch} data-kind={kind} aria-hidden />
          {title}
        </li>
      ))}
    </ul>
  );
}

/** A month whose days are coloured by their meaning. */
export function MonthGrid({
  month,
  markOf,
  today,
}: {
  month: string;
  markOf: (day: string) => DayMark | null;
  today: string;
}) {
  const name = `${monthNames[Number(month.slice(5)) - 1]} ${month.slice(0, 4)}`;
  return (
    <section className={styles.month} aria-label={name}>
      <h2>{name}</h2>
      <WeekTable weeks={weeksOf(month)} name={name} within={month} markOf={markOf} today={today} />
    </section>
  );
}

/** Weeks starting on Monday; days outside `within` are empty. */
export function WeekTable({
  weeks,
  name,
  within = '',
  markOf,
  today,
}: {
  weeks: string[][];
  name: string;
  within?: string;
  markOf: (day: string) => DayMark | null;
  today: string;
}) {
  return (
    <table className={styles.weeks} aria-label={name} data-wide={within === '' ? '' : undefined}>
      <thead>
        <tr>
          {weekdays.map((day) => (
            <th key={day} scope="col" abbr={day}>
              {within === '' ? day.slice(0, 3) : day.slice(0, 2)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeks.map((week) => (
          <tr key={week[0]}>
            {week.map((day) => (
              <Day
                key={day}
                day={day}
                shown={day.startsWith(within)}
                wide={within === ''}
                mark={markOf(day)}
                isToday={day === today}
              />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Day({
  day,
  shown,
  wide,
  mark,
  isToday,
}: {
  day: string;
  shown: boolean;
  wide: boolean;
  mark: DayMark | null;
  isToday: boolean;
}) {
  if (!shown) return <td aria-label="Of another month" />;
  const number = Number(day.slice(8));
  const text =
    wide && (number === 1 || mark !== null)
      ? `${number} ${monthNames[Number(day.slice(5, 7)) - 1]!.slice(0, 3)}`
      : String(number);
  const words = mark ? `${dayInWords(day)}: ${mark.title}` : dayInWords(day);
  return (
    <td
      data-kind={mark?.kind}
      data-today={isToday ? '' : undefined}
      title={words}
      {...(isToday && { 'aria-current': 'date' as const })}
    >
      <span aria-hidden>{text}</span>
      <span className={styles.words}>{words}</span>
      {wide && mark && (
        <span className={styles.why} aria-hidden>
          {mark.title}
        </span>
      )}
    </td>
  );
}
