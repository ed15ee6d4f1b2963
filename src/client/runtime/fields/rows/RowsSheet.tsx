import { unitOf } from '../../../../descriptor/money.ts';
import { Button } from '@fluentui/react-components';
import { AddRegular, DeleteRegular } from '@fluentui/react-icons';
import { useVirtualizer } from '@tanstack/react-virtual';
import type { ClipboardEvent, KeyboardEvent } from 'react';
import { Suspense, lazy, useCallback, useContext, useEffect, useMemo, useRef, useState } from 'react';
import { fieldType } from '../../../../descriptor/fieldtypes/registry.ts';
import type { Field } from '../../../../descriptor/types.ts';
import { usePhone } from '../../../app/session.ts';
import type { FieldHost, WidgetProps } from '../widget.ts';
import { FieldErrorsContext, useFieldHost } from '../widget.ts';
import { parseCells, toCells } from './clipboard.ts';
import { SheetRow } from './SheetRow.tsx';
import styles from './rows.module.css';
import { columnWidth, rowErrors } from './sheet_columns.ts';
import { tableColumns, useHeldCells, useValuesAround } from './shown_columns.ts';
import type { Row } from './sheet_values.ts';
import { cellText, hasActions, isFixed, totals } from './sheet_values.ts';
import type { Sheet } from './use_sheet.ts';
import { cellKey, useSheet } from './use_sheet.ts';

const RowDialog = lazy(() => import('./RowDialog.tsx'));
const RowsActions = lazy(() => import('./RowsActions.tsx'));
const RowCards = lazy(() => import('./RowCards.tsx'));
const RowQuestions = lazy(() => import('./RowQuestions.tsx'));

const rowHeight = 36;
/** Up to here every row is in the page; beyond, those in sight. */
const smallSheet = 40;
/** With more columns than this a row can be opened as a form. */
const wideSheet = 6;
const defaultMost = 5000;

interface Place {
  row: number;
  column: number;
}

export interface Editing {
  /** What was typed to begin; undefined = the value as it is. */
  typed?: string;
}

