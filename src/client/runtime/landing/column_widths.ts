import { fieldType } from '../../../descriptor/fieldtypes/registry.ts';
import { unitOf } from '../../../descriptor/money.ts';
import type { Field, WireRecord } from '../../../descriptor/types.ts';
import { badgeTone, cellText } from './cell_text.ts';

const letter = 7.2;
const padding = 26;
const widest = 300;

/** What stands over a column: its title, and the unit of its figures. */
export function headText(title: string, field: Field): string {
  const unit = unitOf(field);
  return unit ? `${title} (${unit})` : title;
}

/** The least width at which a head is whole: on two lines at widest, beside the mark of its order. */
export function headWidth(text: string): number {
  const words = text.split(' ');
  const lines = words.map((_, at) =>
    Math.max(words.slice(0, at + 1).join(' ').length, words.slice(at + 1).join(' ').length),
  );
  return Math.round(Math.min(...lines) * letter) + padding + 14;
}

let pen: CanvasRenderingContext2D | null | undefined;

/** How wide a text is as lists write it, in pixels; where nothing is drawn, as in tests, by its letters. */
function textWidth(text: string): number {
  if (pen === undefined) {
    pen = navigator.userAgent.includes('jsdom') ? null : document.createElement('canvas').getContext('2d');
    // The name of a record, which is a link, is the boldest of what a list writes.
    if (pen) pen.font = `600 13px ${getComputedStyle(document.body).fontFamily}`;
  }
  return pen ? pen.measureText(text).width : text.length * letter;
}

/** Numbers, codes and amounts. */
const isNumberLike = (field: Field, texts: readonly string[]): boolean =>
  field.type !== 'long_text' &&
  field.type !== 'rich_text' &&
  (fieldType(field.type).align === 'right' || texts.every((text) => !text.includes(' ')));

/**
 * How wide a column is before anyone drags it: its head is whole, and nine values of ten; numbers, codes and badges are
 * whole all, and `least` says that the column does not give way.
 */
export function contentWidth(
  field: Field,
  head: number,
  rows: readonly WireRecord[],
): { width: number; least: number } {
  const texts = rows.filter((row) => field.name in row).map((row) => cellText(field, row));
  // Rows carry only the columns that were shown when they came.
  if (texts.length === 0) return { width: Math.max(head, 150), least: Math.max(head, 150) };
  const badge = field.type === 'clock' || rows.some((row) => badgeTone(field, row[field.name]) !== undefined);
  // A part of a number or of a badge is worth nothing.
  const whole = badge || isNumberLike(field, texts);
  const widths = texts.map(textWidth).sort((a, b) => a - b);
  const text = widths[whole ? widths.length - 1 : Math.floor((widths.length - 1) * 0.9)] ?? 0;
  const width = Math.max(head, Math.min(widest, Math.ceil(text) + padding + (badge ? 18 : 0)));
  return { width, least: whole ? width : Math.max(head, Math.min(width, 190)) };
}
