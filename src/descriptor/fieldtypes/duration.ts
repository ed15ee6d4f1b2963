import { WHOLE_NUMBER } from './can.ts';
import { integerType } from './integer.ts';
import type { Parsed } from './field_type.ts';
import { written } from './written.ts';

/** Minutes; people write 1:30, 1h 30m or 90. */
export const duration = integerType('duration', {
  can: { ...WHOLE_NUMBER, sum: 'total' },
  parse: (text): Parsed => {
    // A spreadsheet time: a fraction of a day, or days since 30 December 1899.
    if (text instanceof Date) return { value: Math.round((text.getTime() - Date.UTC(1899, 11, 31)) / 60_000) };
    const input = written(text).trim().toLowerCase();
    if (input === '') return { value: null };
    let match = /^(\d+):([0-5]?\d)$/.exec(input);
    if (match) return { value: Number(match[1]) * 60 + Number(match[2]) };
    match = /^(?:(\d+)\s*h(?:ours?)?)?\s*(?:(\d+)\s*m(?:in(?:utes?)?)?)?$/.exec(input);
    if (match && (match[1] ?? match[2])) return { value: Number(match[1] ?? 0) * 60 + Number(match[2] ?? 0) };
    return /^\d+$/.test(input)
      ? { value: Number(input) }
      : { error: 'Enter a duration as hours:minutes, such as 1:30.' };
  },
  format: (value) =>
    typeof value === 'number' ? `${Math.floor(value / 60)}:${String(value % 60).padStart(2, '0')}` : '',
  excel: {
    write: (value) =>
      typeof value === 'number' ? `${Math.floor(value / 60)}:${String(value % 60).padStart(2, '0')}` : null,
  },
});
