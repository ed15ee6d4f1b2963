import { Tab, TabList } from '@fluentui/react-components';
import { CalendarSyncRegular } from '@fluentui/react-icons';
import { Suspense, lazy, useState } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import useSWR from 'swr';
import type { CalendarDays, CalendarEvent } from '../../../domain/calendar.ts';
import { api } from '../../api/http.ts';
import { EmptyState, ErrorView, Page, PageBody, Skeleton } from '../../app/page.tsx';
import { usePhone, useSession } from '../../app/session.ts';
import { today } from '../../../descriptor/place.ts';
import { addMonths, dayInWords, weekdays, weeksOf } from '../../runtime/fields/calendar/days.ts';
import { monthNames } from '../../../domain/month_names.ts';
import { PeriodBar } from '../../runtime/fields/calendar/PeriodBar.tsx';
import styles from './calendar.module.css';

const CalendarAddressDialog = lazy(() => import('./CalendarAddressDialog.tsx'));

/** Maximum number of events in a day's box; the others are behind "n more". */
const SHOWN = 3;

interface Day {
  day: string;
  /** Whether a day is a full or half day off. */
  off: boolean;
  /** The holiday or week-off in words. */
  name: string;
  events: CalendarEvent[];
}

/** The days of a range with their events. */
export function daysOf(span: string[], { week_offs, half_days, holidays, events }: CalendarDays): Day[] {
  const [free, half] = [new Set(week_offs), new Set(half_days)];
  const byDay = Map.groupBy(events, ({ day }) => day);
  return span.map((day) => {
    const named = holidays.filter(({ date, to_date: to }) => date <= day && day <= (to ?? date));
    const names = named.map(({ name, optional }) => (optional ? `${name} (optional)` : name));
    return {
      day,
      off: free.has(day) || half.has(day) || named.some(({ optional }) => !optional),
      name: names.join(', ') || (free.has(day) ? 'Week-off' : half.has(day) ? 'Half day' : ''),
      events: byDay.get(day) ?? [],
    };
  });
}

/**
 * A month with the holidays and week-offs of the user's branch and due dates, of the user or of all visible records.
 */
export default function CalendarPage() {
  const { entityId } = useSession();
  const phone = usePhone();
  const [query, setQuery] = useSearchParams();
  const [subscribing, setSubscribing] = useState(false);
  const now = today();
  const given = query.get('month') ?? '';
  const month = /^\d{4}-(0[1-9]|1[0-2])$/.test(given) ? given : now.slice(0, 7);
  const mine = query.get('all') === null;
  const weeks = weeksOf(month);
  const [from, to] = [weeks[0]![0]!, weeks.at(-1)![6]!];
  const { data, error, mutate } = useSWR(
    ['/tapi/calendar', from, to, mine, entityId],
    async ([path]) =>
      (await api.get<{ data: CalendarDays }>(path, { from, to, mine: mine ? '1' : '0' }, { quiet: true })).data,
    { keepPreviousData: true },
  );
  const set = (name: string, value: string | null) =>
    setQuery(
      (old) => {
        const next = new URLSearchParams(old);
        if (value === null) next.delete(name);
        else next.set(name, value);
        return next;
      },
      { replace: true },
    );
  const go = (months: number) => set('month', addMonths(`${month}-01`, months).slice(0, 7));
  const title = `${monthNames[Number(month.slice(5)) - 1]} ${month.slice(0, 4)}`;
  const days = data ? daysOf(weeks.flat(), data) : [];
  return (
    <Page
      title="Calendar"
      secondary={[{ label: 'Subscribe', icon: <CalendarSyncRegular />, onClick: () => setSubscribing(true) }]}
    >
      <PageBody>
        <PeriodBar
          title={title}
          turns="month"
          isNow={month === now.slice(0, 7)}
          onTurn={go}
          onToday={() => set('month', null)}
        >
          <TabList
            selectedValue={mine ? 'mine' : 'all'}
            onTabSelect={(_, { value }) => set('all', value === 'all' ? '' : null)}
          >
            <Tab value="mine">Mine</Tab>
            <Tab value="all">All I may see</Tab>
          </TabList>
        </PeriodBar>
        {data?.more && (
          <p className={styles.more}>
            Too many items are due this month to show them all. Open the lists, or choose “Mine”.
          </p>
        )}
        {error && !data ? (
          <ErrorView error={error} retry={() => void mutate()} />
        ) : !data ? (
          <Skeleton rows={8} label="Loading the month" />
        ) : phone ? (
          <Agenda days={days.filter(({ day }) => day.startsWith(month))} now={now} mine={mine} />
        ) : (
          <Month days={days} month={month} title={title} now={now} />
        )}
      </PageBody>
      <Suspense fallback={null}>
        {subscribing && <CalendarAddressDialog onClose={() => setSubscribing(false)} />}
      </Suspense>
    </Page>
  );
}

