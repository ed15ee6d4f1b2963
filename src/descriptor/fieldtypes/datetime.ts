import { clockIn, momentIn, place } from '../place.ts';
import { SHORT_VALUE } from './can.ts';
import { parseDate, parseTime } from './calendar.ts';
import { dayFirst, written } from './written.ts';
import type { FieldType, Parsed } from './field_type.ts';

/** A point in time: ISO 8601 in UTC on the wire, displayed in the local time of the work. */
export const datetime: FieldType = {
  name: 'datetime',
  sql: () => 'timestamptz',
  filter: 'date',
  widget: 'datetime',
  can: { ...SHORT_VALUE, group: true, order: true, narrow: true },
  parse: (input, field): Parsed => {
    if (input === null || input === undefined || input === '') return { value: null };
    if (input instanceof Date)
      return Number.isNaN(input.getTime())
        ? { error: 'Enter a date and time as DD-MM-YYYY HH:MM.' }
        : { value: input.toISOString() };
    if (typeof input === 'number') {
      // A spreadsheet serial number: days since 1900 and the fraction of the day, in local time.
      const day = parseDate(Math.floor(input));
      if ('error' in day) return { error: 'Enter a date and time as DD-MM-YYYY HH:MM.' };
      const step = field.seconds ? 1_000 : 60_000;
      const sinceMidnight = Math.round(((input - Math.floor(input)) * 86_400_000) / step) * step;
      const clock = new Date(Date.parse(`${String(day.value)}T00:00Z`) + sinceMidnight).toISOString().slice(0, 19);
      return { value: new Date(momentIn(place().timezone, clock)).toISOString() };
    }
    const text = written(input).trim();
    if (/^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:?\d\d)$/.test(text)) {
      const moment = new Date(text);
      return Number.isNaN(moment.getTime())
        ? { error: 'Enter a date and time as DD-MM-YYYY HH:MM.' }
        : { value: moment.toISOString() };
    }
    const [day = '', ...rest] = text.split(/[ T]+/);
    const date = parseDate(day);
    if ('error' in date) return date;
    const time = parseTime(rest.join(' ') || '00:00', field.seconds);
    if ('error' in time) return time;
    const clock = `${String(date.value)}T${String(time.value)}`;
    return { value: new Date(momentIn(place().timezone, clock)).toISOString() };
  },
  format: (value, field) => {
    if (typeof value !== 'string') return '';
    const moment = Date.parse(value);
    if (Number.isNaN(moment)) return value;
    const local = clockIn(place().timezone, moment);
    const hour = Number(local.slice(11, 13));
    return `${dayFirst(local)} ${String(hour % 12 === 0 ? 12 : hour % 12).padStart(2, '0')}:${local.slice(14, field.seconds ? 19 : 16)} ${hour < 12 ? 'AM' : 'PM'}`;
  },
  excel: {
    format: (field) => `dd-mm-yyyy hh:mm${field.seconds ? ':ss' : ''}`,
    write: (value) => (typeof value === 'string' ? new Date(`${clockIn(place().timezone, Date.parse(value))}Z`) : null),
  },
};
