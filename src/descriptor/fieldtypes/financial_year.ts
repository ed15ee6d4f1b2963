import { TEXT_VALUE } from './can.ts';
import { textType } from './plain_text.ts';
import type { Parsed } from './field_type.ts';
import { written } from './written.ts';

/** 2025-2026: starting with the first month of the company's financial year. */
export const financial_year = textType('financial_year', {
  can: { ...TEXT_VALUE, group: true, narrow: true },
  parse: (input): Parsed => {
    const text = written(input).trim();
    if (text === '') return { value: null };
    const match = /^(?:FY\s*)?(\d{4})\s*[-/–]\s*(\d{2}|\d{4})$/i.exec(text);
    const start = Number(match?.[1]);
    return match && (start + 1) % 100 === Number(match[2]) % 100
      ? { value: `${start}-${start + 1}` }
      : { error: 'Enter a financial year as 2025-2026.' };
  },
});
