import { textType } from './plain_text.ts';
import type { Parsed } from './field_type.ts';
import { written } from './written.ts';

/** STD codes of two digits. Mobile numbers can begin with 79 and 80 too: there the next digit identifies a landline. */
const METRO = /^(11|20|22|33|40|44|79(?=[2-4])|80(?=[2-4]))(\d{4})(\d{4})$/;

/**
 * The digits after the dial code, grouped as they are read out: 98400 12345, 44 2435 4151 in Chennai, 422 257 4433 in
 * Coimbatore.
 */
export function groupedDigits(dial: string, digits: string): string {
  if (dial === '+1') return digits.replace(/^(\d{3})(\d{3})(\d{4})$/, '$1 $2 $3');
  if (dial !== '+91') return digits;
  return digits
    .replace(METRO, '$1 $2 $3')
    .replace(/^([1-5]\d{2})(\d{3})(\d{4})$/, '$1 $2 $3')
    .replace(/^(\d{5})(\d{5})$/, '$1 $2');
}

/** A ten-digit Indian mobile number gets +91, as does a landline with a leading 0; others keep their dial code. */
function withDialCode(input: string): string {
  const text = input.replace(/[\s()-]/g, '').replace(/^00/, '+');
  if (/^0?[6-9]\d{9}$/.test(text)) return `+91${text.slice(-10)}`;
  if (/^0[1-5]\d{9}$/.test(text)) return `+91${text.slice(1)}`;
  if (/^91[6-9]\d{9}$/.test(text)) return `+${text}`;
  return text;
}

/** A telephone number with its dial code: +919840012345. */
export const phone = textType('phone', {
  parse: (input): Parsed => {
    const value = withDialCode(written(input));
    return { value: value === '' ? null : value };
  },
  format: (value) =>
    written(value).replace(
      /^(\+91|\+1)(\d{10})$/,
      (_, dial: string, digits: string) => `${dial} ${groupedDigits(dial, digits)}`,
    ),
  clean: (value) => (typeof value === 'string' ? withDialCode(value) : value),
});
