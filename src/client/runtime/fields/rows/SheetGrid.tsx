import { Button } from '@fluentui/react-components';
import { AddRegular, DeleteRegular, LockClosedRegular } from '@fluentui/react-icons';
import type { CSSProperties } from 'react';
import { Suspense, lazy, useContext, useEffect, useEffectEvent, useMemo, useRef } from 'react';
import { fieldType } from '../../../../descriptor/fieldtypes/registry.ts';
import { unitOf } from '../../../../descriptor/money.ts';
import type { Field } from '../../../../descriptor/types.ts';
import type { RowSaving } from '../../form/rows_apart/row_saving.ts';
import type { FieldHost, WidgetProps } from '../widget.ts';
import { FieldErrorsContext, useFieldHost } from '../widget.ts';
import { RowProblems } from './RowProblems.tsx';
import { SheetRow } from './SheetRow.tsx';
import styles from './rows.module.css';
import { rowErrors } from './sheet_columns.ts';
import { hasActions, totals } from './sheet_values.ts';
import { useCells } from './sheet/use_cells.ts';
import type { RowSheet, Sheet } from './sheet/use_sheet.ts';
import { cellKey } from './sheet/use_sheet.ts';
import { useShownCells } from './sheet/use_shown_cells.ts';

const RowsActions = lazy(() => import('./RowsActions.tsx'));

interface GridProps {
  props: WidgetProps;
  columns: Field[];
  sheet: Sheet;
  /** The rows of the list by index. */
  list: RowSheet;
  max: number;
  fixed: boolean;
  rowHost: (index: number) => FieldHost | null;
  /** The values outside the rows used by column conditions. */
  around: string;
  /** Notes at cells that somebody else changed as well, by `id.column`. */
  contested: ReadonlyMap<string, string>;
  /** Columns of closed periods. */
  locked: ReadonlySet<string>;
  /** For rows that are saved by cell. */
  saving: RowSaving | null;
  onOpen: ((index: number) => void) | null;
}