function Month({ days, month, title, now }: { days: Day[]; month: string; title: string; now: string }) {
  const weeks = Array.from({ length: days.length / 7 }, (_, at) => days.slice(at * 7, at * 7 + 7));
  return (
    <table className={styles.month} aria-label={title}>
      <thead>
        <tr>
          {weekdays.map((name) => (
            <th key={name} scope="col">
              {name.slice(0, 3)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeks.map((week) => (
          <tr key={week[0]?.day}>
            {week.map(({ day, off, name, events }) => (
              <td
                key={day}
                data-other={day.startsWith(month) ? undefined : ''}
                data-off={off ? '' : undefined}
                {...(day === now && { 'aria-current': 'date' as const })}
              >
                <div className={styles.head}>
                  <time dateTime={day} aria-label={dayInWords(day)}>
                    {Number(day.slice(8))}
                  </time>
                  {name !== '' && <span title={name}>{name}</span>}
                </div>
                <ul>
                  {events.slice(0, SHOWN).map((event) => (
                    <Event key={`${event.route} ${event.title}`} event={event} late={day < now} />
                  ))}
                </ul>
                {events.length > SHOWN && (
                  <details>
                    <summary>{events.length - SHOWN} more</summary>
                    <ul>
                      {events.slice(SHOWN).map((event) => (
                        <Event key={`${event.route} ${event.title}`} event={event} late={day < now} />
                      ))}
                    </ul>
                  </details>
                )}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** On a phone: the days with events, one below the other. */
function Agenda({ days, now, mine }: { days: Day[]; now: string; mine: boolean }) {
  const busy = days.filter(
    ({ name, events, day }) => events.length > 0 || (name !== '' && name !== 'Week-off') || day === now,
  );
  if (busy.length === 0)
    return (
      <EmptyState
        title="Nothing this month"
        text={mine ? 'You have nothing due, and there are no holidays.' : 'Nothing is due, and there are no holidays.'}
      />
    );
  return (
    <ol className={styles.agenda}>
      {busy.map(({ day, name, events }) => (
        <li key={day} {...(day === now && { 'aria-current': 'date' as const })}>
          <h3>
            {dayInWords(day)}
            {name !== '' && <span>{name}</span>}
          </h3>
          <ul>
            {events.length === 0 && name === '' && <li className={styles.nothing}>Nothing today.</li>}
            {events.map((event) => (
              <Event key={`${event.route} ${event.title}`} event={event} late={day < now} />
            ))}
          </ul>
        </li>
      ))}
    </ol>
  );
}

function Event({ event: { title, label, route }, late }: { event: CalendarEvent; late: boolean }) {
  return (
    <li>
      <Link className={styles.event} to={route} title={`${title}: ${label}`} data-late={late ? '' : undefined}>
        <b>{label}</b>
        <small>{title}</small>
      </Link>
    </li>
  );
}
