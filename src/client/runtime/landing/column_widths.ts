import { fieldType } from '../../../descriptor/fieldtypes/registry.ts';
import { unitOf } from '../../../descriptor/money.ts';
import type { Field, WireRecord } from '../../../descriptor/types.ts';
import { badgeTone, cellText } from './cell_text.ts';

const letter = 7.2;
const padding = 26;
const widest = 300;

/** The heading of a column: its title, and its unit. */
export function headText(title: string, field: Field): string {
  const unit = unitOf(field);
  return unit ? `${title} (${unit})` : title;
}

/** The minimum width at which a heading is complete: on at most two lines, beside the sort mark. */
export function headWidth(text: string): number {
  const words = text.split(' ');
  const lines = words.map((_, at) =>
    Math.max(words.slice(0, at + 1).join(' ').length, words.slice(at + 1).join(' ').length),
  );
  return Math.round(Math.min(...lines) * letter) + padding + 14;
}

let pen: CanvasRenderingContext2D | null | undefined;

/** The width of a text in lists, in pixels; without rendering, as in tests, estimated from its length. */
function textWidth(text: string): number {
  if (pen === undefined) {
    pen = navigator.userAgent.includes('jsdom') ? null : document.createElement('canvas').getContext('2d');
    // The name of a record, a link, is the boldest text in a list. The theme's font is set on its element, not
    // on the body.
    const themed = document.querySelector('#root > *') ?? document.body;
    if (pen) pen.font = `600 13px ${getComputedStyle(themed).fontFamily}`;
  }
  return pen ? pen.measureText(text).width : text.length * letter;
}

/** Numbers, codes and amounts. */
const isNumberLike = (field: Field, texts: readonly string[]): boolean =>
  field.type !== 'long_text' &&
  field.type !== 'rich_text' &&
  (fieldType(field.type).align === 'right' || texts.every((text) => !text.includes(' ')));

/**
 * The initial width of a column: its heading is complete, and nine of ten values, all of a few; numbers, codes and
 * badges always completely, and `least` means that the column does not shrink.
 */
export function contentWidth(
  field: Field,
  head: number,
  rows: readonly WireRecord[],
): { width: number; least: number } {
  const texts = rows.filter((row) => field.name in row).map((row) => cellText(field, row));
  // Rows contain only the columns that were visible when they were loaded.
  if (texts.length === 0) return { width: Math.max(head, 150), least: Math.max(head, 150) };
  const badge = field.type === 'clock' || rows.some((row) => badgeTone(field, row[field.name]) !== undefined);
  // A truncated number or badge is useless.
  const whole = badge || isNumberLike(field, texts);
  const widths = texts.map(textWidth).sort((a, b) => a - b);
  const text = widths[whole ? widths.length - 1 : Math.ceil((widths.length - 1) * 0.9)] ?? 0;
  const width = Math.max(head, Math.min(widest, Math.ceil(text) + padding + (badge ? 18 : 0)));
  return { width, least: whole ? width : Math.max(head, Math.min(width, 190)) };
}