/** The sheet as a table: visible rows and columns, with headings, sums and errors. */
export function SheetGrid(grid: GridProps) {
  const { props, columns, sheet, list, max, fixed, rowHost, around, contested, locked, saving, onOpen } = grid;
  const { id, field } = props;
  const { rows, keys, unread, tree } = sheet;
  const count = list.rows.length;
  const errors = useContext(FieldErrorsContext);
  const scroller = useRef<HTMLDivElement>(null);
  const given = field.givenRows === true;
  const removes = !fixed && !given;
  const hasTools = removes || onOpen !== null;
  const tools = !hasTools ? '' : onOpen && removes ? '72px' : '40px';
  const { template, wide, shownColumns, shownRows, offset, height, show } = useShownCells({
    keys,
    columns,
    tools,
    scroller,
  });
  const host = useFieldHost();
  const values = host?.values;
  const cells = useCells({ sheet, columns, max, fixed, given, scroller, show, values });
  const { at, area, editing } = cells;
  // If no outside names are used, the record's values make no difference.
  const sums = useMemo(
    () => totals(list.rows, columns, around === '' ? undefined : values),
    [list.rows, columns, values, around],
  );
  const found = useMemo(() => rowErrors(errors, field, count), [errors, field, count]);
  // A new last row is scrolled into view.
  const showCurrent = useEffectEvent(() => {
    if (at && height !== null) show(at);
  });
  useEffect(() => showCurrent(), [rows.length]);

  /** In a wide sheet some columns are not rendered: each has an explicit position. */
  const placed = (column: number): CSSProperties | undefined => (wide ? { gridColumn: column + 2 } : undefined);
  const toolsPlace = wide ? { gridColumn: columns.length + 2 } : undefined;
  return (
    <div className={styles.sheet}>
      {tree?.lines.some(({ group }) => group) && (
        <div className={styles.actions}>
          <Button size="small" onClick={() => tree.toggleAll(true)}>
            Open all groups
          </Button>
          <Button size="small" onClick={() => tree.toggleAll(false)}>
            Close all groups
          </Button>
        </div>
      )}
      <div
        ref={scroller}
        id={id}
        role={tree ? 'treegrid' : 'grid'}
        className={styles.scroller}
        data-wide={wide ? '' : undefined}
        tabIndex={0}
        aria-labelledby={`${id}-label`}
        aria-describedby={`${id}-message`}
        aria-rowcount={rows.length + 1}
        aria-colcount={columns.length}
        aria-readonly={fixed || undefined}
        aria-multiselectable
        {...(at && !editing && { 'aria-activedescendant': `${id}-${at.row}-${at.column}` })}
        {...cells.handlers}
        onFocus={(event) => {
          if (event.target === scroller.current) cells.enter();
        }}
        onBlur={(event) => {
          if (!event.currentTarget.contains(event.relatedTarget)) props.onBlur?.();
        }}
      >
        <div className={styles.wide} role="presentation">
          <div role="row" aria-rowindex={1} className={styles.head} style={{ gridTemplateColumns: template }}>
            <span role="columnheader" aria-label="Row" />
            {shownColumns.map((index) => {
              const column = columns[index]!;
              return (
                <span
                  key={column.name}
                  role="columnheader"
                  aria-colindex={index + 1}
                  title={column.help}
                  data-align={fieldType(column.type).align}
                  data-first={index === 0 ? '' : undefined}
                  style={placed(index)}
                >
                  {locked.has(column.name) && <LockClosedRegular className={styles.lock} aria-hidden />}
                  {column.title}
                  {locked.has(column.name) && <span className={styles.hidden}>, closed</span>}
                  {column.required && !column.readOnly && !fixed && (
                    <span className={styles.mark} aria-hidden>
                      {' '}
                      *
                    </span>
                  )}
                  {unitOf(column) && <span className={styles.unit}> {unitOf(column)}</span>}
                </span>
              );
            })}
            {hasTools && <span role="columnheader" aria-label="Actions" style={toolsPlace} />}
          </div>
          <div role="presentation" style={height === null ? undefined : { height, position: 'relative' }}>
            <div
              role="presentation"
              style={
                height === null
                  ? undefined
                  : { position: 'absolute', insetInline: 0, top: 0, transform: `translateY(${offset}px)` }
              }
            >
              {shownRows.map((index) => {
                const row = rows[index];
                const key = keys[index];
                if (!row || key === undefined) return null;
                const current = at?.row === index;
                const line = tree?.lines[index];
                const place = line ? line.at : index;
                const selected = area && index >= area.top && index <= area.bottom;
                return (
                  <SheetRow
                    key={key}
                    id={id}
                    index={index}
                    row={row}
                    rowKey={key}
                    columns={columns}
                    shown={shownColumns}
                    wide={wide}
                    template={template}
                    fixed={fixed}
                    active={current ? at.column : -1}
                    left={selected ? area.left : -1}
                    right={selected ? area.right : -1}
                    editing={current ? editing : null}
                    errors={(place !== null && found.get(place)) || null}
                    unread={rowHasUnread(unread, key, columns) ? unread : null}
                    saved={saving?.savedRow(row.id) ?? null}
                    contested={isContested(contested, row) ? contested : null}
                    sheet={sheet}
                    rowHost={rowHost}
                    around={around}
                    line={line}
                    place={place}
                    closed={closedColumns(sheet, index, columns)}
                    onOpen={onOpen}
                    onToggle={tree?.toggle ?? null}
                    onSelect={cells.select}
                    onSelectRow={cells.selectRow}
                    onRemove={removes ? cells.remove : null}
                  />
                );
              })}
            </div>
          </div>
          {sums.size > 0 && count > 1 && (
            <div role="row" className={styles.foot} style={{ gridTemplateColumns: template }}>
              <span role="rowheader">Total</span>
              {shownColumns.map((index) => {
                const column = columns[index]!;
                return (
                  <span
                    key={column.name}
                    role="gridcell"
                    data-align={fieldType(column.type).align}
                    data-first={index === 0 ? '' : undefined}
                    style={placed(index)}
                  >
                    {sums.get(column.name) ?? ''}
                  </span>
                );
              })}
              {hasTools && <span style={toolsPlace} />}
            </div>
          )}
        </div>
        {rows.length === 0 && (
          <p className={styles.empty}>
            {fixed || given ? 'No rows.' : 'No rows yet. Add one, or paste them from a spreadsheet.'}
          </p>
        )}
      </div>
      <RowProblems
        found={found}
        unread={sheet.unread}
        sheet={list}
        columns={columns}
        onGo={({ row, column }) => {
          const line = tree ? tree.lines.findIndex(({ at: of }) => of === row) : row;
          if (line < 0) tree?.toggleAll(true);
          else cells.move({ row: line, column });
          cells.focusGrid();
        }}
      />
      {!fixed && (
        <div className={styles.actions}>
          {removes && (
            <Button
              size="small"
              icon={<AddRegular />}
              title="Ctrl+Enter"
              disabled={count >= max}
              onClick={() => cells.addRow()}
            >
              Add row
            </Button>
          )}
          {area && area.bottom > area.top && (
            <>
              <Button size="small" onClick={() => sheet.fillDown(area.top, area.bottom, cells.chosen)} title="Ctrl+D">
                Fill down
              </Button>
              {removes && (
                <Button size="small" icon={<DeleteRegular />} onClick={() => cells.removeRows(area.top, area.bottom)}>
                  Delete {area.bottom - area.top + 1} rows
                </Button>
              )}
            </>
          )}
          {area && area.right > area.left && (
            <Button size="small" onClick={() => sheet.fillRight(area.top, area.bottom, cells.chosen)} title="Ctrl+R">
              Fill right
            </Button>
          )}
          {host && hasActions(host.screen, field.name) && (
            <Suspense fallback={null}>
              <RowsActions
                host={host}
                field={field.name}
                rows={
                  area && area.bottom > area.top
                    ? Array.from({ length: area.bottom - area.top + 1 }, (_, step) => area.top + step).flatMap((line) =>
                        tree ? (tree.lines[line]?.at ?? []) : line,
                      )
                    : []
                }
              />
            </Suspense>
          )}
          {count > 0 && (
            <span className={styles.count}>
              {count} {count === 1 ? 'row' : 'rows'}
            </span>
          )}
        </div>
      )}
    </div>
  );
}

function rowHasUnread(unread: Sheet['unread'], key: number, columns: Field[]): boolean {
  return unread.size > 0 && columns.some((column) => unread.has(cellKey(key, column)));
}

function isContested(contested: ReadonlyMap<string, string>, { id }: Readonly<Record<string, unknown>>): boolean {
  return contested.size > 0 && [...contested.keys()].some((cell) => cell.startsWith(`${String(id)}.`));
}

/** The columns with locked cells in a row, separated by spaces. */
function closedColumns(sheet: Sheet, index: number, columns: Field[]): string {
  const names = columns.flatMap((column) => (sheet.closed(index, column) ? [column.name] : []));
  return names.length === 0 ? '' : ` ${names.join(' ')} `;
}
