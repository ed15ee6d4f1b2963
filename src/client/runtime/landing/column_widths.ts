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

/** How wide a column is before anyone drags it: its head is whole, and nine values of ten. */
export function contentWidth(field: Field, head: number, rows: readonly WireRecord[]): number {
  const texts = rows.filter((row) => field.name in row).map((row) => cellText(field, row).length);
  // Rows carry only the columns that were shown when they came.
  if (texts.length === 0) return Math.max(head, 150);
  const length = texts.sort((a, b) => a - b)[Math.floor((texts.length - 1) * 0.9)] ?? 0;
  const badge = rows[0] && badgeTone(field, rows[0][field.name]) ? 18 : 0;
  return Math.max(head, Math.min(widest, Math.round(length * letter) + padding + badge));
}
