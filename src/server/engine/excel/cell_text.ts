import { momentIn, place } from '../../../descriptor/place.ts';
import { fieldType } from '../../../descriptor/fieldtypes/registry.ts';
import type { Parsed } from '../../../descriptor/fieldtypes/field_type.ts';
import { dayFirst } from '../../../descriptor/fieldtypes/written.ts';
import type { Field } from '../../../descriptor/types.ts';

/** Types that are stored as text and interpret a day or a number themselves. */
const OF_THE_CALENDAR = new Set(['time', 'month', 'duration']);
/** From this value on, numbers have more digits than spreadsheets store. */
const TOO_LONG = 1e15;

/** Whether a field takes the displayed text of a cell, whatever its type. */
export function takesText(field: Field): boolean {
  return !['number', 'date', 'boolean'].includes(fieldType(field.type).filter) && !OF_THE_CALENDAR.has(field.type);
}

/** The displayed text of a cell. An error if the spreadsheet program has altered what was written. */
export function shownText(cell: unknown, field: Field): Parsed {
  if (typeof cell === 'number') {
    if (Math.abs(cell) >= TOO_LONG)
      return {
        error:
          'Spreadsheets keep only 15 digits of a number; this one has more. Format the column as text and write it again.',
      };
    return { value: String(Number(cell.toPrecision(15))) };
  }
  if (typeof cell === 'boolean') return { value: String(cell).toUpperCase() };
  if (!(cell instanceof Date)) return { value: cell };
  if (Number.isNaN(cell.getTime())) return { error: 'This cell contains a date that does not exist.' };
  const text = new Date(Math.round(cell.getTime() / 60_000) * 60_000).toISOString();
  const shown = text.endsWith('T00:00:00.000Z') ? dayFirst(text) : `${dayFirst(text)} ${text.slice(11, 16)}`;
  return field.type === 'code'
    ? {
        error: `The spreadsheet changed this code into the date ${shown}. Format the column as text and enter it again.`,
      }
    : { value: shown };
}

/** The date and time that a cell shows, in the time zone of the work. */
export function localMoment(cell: Date): Date {
  const shown = new Date(Math.round(cell.getTime() / 1_000) * 1_000);
  return new Date(momentIn(place().timezone, shown.toISOString().slice(0, 19)));
}
