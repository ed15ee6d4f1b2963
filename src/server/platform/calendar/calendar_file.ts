import ical, { ICalCalendarMethod, ICalEventTransparency } from 'ical-generator';
import { DateTime } from 'luxon';
import type { CalendarDays } from '../../../domain/calendar.ts';

/** The refresh interval for calendar applications. */
const AGAIN_SECONDS = 3_600;

/**
 * A person's calendar in iCalendar format (RFC 5545): days off, holidays and due dates, as all-day events. `address`:
 * of the pages, without a trailing slash.
 */
export function calendarFile(
  name: string,
  address: string,
  { holidays, events }: Pick<CalendarDays, 'holidays' | 'events'>,
): string {
  const file = ical({
    name,
    prodId: { company: 'Mainstay', product: 'Calendar', language: 'EN' },
    method: ICalCalendarMethod.PUBLISH,
    ttl: AGAIN_SECONDS,
  });
  const host = new URL(address).host;
  const day = (date: string) => DateTime.fromISO(date, { zone: 'utc' });
  // An all-day event ends on the day after its last day.
  const after = (date: string) => day(date).plus({ days: 1 });
  const add = (
    id: string,
    from: string,
    to: string,
    summary: string,
    more: { url?: string; description?: string } = {},
  ) =>
    file.createEvent({
      id: `${id}@${host}`,
      stamp: day(from),
      allDay: true,
      start: day(from),
      end: after(to),
      summary,
      transparency: ICalEventTransparency.TRANSPARENT,
      ...more,
    });
  for (const { name: holiday, date, to_date: until, optional } of holidays)
    add(
      `holiday-${date}-${encodeURIComponent(holiday)}`,
      date,
      until ?? date,
      optional ? `${holiday} (optional)` : holiday,
    );
  for (const { type, title, label, route, day: date } of events)
    add(`${type}-${date}-${encodeURIComponent(`${route} ${title}`)}`, date, date, `${label}: ${title}`, {
      url: `${address}${route}`,
    });
  return file.toString();
}
