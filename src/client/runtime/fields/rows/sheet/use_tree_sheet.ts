import { useCallback, useMemo, useRef, useState } from 'react';
import { subtotals, summedColumns, treeLines } from '../../../../../descriptor/row_tree.ts';
import type { GroupLine, TreeLine, TreeNodes } from '../../../../../descriptor/row_tree.ts';
import type { Field } from '../../../../../descriptor/types.ts';
import { SpreadError } from '../../../../../domain/spread/spread.ts';
import { toast } from '../../../../app/feedback.ts';
import type { GroupFigure } from '../../../form/rows_apart/row_saving.ts';
import type { Row } from '../sheet_values.ts';
import { readCell } from '../sheet_values.ts';
import { spreadDown } from './spread_down.ts';
import type { Line, RowSheet, Sheet } from './use_sheet.ts';
import { plainSheet } from './use_sheet.ts';

interface TreeOptions {
  /** The rows field, including its columns. */
  field: Field;
  /** The columns of the table, in order. */
  shown: readonly Field[];
  nodes: TreeNodes | null;
  /** Whether single cells can be locked; otherwise a column is locked in all rows or in none. */
  hasHeld: boolean;
  onFigure?: ((figure: GroupFigure) => void) | undefined;
}

const NONE: ReadonlySet<string> = new Set();

/**
 * The sheet with its rows as a tree, if the field defines one: groups are separate lines with subtotals; a figure typed
 * there is distributed over their rows.
 */
