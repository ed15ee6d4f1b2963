import { isRowsChange } from '../../../descriptor/rows_change.ts';
import type { Field, Screen, WireRecord } from '../../../descriptor/types.ts';

type Row = Record<string, unknown>;

/** The child rows of which an answer can be a part: those that are no records of their own. */
const ownRows = ({ fields }: Pick<Screen, 'fields'>): Field[] => fields.filter(({ rows, part }) => rows && !part);

/** What differs of the rows of a field, if no row moved: else only the whole list gives their order. */
function differing(change: Row, { name }: Field): Readonly<Record<string, Row>> | null {
  const differs = change[name] ?? {};
  if (!isRowsChange(differs)) return null;
  const isMoved = Object.entries(differs).some(([key, row]) => /^\d/.test(key) && 'position' in row);
  return isMoved ? null : differs;
}

/** Of each rows field the ids of the rows that a change, as history has it, wrote; fields with moved rows are left out. */
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
 * A record just written with the part of its child rows that the change wrote, `{set, add, remove}` as it may be sent;
 * whole lists where rows moved, and of records that are rows.
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
