import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { Field } from '../../../../../descriptor/types.ts';
import { toast } from '../../../../app/feedback.ts';
import type { FieldHost } from '../../widget.ts';
import { copied } from '../../reference/apply_choice.ts';
import { fetchOptions } from '../../reference/option_calls.ts';
import { isEmpty } from '../../../form/values.ts';
import { resolveNames } from '../resolve_names.ts';
import type { Row, Unread } from '../sheet_values.ts';
import { isClosed, newRow, readCell, takesText, withSpread, withoutTail } from '../sheet_values.ts';

/** Rows with stable keys, so that their state stays with them when others are added or removed. */
export interface SheetState {
  rows: readonly Row[];
  keys: readonly number[];
  unread: ReadonlyMap<string, Unread>;
}

/** A line of a sheet whose rows form a tree. */
export interface Line {
  /** The index of its row in the list; null = it is a group. */
  at: number | null;
  depth: number;
  group?: { key: string; label: string; rows: readonly number[]; open: boolean };
}

export interface Sheet extends SheetState {
  change: (index: number, patch: Readonly<Record<string, unknown>>) => void;
  /** A cell's text as typed or pasted. */
  note: (index: number, column: Field, unread: Unread | null) => void;
  insert: (index: number) => void;
  /** @returns whether a row was removed; rows with figures in closed periods remain */
  remove: (indexes: readonly number[]) => boolean;
  paste: (row: number, column: number, cells: string[][]) => void;
  fillDown: (from: number, to: number, columns: readonly Field[]) => void;
  /** Fills the value of the first of these columns into the others of the same kind. */
  fillRight: (from: number, to: number, columns: readonly Field[]) => void;
  clear: (from: number, to: number, columns: readonly Field[]) => void;
  undo: () => void;
  /** Whether a cell is locked now. */
  closed: (index: number, column: Field) => boolean;
  /** For rows in a tree: the node at each index. `rows` includes the subtotals of groups. */
  tree?: {
    lines: readonly Line[];
    toggle: (index: number) => void;
    toggleAll: (open: boolean) => void;
  };
}

/** The rows of the list by index. */
export interface RowSheet extends Omit<Sheet, 'tree' | 'paste' | 'fillDown' | 'fillRight' | 'clear'> {
  /** Locked columns: those of closed periods. */
  locked: ReadonlySet<string>;
  /** Changes several rows in one step. */
  changeAll: (patches: ReadonlyMap<number, Readonly<Record<string, unknown>>>) => void;
  /** `placeOf`: the row for each pasted line; null = none. Beyond the last row, rows are added. */
  paste: (column: number, cells: string[][], placeOf: (line: number) => number | null) => void;
  /** Fills the first of these rows into the others. */
  fillDown: (places: readonly number[], columns: readonly Field[]) => void;
  fillRight: (places: readonly number[], columns: readonly Field[]) => void;
  clear: (places: readonly number[], columns: readonly Field[]) => void;
}

/** A sheet whose lines are the rows, in order. */
export function plainSheet(rows: RowSheet): Sheet {
  const span = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, step) => from + step);
  return {
    ...rows,
    paste: (row, column, cells) => rows.paste(column, cells, (line) => row + line),
    fillDown: (from, to, columns) => rows.fillDown(span(from, to), columns),
    fillRight: (from, to, columns) => rows.fillRight(span(from, to), columns),
    clear: (from, to, columns) => rows.clear(span(from, to), columns),
  };
}

const remembered = 50;
const NO_COLUMNS: ReadonlySet<string> = new Set();

export function cellKey(key: number, column: Field): string {
  return `${key} ${column.name}`;
}

/** The key of a row: its id, or a temporary one until it is stored. */
const nameOf = (row: Row): unknown => row._new ?? row.id ?? null;

/** A row that had no key yet is at the same position. */
const isSameRow = (row: Row, before: Row): boolean => nameOf(before) === null || nameOf(row) === nameOf(before);

const sameCells = (columns: readonly Field[], one: Row, other: Row): boolean =>
  columns.every(({ name, readOnly, formula }) => readOnly || formula !== undefined || one[name] === other[name]);

