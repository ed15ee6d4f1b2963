import { textType } from './plain_text.ts';
import type { Parsed } from './field_type.ts';
import { written } from './written.ts';

/** A ten-digit Indian number gets +91; others keep the dial code they came with. */
function withDialCode(input: string): string {
  const text = input.replace(/[\s()-]/g, '').replace(/^00/, '+');
  if (/^0?[6-9]\d{9}$/.test(text)) return `+91${text.slice(-10)}`;
  if (/^91[6-9]\d{9}$/.test(text)) return `+${text}`;
  return text;
}

/** A telephone number with its dial code: +919840012345. */
export const phone = textType('phone', {
  parse: (input): Parsed => {
    const value = withDialCode(written(input));
    return { value: value === '' ? null : value };
  },
  format: (value) => written(value).replace(/^\+91(\d{5})(\d{5})$/, '+91 $1 $2'),
  clean: (value) => (typeof value === 'string' ? withDialCode(value) : value),
});
