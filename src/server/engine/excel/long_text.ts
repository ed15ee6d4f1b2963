import { formatNumber } from '../../../descriptor/format.ts';
/** The maximum length of an Excel cell. */
const MAX_CELL = 32_767;

/** A text that fits a cell: a longer one is cut, with a note of how much. */
export function cellText(text: string): string {
  if (text.length <= MAX_CELL) return text;
  const note = (kept: number) =>
    ` … [Cut: a cell holds ${formatNumber(MAX_CELL)} characters, this text has ${formatNumber(text.length)}; ${formatNumber(text.length - kept)} are left out.]`;
  let kept = MAX_CELL - note(0).length;
  // A half surrogate pair in UTF-16 would be invalid.
  if (/[\uD800-\uDBFF]/.test(text.charAt(kept - 1))) kept--;
  return text.slice(0, kept) + note(kept);
}