export function useTreeSheet(sheet: RowSheet, { field, shown, nodes, hasHeld, onFigure }: TreeOptions): Sheet {
  const { rowTree: tree, periods } = field;
  const columns = useMemo(() => field.rows ?? [], [field.rows]);
  const [shut, setShut] = useState(NONE);
  /** Keys of groups count down, those of rows up. */
  const groupKeys = useRef(new Map<string, number>());
  const { rows, keys } = sheet;
  const all = useMemo((): TreeLine[] | null => {
    if (!tree) return null;
    if (!nodes) return rows.map((_, at): TreeLine => ({ kind: 'row', at, above: null, depth: 0 }));
    return treeLines(tree, columns, rows, nodes);
  }, [tree, columns, rows, nodes]);
  const sums = useMemo(
    () => (all ? subtotals(columns, rows, all, periods?.roll) : null),
    [all, columns, rows, periods?.roll],
  );
  const summed = useMemo(() => new Set(summedColumns(columns).map(({ name }) => name)), [columns]);
  const state = useMemo(() => {
    if (!all || !sums) return null;
    const hidden = new Set<string>();
    const lines: Line[] = [];
    const shownRows: Row[] = [];
    const shownKeys: number[] = [];
    for (const line of all) {
      const isHidden = line.above !== null && (hidden.has(line.above) || shut.has(line.above));
      if (line.kind === 'group' && isHidden) hidden.add(line.key);
      if (isHidden) continue;
      lines.push(lineOf(line, shut));
      shownRows.push(line.kind === 'row' ? rows[line.at]! : sums.get(line.key)!);
      shownKeys.push(line.kind === 'row' ? keys[line.at]! : keyOf(groupKeys.current, line));
    }
    return { lines, rows: shownRows, keys: shownKeys };
  }, [all, sums, shut, rows, keys]);

  const latest = useRef({ sheet, state, all, onFigure });
  latest.current = { sheet, state, all, onFigure };
  const spread = useCallback(
    (line: Line, patch: Readonly<Record<string, unknown>>) => {
      const { sheet: of, onFigure } = latest.current;
      for (const [name, total] of Object.entries(patch)) {
        const column = columns.find((one) => one.name === name);
        if (!column || !tree || !line.group) continue;
        const { closed, rows: now } = of;
        try {
          of.changeAll(spreadDown({ tree, columns, rows: now, places: line.group.rows, column, total, closed }));
          onFigure?.({ group: line.group.key, field: name, total });
        } catch (error) {
          if (!(error instanceof SpreadError)) throw error;
          toast.error(error.message);
        }
      }
    },
    [columns, tree],
  );
  const actions = useMemo(() => {
    const lineAt = (index: number) => latest.current.state!.lines[index];
    const placeOf = (index: number) => lineAt(index)?.at ?? null;
    const places = (from: number, to: number) =>
      Array.from({ length: to - from + 1 }, (_, step) => placeOf(from + step)).filter((at) => at !== null);
    const groups = () =>
      latest.current.all!.filter((line): line is GroupLine => line.kind === 'group').map(({ key }) => key);
    return {
      change(index: number, patch: Readonly<Record<string, unknown>>) {
        const line = lineAt(index);
        if (line?.at !== null && line !== undefined) latest.current.sheet.change(line.at, patch);
        else if (line) spread(line, patch);
      },
      note(index: number, ...rest: Parameters<RowSheet['note']> extends [number, ...infer R] ? R : never) {
        const at = placeOf(index);
        if (at !== null) latest.current.sheet.note(at, ...rest);
      },
      // A new row belongs to no group yet: it comes last.
      insert: () => latest.current.sheet.insert(latest.current.sheet.rows.length),
      remove: (indexes: readonly number[]) =>
        latest.current.sheet.remove(indexes.map(placeOf).filter((at) => at !== null)),
      paste(index: number, left: number, cells: string[][]) {
        const line = lineAt(index);
        const column = shown[left];
        if (line?.group && column && cells.length === 1 && cells[0]!.length === 1) {
          const read = readCell(column, cells[0]![0]!);
          if (this.closed(index, column) || !('value' in read)) return;
          spread(line, { [column.name]: read.value });
          return;
        }
        const { lines } = latest.current.state!;
        latest.current.sheet.paste(left, cells, (step) =>
          index + step < lines.length ? placeOf(index + step) : Infinity,
        );
      },
      fillDown: (from: number, to: number, filled: readonly Field[]) =>
        latest.current.sheet.fillDown(places(from, to), filled),
      fillRight: (from: number, to: number, filled: readonly Field[]) =>
        latest.current.sheet.fillRight(places(from, to), filled),
      clear: (from: number, to: number, cleared: readonly Field[]) =>
        latest.current.sheet.clear(places(from, to), cleared),
      undo: () => latest.current.sheet.undo(),
      closed(index: number, column: Field): boolean {
        const line = lineAt(index);
        const { closed } = latest.current.sheet;
        if (!line?.group) return line?.at === null || line === undefined ? false : closed(line.at, column);
        if (!summed.has(column.name)) return true;
        const { rows: inside } = line.group;
        return hasHeld ? inside.every((at) => closed(at, column)) : closed(inside[0]!, column);
      },
      toggle(index: number) {
        const key = lineAt(index)?.group?.key;
        if (key !== undefined)
          setShut((before) =>
            before.has(key) ? new Set([...before].filter((one) => one !== key)) : new Set([...before, key]),
          );
      },
      toggleAll: (open: boolean) => setShut(open ? NONE : new Set(groups())),
    };
  }, [shown, spread, summed, hasHeld]);
  return useMemo(() => {
    if (!state) return plainSheet(sheet);
    const { toggle, toggleAll, ...rest } = actions;
    return { ...sheet, ...rest, rows: state.rows, keys: state.keys, tree: { lines: state.lines, toggle, toggleAll } };
  }, [state, sheet, actions]);
}

const lineOf = (line: TreeLine, shut: ReadonlySet<string>): Line =>
  line.kind === 'row'
    ? { at: line.at, depth: line.depth }
    : {
        at: null,
        depth: line.depth,
        group: { key: line.key, label: line.label, rows: line.rows, open: !shut.has(line.key) },
      };

function keyOf(known: Map<string, number>, { key }: GroupLine): number {
  const found = known.get(key) ?? -1 - known.size;
  known.set(key, found);
  return found;
}
