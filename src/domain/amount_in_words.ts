import { Decimal } from 'decimal.js';

const ONES =
  'Zero One Two Three Four Five Six Seven Eight Nine Ten Eleven Twelve Thirteen Fourteen Fifteen Sixteen Seventeen Eighteen Nineteen'.split(
    ' ',
  );
const TENS = '- - Twenty Thirty Forty Fifty Sixty Seventy Eighty Ninety'.split(' ');

/** Currencies counted in lakh and crore, with the names of their main unit and subunit. */
const INDIAN: Readonly<Record<string, [whole: string, part: string]>> = {
  INR: ['Rupees', 'Paise'],
  NPR: ['Nepalese Rupees', 'Paisa'],
  BDT: ['Taka', 'Poisha'],
  PKR: ['Pakistani Rupees', 'Paisa'],
};

function belowHundred(value: number): string {
  if (value < 20) return ONES[value]!;
  const ones = value % 10;
  return TENS[Math.floor(value / 10)]! + (ones === 0 ? '' : ` ${ONES[ones]!}`);
}

function belowThousand(value: number): string {
  const hundreds = Math.floor(value / 100);
  const rest = value % 100;
  if (hundreds === 0) return belowHundred(rest);
  return `${ONES[hundreds]!} Hundred${rest === 0 ? '' : ` ${belowHundred(rest)}`}`;
}

/** A whole number in the Indian system: crore, lakh, thousand; numbers of crores are written recursively. */
function indian(value: bigint): string {
  const words: string[] = [];
  const crores = value / 10_000_000n;
  if (crores > 0n) words.push(`${indian(crores)} Crore`);
  const rest = Number(value % 10_000_000n);
  const lakhs = Math.floor(rest / 100_000);
  const thousands = Math.floor((rest % 100_000) / 1_000);
  if (lakhs > 0) words.push(`${belowHundred(lakhs)} Lakh`);
  if (thousands > 0) words.push(`${belowHundred(thousands)} Thousand`);
  if (rest % 1_000 > 0) words.push(belowThousand(rest % 1_000));
  return words.length === 0 ? ONES[0]! : words.join(' ');
}

const SCALES = ['', ' Thousand', ' Million', ' Billion', ' Trillion', ' Quadrillion'];

/** A whole number in thousands, millions and billions. */
function western(value: bigint): string {
  const words: string[] = [];
  for (let left = value, scale = 0; left > 0n; left /= 1_000n, scale++) {
    const group = Number(left % 1_000n);
    if (group > 0) words.unshift(`${belowThousand(group)}${SCALES[scale] ?? ''}`);
  }
  return words.length === 0 ? ONES[0]! : words.join(' ');
}

/** US Dollars; an unknown currency code is unchanged. */
function nameOf(currency: string): string {
  try {
    const part = new Intl.NumberFormat('en', { style: 'currency', currency, currencyDisplay: 'name' })
      .formatToParts(2)
      .find(({ type }) => type === 'currency');
    return (part?.value ?? currency).replace(/\b[a-z]/g, (letter) => letter.toUpperCase());
  } catch {
    return currency;
  }
}

/**
 * An amount in words as on bills (C22 of the design of field service): "Rupees Twelve Lakh Thirty Four Thousand Five
 * Hundred Sixty Seven and Paise Eighty Nine Only". Other currencies are counted in millions, with hundredths as a
 * fraction: "US Dollars One Million and 50/100 Only".
 * @param amount exact decimal as text; rounded to two decimals, half away from zero
 * @param currency ISO 4217 code
 */
export function amountInWords(amount: string, currency: string): string {
  const exact = new Decimal(amount).toDecimalPlaces(2, Decimal.ROUND_HALF_UP);
  const whole = BigInt(exact.abs().trunc().toFixed(0));
  const hundredths = exact.abs().minus(exact.abs().trunc()).times(100).toNumber();
  const sign = exact.isNegative() && !exact.isZero() ? 'Minus ' : '';
  const counted = INDIAN[currency];
  if (counted) {
    const [name, part] = counted;
    return `${sign}${name} ${indian(whole)}${hundredths > 0 ? ` and ${part} ${belowHundred(hundredths)}` : ''} Only`;
  }
  const rest = hundredths > 0 ? ` and ${String(hundredths).padStart(2, '0')}/100` : '';
  return `${sign}${nameOf(currency)} ${western(whole)}${rest} Only`;
}