interface SheetOptions {
  columns: Field[];
  /** The columns of the table, in order: pasted values go into them. */
  shown: Field[];
  value: readonly Row[];
  onChange: (rows: Row[]) => void;
  onProblem?: ((message: string | null) => void) | undefined;
  /** The host for the row at an index: used to request its references. */
  hostOf: (row: () => Row) => FieldHost | null;
  max: number;
  /** Locked cells, by `row.column`. */
  held?: ReadonlySet<string>;
  /** Locked columns: those of closed periods. */
  locked?: ReadonlySet<string>;
}

/** The content of the sheet and its operations. The form receives rows that are not blank. */
export function useSheet({
  columns,
  shown,
  value,
  onChange,
  onProblem,
  hostOf,
  max,
  held,
  locked,
}: SheetOptions): RowSheet {
  const nextKey = useRef(0);
  const fresh = useCallback(
    (rows: readonly Row[]): SheetState => ({ rows, keys: rows.map(() => nextKey.current++), unread: new Map() }),
    [],
  );
  const [state, setState] = useState(() => fresh(value));
  const now = useRef(state);
  const emitted = useRef<readonly Row[]>(value);
  const past = useRef<SheetState[]>([]);
  const latest = useRef({ onChange, onProblem, hostOf, held, locked });
  latest.current = { onChange, onProblem, hostOf, held, locked };

  const set = useCallback((next: SheetState) => {
    now.current = next;
    setState(next);
  }, []);

  const apply = useCallback(
    (next: SheetState, undoable = true) => {
      if (undoable) past.current = [...past.current.slice(1 - remembered), now.current];
      set(next);
      const rows = withoutTail(next.rows, columns);
      const before = emitted.current;
      emitted.current = rows;
      const count = next.unread.size;
      latest.current.onProblem?.(
        count === 0 ? null : count === 1 ? 'One cell could not be read.' : `${count} cells could not be read.`,
      );
      if (rows.length !== before.length || rows.some((row, index) => row !== before[index]))
        latest.current.onChange(rows);
      else emitted.current = before;
    },
    [columns, set],
  );

  // Rows returned by the form: the same rows with their formulas computed, or different ones.
  useEffect(() => {
    if (value === emitted.current) return;
    const { rows, keys, unread } = now.current;
    const known = emitted.current.length;
    const before = emitted.current;
    emitted.current = value;
    if (value.length === known && value.every((row, at) => isSameRow(row, before[at]!))) {
      set({ rows: [...value, ...rows.slice(known)], keys, unread });
      // Undo does not revert changes by others.
      if (value.some((row, at) => row !== before[at] && !sameCells(columns, row, before[at]!))) past.current = [];
      return;
    }
    past.current = [];
    // Existing rows keep their keys and the text being typed.
    const byName = new Map(rows.map((row, at) => [nameOf(row), keys[at]!] as const).filter(([name]) => name !== null));
    const tail = rows.slice(known);
    const kept = [...value, ...tail];
    set({
      rows: kept,
      keys: kept.map((row, at) =>
        at >= value.length ? keys[known + at - value.length]! : (byName.get(nameOf(row)) ?? nextKey.current++),
      ),
      unread,
    });
  }, [value, set, columns]);

  const actions = useMemo(() => {
    const withRows = (rows: readonly Row[], unread = now.current.unread): SheetState => ({
      ...now.current,
      rows,
      unread,
    });
    const around = () => {
      const host = latest.current.hostOf(() => ({}));
      return host ? { fields: host.screen.fields, record: host.values() } : undefined;
    };
    const closed = (index: number, column: Field) => isClosed(column, index, latest.current);
    const spread = (row: Row, index: number, patch: Readonly<Record<string, unknown>>) =>
      withSpread(
        columns,
        row,
        patch,
        (name) => latest.current.held?.has(`${index}.${name}`) === true || latest.current.locked?.has(name) === true,
      );
    /** Several rows with new values in some columns; earlier parse errors there are cleared. */
    const fill = (
      places: readonly number[],
      filled: readonly Field[],
      values: (column: Field, row: Row) => Record<string, unknown>,
    ) => {
      const rows = [...now.current.rows];
      const unread = new Map(now.current.unread);
      for (const place of places) {
        const open = filled.filter((column) => !column.spreads && !closed(place, column));
        for (const column of open) unread.delete(cellKey(now.current.keys[place]!, column));
        const row = rows[place]!;
        rows[place] = { ...row, ...Object.assign({}, ...open.map((column) => values(column, row))) };
      }
      apply(withRows(rows, unread));
    };
    return {
      closed,
      changeAll(patches: ReadonlyMap<number, Readonly<Record<string, unknown>>>) {
        const rows = [...now.current.rows];
        for (const [place, patch] of patches) rows[place] = { ...rows[place]!, ...patch };
        apply(withRows(rows));
      },
      change(index: number, given: Readonly<Record<string, unknown>>) {
        const { rows, keys, unread } = now.current;
        const row = rows[index];
        const key = keys[index];
        if (!row || key === undefined) return;
        const patch = spread(row, index, given);
        const kept = new Map(unread);
        for (const column of columns)
          if (column.name in given || column.name in patch) kept.delete(cellKey(key, column));
        apply(withRows(rows.with(index, { ...row, ...patch }), kept));
      },
      note(index: number, column: Field, found: Unread | null) {
        const key = now.current.keys[index];
        if (key === undefined || (found === null && !now.current.unread.has(cellKey(key, column)))) return;
        const unread = new Map(now.current.unread);
        if (found) unread.set(cellKey(key, column), found);
        else unread.delete(cellKey(key, column));
        apply(withRows(now.current.rows, unread), false);
      },
      insert(index: number) {
        const { rows, keys } = now.current;
        if (rows.length >= max) return;
        apply({
          ...now.current,
          rows: rows.toSpliced(index, 0, newRow(columns, around())),
          keys: keys.toSpliced(index, 0, nextKey.current++),
        });
      },
      remove(indexes: readonly number[]) {
        const { rows, keys, unread } = now.current;
        const stays = (row: Row) => [...(latest.current.locked ?? [])].some((name) => (row[name] ?? null) !== null);
        const gone = new Set(indexes.filter((index) => rows[index] && !stays(rows[index])));
        if (gone.size < indexes.length) toast.warning('Rows with figures in closed periods stay.');
        if (gone.size === 0) return false;
        const goneKeys = new Set([...gone].map((index) => String(keys[index])));
        apply({
          rows: rows.filter((_, index) => !gone.has(index)),
          keys: keys.filter((_, index) => !gone.has(index)),
          unread: new Map([...unread].filter(([cell]) => !goneKeys.has(cell.split(' ')[0] ?? ''))),
        });
        return true;
      },
      paste(left: number, cells: string[][], placeOf: (line: number) => number | null) {
        const rows = [...now.current.rows];
        const keys = [...now.current.keys];
        const unread = new Map(now.current.unread);
        const lookUp = new Map<Field, { key: number; text: string }[]>();
        for (const [line, texts] of cells.entries()) {
          const place = placeOf(line);
          if (place === null) continue;
          const index = Math.min(place, rows.length);
          if (index >= max) break;
          if (index >= rows.length) {
            rows.push(newRow(columns, around()));
            keys.push(nextKey.current++);
          }
          const patch: Record<string, unknown> = {};
          for (const [step, text] of texts.entries()) {
            const column = shown[left + step];
            if (!column || closed(index, column) || !takesText(column)) continue;
            const cell = cellKey(keys[index]!, column);
            unread.delete(cell);
            if (column.ref && text.trim() !== '') {
              patch[column.name] = null;
              patch[`${column.name}__label`] = null;
              unread.set(cell, { text, message: 'Being looked up.' });
              lookUp.set(column, [...(lookUp.get(column) ?? []), { key: keys[index]!, text }]);
              continue;
            }
            const read = readCell(column, text);
            if ('value' in read) patch[column.name] = read.value;
            else {
              patch[column.name] = null;
              unread.set(cell, read);
            }
          }
          rows[index] = { ...rows[index]!, ...spread(rows[index]!, index, patch) };
        }
        apply({ rows, keys, unread });
        const { awaited } = latest.current.hostOf(() => ({})) ?? {};
        for (const [column, wanted] of lookUp) {
          const found = this.lookUp(column, wanted);
          awaited?.add(found);
          void found.finally(() => awaited?.delete(found));
        }
      },
      /** Names pasted into a reference column become records, as far as they are known. */
      async lookUp(column: Field, wanted: { key: number; text: string }[]) {
        const host = latest.current.hostOf(() => ({}));
        const several = column.type === 'refs';
        const parts = (text: string) =>
          several
            ? text
                .split(',')
                .map((part) => part.trim())
                .filter(Boolean)
            : [text];
        const found = await resolveNames(
          host,
          column,
          wanted.flatMap(({ text }) => parts(text)),
        );
        const rows = [...now.current.rows];
        const unread = new Map(now.current.unread);
        for (const { key, text } of wanted) {
          const index = now.current.keys.indexOf(key);
          const cell = cellKey(key, column);
          if (index < 0 || unread.get(cell)?.text !== text) continue;
          const options = parts(text).map((part) => found.get(part));
          if (options.some((option) => option === undefined)) {
            unread.set(cell, { text, message: `“${text}” is not known.` });
            continue;
          }
          unread.delete(cell);
          const known = options.filter((option) => option !== undefined);
          rows[index] = {
            ...rows[index]!,
            [column.name]: several ? known.map(({ id }) => id) : known[0]!.id,
            [`${column.name}__label`]: several ? known.map(({ label }) => label) : known[0]!.label,
            // As when chosen by hand, but values pasted beside it are kept.
            ...(!several &&
              copied(
                columns.filter(
                  (one) =>
                    one.fetch?.via === column.name &&
                    (one.readOnly || isEmpty(rows[index]![one.name])) &&
                    !unread.has(cellKey(key, one)),
                ),
                known[0]!,
              )),
          };
        }
        apply({ ...now.current, rows, unread }, false);
        await this.nameCopied(column);
      },
      /** References copied from a record are shown by name, each looked up once. */
      async nameCopied(via: Field) {
        for (const column of columns.filter((one) => one.type === 'ref' && one.fetch?.via === via.name)) {
          const label = `${column.name}__label`;
          const ids = now.current.rows.flatMap((row) =>
            typeof row[column.name] === 'number' && !row[label] ? [row[column.name]] : [],
          );
          if (ids.length === 0) continue;
          const host = latest.current.hostOf(() => ({}));
          const found = await fetchOptions(host, column, { ids: [...new Set(ids as number[])], limit: 50 }).catch(
            () => [],
          );
          const rows = now.current.rows.map((row) => {
            const option = row[label] ? undefined : found.find(({ id }) => id === row[column.name]);
            return option ? { ...row, [label]: option.label } : row;
          });
          apply({ ...now.current, rows }, false);
        }
      },
      fillDown(places: readonly number[], filled: readonly Field[]) {
        const [from, ...others] = places;
        const source = from === undefined ? undefined : now.current.rows[from];
        if (!source) return;
        fill(others, filled, ({ name }) => ({
          [name]: source[name],
          ...(`${name}__label` in source && { [`${name}__label`]: source[`${name}__label`] }),
        }));
      },
      fillRight(places: readonly number[], filled: readonly Field[]) {
        const [from, ...others] = filled;
        if (!from) return;
        const takes = others.filter(({ type, ref }) => type === from.type && ref?.type === from.ref?.type);
        fill(places, takes, ({ name }, row) => ({
          [name]: row[from.name] ?? null,
          ...(`${from.name}__label` in row && { [`${name}__label`]: row[`${from.name}__label`] }),
        }));
      },
      clear(places: readonly number[], cleared: readonly Field[]) {
        fill(places, cleared, ({ name, ref }) => ({ [name]: null, ...(ref && { [`${name}__label`]: null }) }));
      },
      undo() {
        const before = past.current.pop();
        if (before) apply(before, false);
      },
    };
  }, [apply, columns, shown, max]);

  return { ...state, ...actions, locked: locked ?? NO_COLUMNS };
}
