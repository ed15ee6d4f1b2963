/** The minimum and maximum number of digits after the dial code. Countries without an entry use the limits of E.164. */
const DIGITS: Record<string, readonly [number, number]> = {
  '1': [10, 10],
  '7': [10, 10],
  '27': [9, 9],
  '31': [9, 9],
  '33': [9, 9],
  '34': [9, 9],
  '41': [9, 9],
  '44': [9, 10],
  '60': [8, 10],
  '61': [9, 9],
  '65': [8, 8],
  '66': [8, 9],
  '81': [9, 10],
  '86': [9, 11],
  '91': [10, 10],
  '92': [9, 10],
  '93': [9, 9],
  '94': [9, 9],
  '852': [8, 8],
  '880': [8, 10],
  '960': [7, 7],
  '965': [8, 8],
  '966': [9, 9],
  '968': [8, 8],
  '971': [8, 9],
  '973': [8, 8],
  '974': [8, 8],
  '975': [7, 8],
  '977': [8, 10],
};

/** The error in the digits of a number with a dial code, or null. */
export function phoneError(value: string): string | null {
  const dial = [3, 2, 1].map((length) => value.slice(1, 1 + length)).find((code) => DIGITS[code]);
  if (!value.startsWith('+') || dial === undefined) return null;
  const [fewest, most] = DIGITS[dial]!;
  const count = value.length - 1 - dial.length;
  if (count >= fewest && count <= most) return null;
  return `A number with +${dial} has ${fewest === most ? fewest : `${fewest} to ${most}`} digits after it; this has ${count}.`;
}
