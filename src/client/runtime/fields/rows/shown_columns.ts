import { useCallback, useMemo, useRef, useSyncExternalStore } from 'react';
import { compileExpression } from '../../../../descriptor/expression/compile_expression.ts';
import { columnsOfMonths, monthsOfPeriods, withPeriodTitles } from '../../../../descriptor/period_columns.ts';
import { place } from '../../../../descriptor/place.ts';
import type { Field } from '../../../../descriptor/types.ts';
import { isShown } from '../../../../descriptor/validate.ts';
import type { FieldHost } from '../widget.ts';
import type { Row } from './sheet_values.ts';

/** The columns of the table: those listed in the descriptor, otherwise all. */
function tableColumns(field: Field): Field[] {
  // Nested rows appear in the form of a row.
  const all = (field.rows ?? []).filter(({ rows }) => !rows);
  if (!field.columns) return all;
  const named = field.columns.flatMap((name) => all.find((column) => column.name === name) ?? []);
  return named.length > 0 ? named : all;
}

/** These columns without those that nobody enters and that apply in no row: they would be empty. */
export function useTableColumns(field: Field, rows: readonly Row[], host: FieldHost | null): Field[] {
  const all = useMemo(() => tableColumns(field), [field]);
  const empty = all
    .filter((column) => column.readOnly && column.when !== undefined)
    .filter((column) => !rows.some((row) => isColumnShown(column, field.rows ?? [], row, host)))
    .map(({ name }) => name)
    .join(' ');
  return useMemo(() => (empty === '' ? all : all.filter(({ name }) => !empty.split(' ').includes(name))), [all, empty]);
}

/** The sections of the form of a row with their columns; unlisted columns are in the last. */
export function rowSections(field: Field): { title?: string; help?: string; columns: Field[] }[] {
  const all = field.rows ?? [];
  if (!field.sections) return [{ columns: all }];
  const placed = new Set(field.sections.flatMap(({ fields }) => fields));
  const rest = all.filter(({ name }) => !placed.has(name));
  return field.sections.map(({ fields, ...section }, at) => ({
    ...section,
    columns: [
      ...fields.flatMap((name) => all.find((column) => column.name === name) ?? []),
      ...(at === field.sections!.length - 1 ? rest : []),
    ],
  }));
}

/** True if the column is to be shown in this row: its condition may name other columns and fields of the record. */
export function isColumnShown(column: Field, columns: Field[], row: Row, host: FieldHost | null): boolean {
  if ((column.when === undefined && column.visible === undefined) || !host) return true;
  return isShown(host.screen, column, { ...host.values() }, { fields: columns, row });
}

/** True if the column is required in this row. */
export function isColumnRequired(column: Field, columns: Field[], row: Row, host: FieldHost | null): boolean {
  const { required, requiredWhen, readOnly } = column;
  if (readOnly) return false;
  return (
    required || (requiredWhen !== undefined && isColumnShown({ ...column, when: requiredWhen }, columns, row, host))
  );
}

/**
 * The record's values used by conditions and currencies of the columns, as text: while it is unchanged, so are the
 * rows.
 */
export function useValuesAround(host: FieldHost | null, columns: Field[]): string {
  const names = useMemo(() => {
    const own = new Set(columns.map(({ name }) => name));
    return columns.flatMap(({ when, currencyFrom, unitFrom }) => [
      ...(when === undefined
        ? []
        : compileExpression(when).names.flatMap((name) => (own.has(name) ? [] : [name.split('.')[0] ?? name]))),
      ...(currencyFrom === undefined || own.has(currencyFrom) ? [] : [currencyFrom, `${currencyFrom}__label`]),
      ...(unitFrom === undefined || own.has(unitFrom) ? [] : [unitFrom]),
    ]);
  }, [columns]);
  const read = useCallback(() => {
    if (!host || names.length === 0) return '';
    const values = host.values();
    return JSON.stringify(names.map((name) => values[name] ?? null));
  }, [host, names]);
  return useSyncExternalStore(host?.subscribe ?? never, read);
}

/** The rows field with its period columns titled by the record's start: "Apr 2025". */
export function useTitledPeriods(host: FieldHost | null, field: Field): Field {
  const { periods } = field;
  const read = useCallback(() => String((periods && host?.values()[periods.start]) ?? ''), [host, periods]);
  const start = useSyncExternalStore(host?.subscribe ?? never, read);
  const year = place().fyStartMonth;
  return useMemo(
    () => (periods ? { ...field, rows: withPeriodTitles(field.rows ?? [], periods.unit, start, year) } : field),
    [field, periods, start, year],
  );
}

const NONE: ReadonlySet<string> = new Set();

/** The locked cells, by `row.column`; empty if no column can be locked. */
export function useHeldCells(host: FieldHost | null, field: Field, columns: Field[]): ReadonlySet<string> {
  const asked = columns.some(({ readOnlyWhen, once }) => readOnlyWhen !== undefined || once);
  const read = useCallback(() => (asked && host?.held ? host.held() : NONE), [asked, host]);
  const held = useSyncExternalStore(host?.subscribe ?? never, read);
  return useMemo(() => {
    const before = `${field.name}.`;
    return held.size === 0
      ? NONE
      : new Set([...held].flatMap((path) => (path.startsWith(before) ? [path.slice(before.length)] : [])));
  }, [held, field]);
}

/** The columns of closed periods: from the server for the record, and from its current values. */
export function useLockedColumns(host: FieldHost | null, field: Field): ReadonlySet<string> {
  const { periods, name } = field;
  const said = useRef<readonly string[]>([]);
  const read = useCallback(() => {
    if (!host || !periods?.closed) return '';
    const values = host.values();
    const sent = (values._closed as Record<string, string[]> | undefined)?.[name];
    if (sent) said.current = sent;
    const { until } = periods.closed;
    const months = until === undefined ? [] : monthsOfPeriods(periods, values[periods.start], place().fyStartMonth);
    const over = columnsOfMonths(periods, months, NONE, until === undefined ? null : values[until]);
    return [...new Set([...said.current, ...over])].sort().join(' ');
  }, [host, periods, name]);
  const locked = useSyncExternalStore(host?.subscribe ?? never, read);
  return useMemo(() => (locked === '' ? NONE : new Set(locked.split(' '))), [locked]);
}

const never = () => () => undefined;
