import { formatNumber } from '../../../descriptor/format.ts';
/** What a cell of Excel holds at most. */
const MAX_CELL = 32_767;

/** A text as a cell can hold it: of a longer one the beginning, and how much was cut. */
export function cellText(text: string): string {
  if (text.length <= MAX_CELL) return text;
  const note = (kept: number) =>
    ` … [Cut: a cell holds ${formatNumber(MAX_CELL)} characters, this text has ${formatNumber(text.length)}; ${formatNumber(text.length - kept)} are left out.]`;
  let kept = MAX_CELL - note(0).length;
  // Half a character, as UTF-16 has them, would be no text.
  if (/[\uD800-\uDBFF]/.test(text.charAt(kept - 1))) kept--;
  return text.slice(0, kept) + note(kept);
}
