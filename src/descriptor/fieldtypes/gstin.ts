import { capitalsType } from './plain_text.ts';

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/**
 * The 15th character of a GSTIN from its first 14: weights 1, 2 alternating over base 36,
 * sum of quotient and remainder by 36, (36 − sum mod 36) mod 36. Source: GSTN's published scheme.
 */
export function gstinCheckCharacter(first14: string): string {
  let sum = 0;
  for (let index = 0; index < 14; index++) {
    const product = DIGITS.indexOf(first14[index] ?? '0') * (index % 2 === 0 ? 1 : 2);
    sum += Math.floor(product / 36) + (product % 36);
  }
  return DIGITS[(36 - (sum % 36)) % 36]!;
}

/** The error in a GSTIN, or null. */
export function gstinError(value: string): string | null {
  if (value.length !== 15) return `GSTIN has 15 characters; this has ${value.length}.`;
  if (!/^\d{2}[A-Z]{5}\d{4}[A-Z][1-9A-Z]Z[0-9A-Z]$/.test(value))
    return 'A GSTIN reads like 33AAACA1234B1ZP: state code, PAN, entity number, Z, check character.';
  const expected = gstinCheckCharacter(value);
  return value[14] === expected
    ? null
    : 'The last character of this GSTIN does not fit the others. Check it for a mistyped character.';
}

/** Goods and services tax identification number. */
export const gstin = capitalsType('gstin');
