import ical, { ICalCalendarMethod, ICalEventTransparency } from 'ical-generator';
import { DateTime } from 'luxon';
import type { CalendarDays } from '../../../domain/calendar.ts';

/** A program asks again after so long. */
const AGAIN_SECONDS = 3_600;

/** One person's calendar as programs read it (RFC 5545): days without hours, holidays and what falls due. `address`: of the pages, without a slash at the end. */
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
  // The last day of one that lasts all day is written as the first day after it.
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
