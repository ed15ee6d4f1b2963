import { TEXT_VALUE } from './can.ts';
import { parseDate } from './calendar.ts';
import { textType } from './plain_text.ts';
import type { Parsed } from './field_type.ts';
import { written } from './written.ts';

const NAMES = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

function monthOf(year: string, month: string): Parsed {
  const number = Number(month);
  return number >= 1 && number <= 12
    ? { value: `${year}-${String(number).padStart(2, '0')}` }
    : { error: 'Enter a month as MM-YYYY.' };
}

/** YYYY-MM. */
export const month = textType('month', {
  can: { ...TEXT_VALUE, group: true, narrow: true },
  parse: (input): Parsed => {
    if (input instanceof Date || typeof input === 'number') {
      const day = parseDate(input);
      return 'error' in day ? { error: 'Enter a month as MM-YYYY.' } : { value: String(day.value).slice(0, 7) };
    }
    const text = written(input).trim();
    if (text === '') return { value: null };
    let match = /^(\d{4})-(\d{1,2})$/.exec(text);
    if (match) return monthOf(match[1]!, match[2]!);
    match = /^(\d{1,2})[-/](\d{4})$/.exec(text);
    if (match) return monthOf(match[2]!, match[1]!);
    match = /^([a-z]{3})[a-z]*[-' ]+(\d{4}|\d{2})$/i.exec(text);
    const at = NAMES.findIndex((name) => name.toLowerCase() === match?.[1]?.toLowerCase());
    return match && at >= 0
      ? monthOf(match[2]!.padStart(4, '20'), String(at + 1))
      : { error: 'Enter a month as MM-YYYY.' };
  },
  format: (value) => {
    const match = /^(\d{4})-(\d\d)$/.exec(written(value));
    return match ? `${NAMES[Number(match[2]) - 1]} ${match[1]}` : written(value);
  },
});
