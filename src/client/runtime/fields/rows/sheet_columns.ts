import type { Field } from '../../../../descriptor/types.ts';
import { fieldWidth } from '../registry.tsx';

const widths = {
  xs: 'minmax(88px, 1fr)',
  s: 'minmax(128px, 1.4fr)',
  m: 'minmax(132px, 2fr)',
  l: 'minmax(220px, 3fr)',
  full: 'minmax(220px, 3fr)',
};

const NAME_WIDTH = 'minmax(176px, 2.6fr)';

/** A column's share of the sheet's width: the first one names the row, and a unit is short. */
export function columnWidth(column: Field, index: number, columns: readonly Field[]): string {
  if (column.type === 'boolean') return 'minmax(80px, 0.6fr)';
  const isUnit = index > 0 && columns.some(({ unitFrom }) => unitFrom === column.name);
  const width = isUnit || isShort(column) ? 'xs' : fieldWidth(column);
  return index === 0 && width === 'm' ? NAME_WIDTH : widths[width];
}

/** Codes, percentages and quantities are short; names and amounts get the room. */
function isShort({ type, options }: Field): boolean {
  if (type === 'enum') return (options ?? []).every(({ label }) => label.length <= 4);
  return type === 'percent' || type === 'quantity';
}

/** Messages of a rows field by row and column: "emergency.2.phone" belongs to row 2; "emergency.2" to its first column. */
export function rowErrors(
  errors: ReadonlyMap<string, string>,
  field: Field,
  count: number,
): Map<number, Map<string, string>> {
  const result = new Map<number, Map<string, string>>();
  for (const [path, message] of errors) {
    if (!path.startsWith(`${field.name}.`)) continue;
    const [index = '', column = ''] = path.slice(field.name.length + 1).split('.');
    const row = Number(index);
    if (!Number.isInteger(row) || row >= count) continue;
    const messages = result.get(row) ?? new Map<string, string>();
    messages.set(column, message);
    result.set(row, messages);
  }
  return result;
}

const pixels = { xs: 112, s: 132, m: 168, l: 220, full: 240 };

/** A column's width where there are many. */
export function columnPixels(column: Field): number {
  return column.type === 'boolean' ? 80 : pixels[fieldWidth(column)];
}
