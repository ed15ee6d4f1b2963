import type { Field } from './types.ts';

type Row = Readonly<Record<string, unknown>>;

/**
 * Whether the values of a column in these rows are in one unit, so that they can be added up (`x-unit-of`). A unit that is
 * not known may be another one. `around`: the record of the rows, which may have the unit.
 */
export function inOneUnit({ unitFrom }: Field, rows: readonly Row[], around?: Row): boolean {
  if (unitFrom === undefined || rows.length < 2) return true;
  const units = new Set(rows.map((row) => row[unitFrom] ?? around?.[unitFrom] ?? null));
  return units.size === 1 && !units.has(null);
}
