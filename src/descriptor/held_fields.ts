import { formatValue } from './format.ts';
import type { Field, FieldError, Screen } from './types.ts';
import { isShown, recompute } from './validate.ts';

type Row = Record<string, unknown>;

const known = new WeakMap<Screen, boolean>();

/** Whether the screen has fields that are sometimes locked (`x-readonly`, `x-once`). */
export function hasHeldFields(screen: Screen): boolean {
  let has = known.get(screen);
  if (has === undefined) {
    const isHeldAtTimes = ({ readOnlyWhen, once }: Field) => readOnlyWhen !== undefined || once === true;
    has = screen.fields.some((field) => isHeldAtTimes(field) || (field.rows?.some(isHeldAtTimes) ?? false));
    known.set(screen, has);
  }
  return has;
}

/** The fields that are locked now, by path (`rate`, `lines.2.rate`), and the record with their previous values. */
export interface Held {
  paths: ReadonlySet<string>;
  record: Row;
}

/**
 * The locked parts of a record. `before`: the stored record, or the initial values of a new one. A condition locks a
 * field only if it was true before and is true now: an edit that unlocks fields may change them at once, but a field
 * cannot be unlocked by its own value.
 */
export function heldFields(screen: Screen, record: Row, before: Row, isNew: boolean): Held {
  const paths = new Set<string>();
  if (!hasHeldFields(screen)) return { paths, record };
  // The record with these fields unchanged: a value cannot unlock its own field.
  const bare: Row = { ...record, id: isNew ? null : (before.id ?? 0) };
  for (const field of screen.fields) {
    if (field.readOnlyWhen !== undefined) bare[field.name] = before[field.name] ?? null;
    const columns = field.rows?.filter(({ readOnlyWhen }) => readOnlyWhen !== undefined) ?? [];
    if (columns.length === 0 || !Array.isArray(bare[field.name])) continue;
    const earlier = rowsById(before[field.name]);
    bare[field.name] = (bare[field.name] as (Row | null)[]).map((row) => row && resetRow(row, columns, earlier));
  }
  const now = recompute(screen, bare);
  const stored = isNew ? null : { ...before, id: before.id ?? 0 };
  const result = { ...record };
  for (const field of screen.fields) {
    if (isHeld(screen, field, now, stored)) {
      paths.add(field.name);
      result[field.name] = before[field.name] ?? null;
      const label = `${field.name}__label`;
      if (label in record) result[label] = before[label] ?? null;
      continue;
    }
    if (!field.rows || !Array.isArray(record[field.name])) continue;
    const columns = field.rows.filter(({ readOnlyWhen, once }) => readOnlyWhen !== undefined || once);
    if (columns.length === 0) continue;
    const earlier = rowsById(before[field.name]);
    let changed = false;
    const rows = (record[field.name] as (Row | null)[]).map((row, at) => {
      if (row === null || typeof row !== 'object') return row;
      const old = earlier.get(row.id);
      const current = (now[field.name] as Row[])[at]!;
      const held = columns.filter((column) =>
        isHeld(screen, column, now, stored, { fields: field.rows!, row: current, old: old ?? null }),
      );
      for (const { name } of held) paths.add(`${field.name}.${at}.${name}`);
      const kept = held.length > 0 ? resetRow(row, held, earlier) : row;
      if (kept !== row) changed = true;
      return kept;
    });
    if (changed) result[field.name] = rows;
  }
  return { paths, record: result };
}

const isFilled = (value: unknown) =>
  value !== null && value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0);

function isHeld(
  screen: Screen,
  field: Field,
  now: Row,
  stored: Row | null,
  inRow?: { fields: Field[]; row: Row; old: Row | null },
): boolean {
  const old = inRow ? inRow.old : stored;
  if (field.once && isFilled(old?.[field.name])) return true;
  if (field.readOnlyWhen === undefined) return false;
  const asked = { ...field, when: field.readOnlyWhen };
  const holds = (record: Row, row?: Row) =>
    isShown(screen, asked, record, inRow && row ? { fields: inRow.fields, row } : undefined);
  if (!holds(now, inRow?.row)) return false;
  // For a new row of a stored record, the previous record decides.
  return stored === null || holds(stored, inRow ? (inRow.old ?? inRow.row) : undefined);
}

function rowsById(value: unknown): Map<unknown, Row> {
  const rows = Array.isArray(value) ? (value as (Row | null)[]) : [];
  return new Map(rows.flatMap((row) => (row?.id === undefined || row.id === null ? [] : [[row.id, row] as const])));
}

/** A row with some columns as stored or, for a new one, as initialised. The same row if nothing differs. */
function resetRow(row: Row, columns: Field[], earlier: ReadonlyMap<unknown, Row>): Row {
  const old = earlier.get(row.id);
  const patch = columns.flatMap(({ name, default: begins }): [string, unknown][] => {
    const value = old ? (old[name] ?? null) : (begins ?? null);
    if ((row[name] ?? null) === value) return [];
    const label = `${name}__label`;
    return [[name, value], ...(label in row ? [[label, old?.[label] ?? null] as [string, unknown]] : [])];
  });
  return patch.length === 0 ? row : { ...row, ...Object.fromEntries(patch) };
}

/** The locked values that a person changed. `same`: whether two values of a field are equal. */
export function heldErrors(
  screen: Screen,
  record: Row,
  before: Row,
  isNew: boolean,
  same: (field: Field, a: unknown, b: unknown) => boolean,
): FieldError[] {
  const { paths, record: kept } = heldFields(screen, record, before, isNew);
  return [...paths].flatMap((path): FieldError[] => {
    const [name = '', at, column] = path.split('.');
    const field = screen.fields.find((one) => one.name === name)!;
    const of = at === undefined ? field : field.rows!.find((one) => one.name === column)!;
    const [sent, was] = [record, kept].map((one) => (at === undefined ? one : (one[name] as Row[])[Number(at)]!)) as [
      Row,
      Row,
    ];
    if (same(of, sent[of.name], was[of.name])) return [];
    const value = of.rows || of.secret || of.ref ? '' : formatValue(of, was[of.name], was);
    const stays = value === '' ? 'Leave it as it is.' : `Leave it as it is: ${value}.`;
    return [
      {
        field: path,
        message: of.once
          ? `${of.title} is entered once and stays. ${stays}`
          : isFilled(was[of.name])
            ? `${of.title} cannot be changed now. ${stays}`
            : `${of.title} cannot be filled in now. Leave it empty.`,
      },
    ];
  });
}
