import { isRowsChange } from '../../../descriptor/rows_change.ts';
import type { Field, Screen, WireRecord } from '../../../descriptor/types.ts';

type Row = Record<string, unknown>;

/** The child rows that can be returned in part: those that are not records themselves. */
const ownRows = ({ fields }: Pick<Screen, 'fields'>): Field[] => fields.filter(({ rows, part }) => rows && !part);

/** The changed rows of a field, if no row moved; otherwise only the whole list shows the order. */
function differing(change: Row, { name }: Field): Readonly<Record<string, Row>> | null {
  const differs = change[name] ?? {};
  if (!isRowsChange(differs)) return null;
  const isMoved = Object.entries(differs).some(([key, row]) => /^\d/.test(key) && 'position' in row);
  return isMoved ? null : differs;
}

/**
 * For each rows field the ids of the rows that a change wrote, according to the history; fields with moved rows are
 * left out.
 */
export function writtenRows(screen: Pick<Screen, 'fields'>, change: Row): Map<string, number[]> {
  return new Map(
    ownRows(screen).flatMap((field) => {
      const differs = differing(change, field);
      if (!differs) return [];
      const ids = Object.keys(differs).flatMap((key) => (key.startsWith('-') ? [] : [Number(key.replace('+', ''))]));
      return [[field.name, ids] as const];
    }),
  );
}

/**
 * A record just written with the changed part of its child rows, `{set, add, remove}` as it may be sent; whole lists
 * where rows moved, and for rows that are records.
 */
export function withChangedRows(screen: Pick<Screen, 'fields'>, record: WireRecord, change: Row): WireRecord {
  const answer: WireRecord = { ...record };
  for (const field of ownRows(screen)) {
    const differs = differing(change, field);
    const rows = record[field.name];
    if (!differs || !Array.isArray(rows)) continue;
    const known = (rows as Row[]).filter(({ id }) => String(id) in differs);
    const removed = Object.keys(differs).flatMap((key) => (key.startsWith('-') ? [Number(key.slice(1))] : []));
    answer[field.name] = {
      set: Object.fromEntries(known.map((row) => [String(row.id), row])),
      add: (rows as Row[]).filter(({ id }) => `+${String(id)}` in differs),
      remove: removed,
    };
  }
  return answer;
}
