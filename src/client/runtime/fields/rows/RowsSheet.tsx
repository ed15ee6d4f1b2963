import { Suspense, lazy, useCallback, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import type { Field } from '../../../../descriptor/types.ts';
import { usePhone } from '../../../app/session.ts';
import type { GroupFigure, RowSaving } from '../../form/rows_apart/row_saving.ts';
import type { FieldHost, WidgetProps } from '../widget.ts';
import { useFieldHost } from '../widget.ts';
import { SheetGrid } from './SheetGrid.tsx';
import { useHeldCells, useLockedColumns, useTableColumns, useTitledPeriods, useValuesAround } from './shown_columns.ts';
import type { Row } from './sheet_values.ts';
import { useRowNodes } from './sheet/use_row_nodes.ts';
import { useSheet } from './sheet/use_sheet.ts';
import { useTreeSheet } from './sheet/use_tree_sheet.ts';

const SavingBar = lazy(() => import('./SavingBar.tsx'));
const RowDialog = lazy(() => import('./RowDialog.tsx'));
const RowCards = lazy(() => import('./RowCards.tsx'));

/** With more columns than this, a row can be opened as a form. */
const wideSheet = 6;
const defaultMost = 5000;

/** Child rows as a sheet: type, Tab, paste from a spreadsheet, fill down; cards on a phone. */
export function RowsWidget(props: WidgetProps) {
  const { field, onChange, onProblem, readOnly, disabled } = props;
  const outer = useFieldHost();
  const phone = usePhone();
  const titled = useTitledPeriods(outer, field);
  const columns = useMemo(() => titled.rows ?? [], [titled]);
  const around = useValuesAround(outer, columns);
  const locked = useLockedColumns(outer, field);
  const fixed = readOnly === true || disabled === true;
  const value = useMemo(() => (Array.isArray(props.value) ? (props.value as Row[]) : []), [props.value]);
  const shown = useTableColumns(titled, value, outer);
  const most = typeof field.schema.maxItems === 'number' ? field.schema.maxItems : defaultMost;
  const held = useKeptCells(field, value, useHeldCells(outer, field, columns));
  const max = field.givenRows ? value.length : most;

  const hostOf = useCallback(
    (row: () => Row, change?: (patch: Record<string, unknown>) => void): FieldHost | null =>
      outer && {
        ...outer,
        rows: field.name,
        columns,
        ...(field.part && { part: field.part.type }),
        ...(outer.part !== undefined && { asked: outer.part }),
        values: () => ({ ...outer.values(), ...row() }),
        setValues: (patch) => change?.(patch),
      },
    [outer, field, columns],
  );
  const saving = useSyncExternalStore(outer?.subscribe ?? never, () => outer?.saving?.get(field.name) ?? null);
  const contested = useContested(saving);
  const rows = useSheet({ columns, shown, value, onChange, onProblem, hostOf, max, held, locked });
  const onFigure = saving ? (figure: GroupFigure) => saving.typedOnGroup(figure) : undefined;
  const nodes = useRowNodes(outer, field, rows.rows);
  const sheet = useTreeSheet(rows, { field: titled, shown, nodes, hasHeld: held.size > 0, onFigure });
  const [opened, setOpened] = useState<number | null>(null);
  const rowHost = useCallback(
    (index: number) => {
      // By key: a value may arrive when rows above have been added or removed.
      const key = rowsNow.current.keys[index];
      const place = () => (key === undefined ? index : rowsNow.current.keys.indexOf(key));
      return hostOf(
        () => rowsNow.current.rows[place()] ?? {},
        (patch) => {
          if (place() >= 0) rowsNow.current.change(place(), patch);
        },
      );
    },
    [hostOf],
  );
  const rowsNow = useRef(rows);
  rowsNow.current = rows;
  const table = { props, columns: shown, sheet, list: rows, max, fixed };

  return (
    <>
      {phone ? (
        <Suspense fallback={null}>
          <RowCards {...table} onOpen={setOpened} />
        </Suspense>
      ) : (
        <SheetGrid
          {...table}
          rowHost={rowHost}
          around={around}
          contested={contested}
          locked={locked}
          saving={saving}
          onOpen={columns.length > wideSheet || shown.length < columns.length ? setOpened : null}
        />
      )}
      {saving && (
        <Suspense fallback={null}>
          <SavingBar saving={saving} columns={columns} rows={rows.rows} />
        </Suspense>
      )}
      {opened !== null && rows.rows[opened] && (
        <Suspense fallback={null}>
          <RowDialog
            field={field}
            columns={columns}
            sheet={rows}
            index={opened}
            host={rowHost(opened)}
            fixed={fixed}
            held={held}
            onOpen={setOpened}
            onClose={() => setOpened(null)}
          />
        </Suspense>
      )}
    </>
  );
}

/** Locked cells, with the keys of rows that people do not add. */
function useKeptCells({ givenRows, uniqueRows }: Field, rows: readonly Row[], held: ReadonlySet<string>) {
  return useMemo(
    () =>
      givenRows && uniqueRows
        ? new Set([...held, ...rows.flatMap((_, at) => uniqueRows.map((name) => `${at}.${name}`))])
        : held,
    [givenRows, uniqueRows, rows, held],
  );
}

const never = () => () => undefined;
const NONE: RowSaving['state'] = () => NO_STATE;
const NO_STATE: ReturnType<RowSaving['state']> = { phase: 'saved', message: null, conflicts: [] };

/** The notes at cells that somebody else changed as well. */
function useContested(saving: RowSaving | null): ReadonlyMap<string, string> {
  const { conflicts } = useSyncExternalStore(saving?.subscribe ?? never, saving?.state ?? NONE);
  return useMemo(
    () =>
      new Map(
        conflicts.map(({ id, field, by }) => [`${id}.${field ?? ''}`, `${by ?? 'Somebody'} changed this as well.`]),
      ),
    [conflicts],
  );
}