/** Child rows as a sheet: type, Tab, paste from a spreadsheet, fill down; cards on a phone. */
export function RowsWidget(props: WidgetProps) {
  const { field, onChange, onProblem, readOnly, disabled } = props;
  const outer = useFieldHost();
  const phone = usePhone();
  const columns = useMemo(() => field.rows ?? [], [field]);
  const shown = useMemo(() => tableColumns(field), [field]);
  const around = useValuesAround(outer, columns);
  const held = useHeldCells(outer, field, columns);
  const fixed = readOnly === true || disabled === true;
  const most = typeof field.schema.maxItems === 'number' ? field.schema.maxItems : defaultMost;
  const value = useMemo(() => (Array.isArray(props.value) ? (props.value as Row[]) : []), [props.value]);

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
  const sheet = useSheet({ columns, shown, value, onChange, onProblem, hostOf, most });
  const [opened, setOpened] = useState<number | null>(null);
  const rowHost = useCallback(
    (index: number) =>
      hostOf(
        () => sheetNow.current.rows[index] ?? {},
        (patch) => sheetNow.current.change(index, patch),
      ),
    [hostOf],
  );
  const sheetNow = useRef(sheet);
  sheetNow.current = sheet;

  return (
    <>
      {phone && field.questions && sheet.rows.length > 0 ? (
        <Suspense fallback={null}>
          <RowQuestions props={props} sheet={sheet} fixed={fixed} held={held} rowHost={rowHost} />
        </Suspense>
      ) : phone ? (
        <Suspense fallback={null}>
          <RowCards props={props} columns={shown} sheet={sheet} most={most} fixed={fixed} onOpen={setOpened} />
        </Suspense>
      ) : (
        <Grid
          props={props}
          columns={shown}
          sheet={sheet}
          most={most}
          fixed={fixed}
          rowHost={rowHost}
          around={around}
          held={held}
          onOpen={columns.length > wideSheet || shown.length < columns.length ? setOpened : null}
        />
      )}
      {opened !== null && sheet.rows[opened] && (
        <Suspense fallback={null}>
          <RowDialog
            field={field}
            columns={columns}
            sheet={sheet}
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

interface GridProps {
  props: WidgetProps;
  columns: Field[];
  sheet: Sheet;
  most: number;
  fixed: boolean;
  rowHost: (index: number) => FieldHost | null;
  /** What conditions of columns look at outside the rows. */
  around: string;
  held: ReadonlySet<string>;
  onOpen: ((index: number) => void) | null;
}

function Grid({ props, columns, sheet, most, fixed, rowHost, around, held, onOpen }: GridProps) {
  const { id, field } = props;
  const { rows, keys, unread } = sheet;
  const errors = useContext(FieldErrorsContext);
  const scroller = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState<Place | null>(null);
  const [from, setFrom] = useState<Place | null>(null);
  const [editing, setEditing] = useState<Editing | null>(null);
  const virtual = rows.length > smallSheet;
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 8,
    enabled: virtual,
    getItemKey: (index) => keys[index] ?? index,
  });

  const template = `44px ${columns.map(columnWidth).join(' ')} ${fixed && !onOpen ? '' : onOpen && !fixed ? '72px' : '40px'}`;
  const host = useFieldHost();
  const values = host?.values;
  // Without names from around the rows, the record's values make no difference.
  const sums = useMemo(
    () => totals(rows, columns, around === '' ? undefined : values),
    [rows, columns, values, around],
  );
  const found = useMemo(() => rowErrors(errors, field, rows.length), [errors, field, rows.length]);

  const focusGrid = () => scroller.current?.focus({ preventScroll: true });
  const move = (row: number, column: number, extend = false) => {
    const next = { row: clamp(row, rows.length), column: clamp(column, columns.length) };
    setAt(next);
    setFrom(extend ? (from ?? at ?? next) : null);
    setEditing(null);
    if (virtual) virtualizer.scrollToIndex(next.row);
    else scroller.current?.querySelector(`[data-row="${next.row}"]`)?.scrollIntoView?.({ block: 'nearest' });
  };
  const area = at && {
    top: Math.min(at.row, from?.row ?? at.row),
    bottom: Math.max(at.row, from?.row ?? at.row),
    left: Math.min(at.column, from?.column ?? at.column),
    right: Math.max(at.column, from?.column ?? at.column),
  };
  const origin = useRef<Row | null>(null);
  /** Leaves the cell with what was in it before. */
  const cancel = () => {
    const column = at && columns[at.column];
    const before = origin.current;
    focusGrid();
    setEditing(null);
    if (!at || !column || !before) return;
    const label = `${column.name}__label`;
    sheet.note(at.row, column, null);
    sheet.change(at.row, {
      [column.name]: before[column.name] ?? null,
      ...(column.ref && { [label]: before[label] ?? null }),
    });
  };
  const begin = (typed?: string) => {
    const column = at && columns[at.column];
    if (!at || !column || fixed || isFixed(column) || held.has(`${at.row}.${column.name}`)) return;
    if (column.type === 'boolean') {
      sheet.change(at.row, { [column.name]: rows[at.row]?.[column.name] !== true });
      return;
    }
    setFrom(null);
    origin.current = rows[at.row] ?? null;
    setEditing(typed === undefined ? {} : { typed });
  };
  const addRow = (index = rows.length) => {
    if (fixed || rows.length >= most) return;
    sheet.insert(index);
    setAt({
      row: index,
      column: Math.max(
        0,
        columns.findIndex((column) => !isFixed(column)),
      ),
    });
    setFrom(null);
    setEditing(null);
    focusGrid();
  };
  const removeRows = (first: number, last: number) => {
    sheet.remove(Array.from({ length: last - first + 1 }, (_, step) => first + step));
    setFrom(null);
    setEditing(null);
    setAt(
      rows.length - (last - first + 1) > 0
        ? { row: Math.max(0, Math.min(first, rows.length - (last - first) - 2)), column: at?.column ?? 0 }
        : null,
    );
    focusGrid();
  };
  // A new last row is in sight once it is there.
  useEffect(() => {
    if (at && virtual) virtualizer.scrollToIndex(at.row);
    // Only when the number of rows changes: scrolling by hand is not undone.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [rows.length]);

  const next = (backwards: boolean) => {
    if (!at) return false;
    const step = backwards ? -1 : 1;
    const column = at.column + step;
    if (column >= 0 && column < columns.length) move(at.row, column);
    else if (backwards && at.row > 0) move(at.row - 1, columns.length - 1);
    else if (!backwards && at.row < rows.length - 1) move(at.row + 1, 0);
    else if (!backwards && !fixed && rows.length < most && editing) addRow();
    else return false;
    return true;
  };
  const whileEditing = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      event.preventDefault();
      event.stopPropagation();
      cancel();
    } else if (event.key === 'Enter' && !event.defaultPrevented && !event.shiftKey) {
      event.preventDefault();
      event.stopPropagation();
      if (event.ctrlKey || event.metaKey) {
        focusGrid();
        addRow(at ? at.row + 1 : rows.length);
        return;
      }
      focusGrid();
      if (at && at.row === rows.length - 1 && !fixed) addRowBelow();
      else if (at) move(at.row + 1, at.column);
    } else if (event.key === 'Tab') {
      focusGrid();
      if (next(event.shiftKey)) event.preventDefault();
    }
  };
  const addRowBelow = () => {
    const column = at?.column ?? 0;
    if (rows.length >= most) return;
    sheet.insert(rows.length);
    setAt({ row: rows.length, column });
    setFrom(null);
    setEditing(null);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // A dialog opened from a cell is no part of the sheet, though its keys come up to here through React.
    if (!event.currentTarget.contains(event.target as Node)) return;
    if (editing) {
      whileEditing(event);
      return;
    }
    if (event.target !== scroller.current) return;
    const command = event.ctrlKey || event.metaKey;
    if (command && event.key === 'Enter') {
      event.preventDefault();
      event.stopPropagation();
      addRow(at ? at.row + 1 : rows.length);
      return;
    }
    if (!at) {
      if (event.key.startsWith('Arrow') && rows.length > 0) {
        event.preventDefault();
        move(0, 0);
      }
      return;
    }
    const page = 10;
    const targets: Record<string, [number, number]> = {
      ArrowDown: [command ? rows.length - 1 : at.row + 1, at.column],
      ArrowUp: [command ? 0 : at.row - 1, at.column],
      ArrowLeft: [at.row, command ? 0 : at.column - 1],
      ArrowRight: [at.row, command ? columns.length - 1 : at.column + 1],
      Home: [command ? 0 : at.row, 0],
      End: [command ? rows.length - 1 : at.row, columns.length - 1],
      PageDown: [at.row + page, at.column],
      PageUp: [at.row - page, at.column],
    };
    const target = event.altKey ? undefined : targets[event.key];
    if (target) {
      event.preventDefault();
      move(target[0], target[1], event.shiftKey);
      return;
    }
    const done = () => {
      event.preventDefault();
      event.stopPropagation();
    };
    if (event.key === 'Tab') {
      if (next(event.shiftKey)) event.preventDefault();
    } else if (event.key === 'Enter' || event.key === 'F2' || (event.altKey && event.key === 'ArrowDown')) {
      done();
      begin();
    } else if (command && event.key.toLowerCase() === 'd' && area && !fixed) {
      done();
      const single = area.top === area.bottom;
      if (single && area.top > 0) sheet.fillDown(area.top - 1, area.bottom, columns.slice(area.left, area.right + 1));
      else if (!single) sheet.fillDown(area.top, area.bottom, columns.slice(area.left, area.right + 1));
    } else if (command && event.key.toLowerCase() === 'a') {
      done();
      setFrom({ row: 0, column: 0 });
      setAt({ row: rows.length - 1, column: columns.length - 1 });
    } else if (command && event.key.toLowerCase() === 'z' && !fixed) {
      done();
      sheet.undo();
    } else if (command && (event.key === 'Delete' || event.key === '-') && area && !fixed) {
      done();
      removeRows(area.top, area.bottom);
    } else if ((event.key === 'Delete' || event.key === 'Backspace') && area && !fixed) {
      done();
      sheet.clear(area.top, area.bottom, columns.slice(area.left, area.right + 1));
    } else if (event.key === 'Escape' && (from || at)) {
      done();
      if (from) setFrom(null);
      else setAt(null);
    } else if (event.key.length === 1 && !command && !event.altKey) {
      done();
      begin(event.key);
    }
  };
  const onPaste = (event: ClipboardEvent) => {
    if (editing || !at || fixed || event.target !== scroller.current) return;
    const cells = parseCells(event.clipboardData.getData('text/plain'));
    if (cells.length === 0) return;
    event.preventDefault();
    const top = area?.top ?? at.row;
    const left = area?.left ?? at.column;
    sheet.paste(top, left, cells);
    setFrom({ row: top, column: left });
    setAt({
      row: top + cells.length - 1,
      column: Math.min(columns.length, left + Math.max(...cells.map(({ length }) => length))) - 1,
    });
  };
  const onCopy = (event: ClipboardEvent) => {
    if (editing || !area || event.target !== scroller.current) return;
    event.preventDefault();
    const copied = rows
      .slice(area.top, area.bottom + 1)
      .map((row) => columns.slice(area.left, area.right + 1).map((column) => cellText(column, row, values)));
    event.clipboardData.setData('text/plain', toCells(copied));
  };

  // The rows keep these: what they read is the state of the moment.
  const live = useRef({ at, from, editing, begin, removeRows });
  live.current = { at, from, editing, begin, removeRows };
  const select = useCallback((row: number, column: number, extend: boolean) => {
    const { at: current, from: start, editing: edited, begin: edit } = live.current;
    if (!extend && current?.row === row && current.column === column) {
      if (!edited) edit();
      return;
    }
    // First: what is being typed elsewhere is taken over when its control loses the focus.
    scroller.current?.focus({ preventScroll: true });
    setEditing(null);
    setFrom(extend ? (start ?? current) : null);
    setAt({ row, column });
  }, []);
  const selectRow = useCallback(
    (row: number, extend: boolean) => {
      const { from: start } = live.current;
      scroller.current?.focus({ preventScroll: true });
      setEditing(null);
      setFrom({ row: extend && start ? start.row : row, column: 0 });
      setAt({ row, column: columns.length - 1 });
    },
    [columns.length],
  );
  const remove = useCallback((row: number) => live.current.removeRows(row, row), []);

  const shown = virtual ? virtualizer.getVirtualItems().map(({ index }) => index) : rows.map((_, index) => index);
  const offset = virtual ? (virtualizer.getVirtualItems()[0]?.start ?? 0) : 0;
  const rowNow = { at, area, editing };
  return (
    <div className={styles.sheet}>
      <div
        ref={scroller}
        id={id}
        role="grid"
        className={styles.scroller}
        tabIndex={0}
        aria-labelledby={`${id}-label`}
        aria-describedby={`${id}-message`}
        aria-rowcount={rows.length + 1}
        aria-colcount={columns.length}
        aria-readonly={fixed || undefined}
        aria-multiselectable
        {...(at && !editing && { 'aria-activedescendant': `${id}-${at.row}-${at.column}` })}
        onKeyDown={onKeyDown}
        onPaste={onPaste}
        onCopy={onCopy}
        onFocus={(event) => {
          if (event.target === scroller.current && rows.length > 0) setAt((old) => old ?? { row: 0, column: 0 });
        }}
        onBlur={(event) => {
          if (!event.currentTarget.contains(event.relatedTarget)) props.onBlur?.();
        }}
      >
        <div className={styles.wide} role="presentation">
          <div role="row" aria-rowindex={1} className={styles.head} style={{ gridTemplateColumns: template }}>
            <span role="columnheader" aria-label="Row" />
            {columns.map((column) => (
              <span key={column.name} role="columnheader" title={column.help} data-align={fieldType(column.type).align}>
                {column.title}
                {column.required && !column.readOnly && (
                  <span className={styles.mark} aria-hidden>
                    {' '}
                    *
                  </span>
                )}
                {unitOf(column) && <span className={styles.unit}> {unitOf(column)}</span>}
              </span>
            ))}
            {(!fixed || onOpen) && <span role="columnheader" aria-label="Actions" />}
          </div>
          <div
            role="presentation"
            style={virtual ? { height: virtualizer.getTotalSize(), position: 'relative' } : undefined}
          >
            <div
              role="presentation"
              style={
                virtual
                  ? { position: 'absolute', insetInline: 0, top: 0, transform: `translateY(${offset}px)` }
                  : undefined
              }
            >
              {shown.map((index) => {
                const row = rows[index];
                const key = keys[index];
                if (!row || key === undefined) return null;
                const current = rowNow.at?.row === index;
                const selected = rowNow.area && index >= rowNow.area.top && index <= rowNow.area.bottom;
                return (
                  <SheetRow
                    key={key}
                    id={id}
                    index={index}
                    row={row}
                    rowKey={key}
                    columns={columns}
                    template={template}
                    fixed={fixed}
                    active={current ? rowNow.at!.column : -1}
                    left={selected ? rowNow.area!.left : -1}
                    right={selected ? rowNow.area!.right : -1}
                    editing={current ? rowNow.editing : null}
                    errors={found.get(index) ?? null}
                    unread={rowHasUnread(unread, key, columns) ? unread : null}
                    sheet={sheet}
                    rowHost={rowHost}
                    around={around}
                    held={heldColumns(held, index, columns)}
                    onOpen={onOpen}
                    onSelect={select}
                    onSelectRow={selectRow}
                    onRemove={remove}
                  />
                );
              })}
            </div>
          </div>
          {sums.size > 0 && rows.length > 1 && (
            <div role="row" className={styles.foot} style={{ gridTemplateColumns: template }}>
              <span role="rowheader">Total</span>
              {columns.map((column) => (
                <span key={column.name} role="gridcell" data-align={fieldType(column.type).align}>
                  {sums.get(column.name) ?? ''}
                </span>
              ))}
              {(!fixed || onOpen) && <span />}
            </div>
          )}
        </div>
        {rows.length === 0 && (
          <p className={styles.empty}>
            {fixed ? 'No rows.' : 'No rows yet. Add one, or paste them from a spreadsheet.'}
          </p>
        )}
      </div>
      <RowProblems
        found={found}
        unread={sheet.unread}
        sheet={sheet}
        columns={columns}
        onGo={(row, column) => {
          move(row, column);
          focusGrid();
        }}
      />
      {!fixed && (
        <div className={styles.actions}>
          <Button
            size="small"
            icon={<AddRegular />}
            title="Ctrl+Enter"
            disabled={rows.length >= most}
            onClick={() => addRow()}
          >
            Add row
          </Button>
          {area && area.bottom > area.top && (
            <>
              <Button
                size="small"
                onClick={() => sheet.fillDown(area.top, area.bottom, columns.slice(area.left, area.right + 1))}
                title="Ctrl+D"
              >
                Fill down
              </Button>
              <Button size="small" icon={<DeleteRegular />} onClick={() => removeRows(area.top, area.bottom)}>
                Delete {area.bottom - area.top + 1} rows
              </Button>
            </>
          )}
          {host && hasActions(host.screen, field.name) && (
            <Suspense fallback={null}>
              <RowsActions
                host={host}
                field={field.name}
                rows={
                  area && area.bottom > area.top
                    ? Array.from({ length: area.bottom - area.top + 1 }, (_, at) => area.top + at)
                    : []
                }
              />
            </Suspense>
          )}
          {rows.length > 0 && (
            <span className={styles.count}>
              {rows.length} {rows.length === 1 ? 'row' : 'rows'}
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

/** What is wrong in the rows, to go there by a click. */
function RowProblems({
  found,
  unread,
  sheet,
  columns,
  onGo,
}: {
  found: ReadonlyMap<number, ReadonlyMap<string, string>>;
  unread: Sheet['unread'];
  sheet: Sheet;
  columns: Field[];
  onGo: (row: number, column: number) => void;
}) {
  const problems: { row: number; column: number; text: string }[] = [];
  for (const [cell, { message }] of unread) {
    const [key, name] = cell.split(' ');
    problems.push({
      row: sheet.keys.indexOf(Number(key)),
      column: columns.findIndex((column) => column.name === name),
      text: message,
    });
  }
  for (const [row, messages] of found) {
    for (const [name, text] of messages)
      problems.push({
        row,
        column: Math.max(
          0,
          columns.findIndex((column) => column.name === name),
        ),
        text,
      });
  }
  if (problems.length === 0) return null;
  problems.sort((a, b) => a.row - b.row || a.column - b.column);
  return (
    <ul className={styles.problems}>
      {problems.slice(0, 4).map(({ row, column, text }) => (
        <li key={`${row} ${column} ${text}`}>
          <button type="button" onClick={() => onGo(row, column)}>
            Row {row + 1}: {text}
          </button>
        </li>
      ))}
      {problems.length > 4 && <li>and {problems.length - 4} more</li>}
    </ul>
  );
}

function clamp(value: number, length: number): number {
  return Math.max(0, Math.min(length - 1, value));
}

/** The columns whose cells of a row cannot be changed now, between spaces. */
function heldColumns(held: ReadonlySet<string>, index: number, columns: Field[]): string {
  if (held.size === 0) return '';
  const names = columns.flatMap(({ name }) => (held.has(`${index}.${name}`) ? [name] : []));
  return names.length === 0 ? '' : ` ${names.join(' ')} `;
}
