import type { Field, FieldError, Screen, WireRecord } from '../../../descriptor/types.ts';
import type { Values } from './values.ts';
import { sameRow, sentRows } from './values.ts';

/** From this number of stored rows on, only changed rows are sent and returned. */
const LARGE = 50;

const rowsOf = (value: unknown): readonly Values[] => (Array.isArray(value) ? (value as Values[]) : []);
const isNew = ({ id }: Values) => id === undefined || id === null;

interface RowsPart {
  set: Record<string, unknown>;
  add: unknown[];
  remove: unknown[];
}

/** The changes in a long list of child rows; null if the whole list must be sent: it is short, or rows moved. */
export function changedRows(screen: Screen, field: Field, values: Values, base: Values): RowsPart | null {
  const before = rowsOf(base[field.name]);
  const now = rowsOf(values[field.name]);
  if (field.part || !field.rows || before.length < LARGE) return null;
  const known = new Map(before.map((row) => [row.id, row]));
  const kept = now.filter((row) => !isNew(row));
  const left = new Set(kept.map(({ id }) => id));
  const order = before.filter(({ id }) => left.has(id));
  if (now.slice(0, kept.length).some(isNew) || kept.some((row, at) => row.id !== order[at]?.id)) return null;
  const changed = kept.filter((row) => !sameRow(field.rows!, row, known.get(row.id)!));
  return {
    set: Object.fromEntries(changed.map((row) => [String(row.id), sentRows(screen, field.rows!, [row], values)[0]])),
    add: sentRows(screen, field.rows, now.slice(kept.length), values),
    remove: before.flatMap(({ id }) => (left.has(id) ? [] : [id])),
  };
}

/** The returned record, whose rows fields may contain only the changed rows. */
export function wholeRecord(screen: Screen, answer: WireRecord, base: Values): WireRecord {
  const record: WireRecord = { ...answer };
  for (const field of screen.fields) {
    const part = answer[field.name] as { set: Record<string, Values>; add: Values[]; remove: number[] } | unknown[];
    if (!field.rows || !part || Array.isArray(part)) continue;
    const removed = new Set(part.remove);
    const rows = rowsOf(base[field.name]).filter(({ id }) => !removed.has(Number(id)));
    record[field.name] = [...rows.map((row) => part.set[String(row.id)] ?? row), ...part.add];
  }
  return record;
}

/** Findings mapped to the position of their rows in the form: "lines.3.qty" for "lines.set.41.qty". */
export function inForm(errors: FieldError[], values: Values): FieldError[] {
  return errors.map((error) => {
    const [name = '', how, at, ...rest] = error.field.split('.');
    if ((how !== 'set' && how !== 'add') || at === undefined) return error;
    const rows = rowsOf(values[name]);
    const place = how === 'set' ? rows.findIndex(({ id }) => String(id) === at) : rows.findIndex(isNew) + Number(at);
    return { ...error, field: [name, place, ...rest].join('.') };
  });
}
