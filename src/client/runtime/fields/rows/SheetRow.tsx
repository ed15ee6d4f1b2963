import { ChevronDownRegular, ChevronRightRegular, DeleteRegular, OpenRegular } from '@fluentui/react-icons';
import { memo, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { fieldType } from '../../../../descriptor/fieldtypes/registry.ts';
import type { Field } from '../../../../descriptor/types.ts';
import { sameValue } from '../../form/values.ts';
import { widgetFor } from '../registry.tsx';
import type { FieldHost } from '../widget.ts';
import { FieldHostContext } from '../widget.ts';
import styles from './rows.module.css';
import type { Editing } from './sheet/use_cells.ts';
import type { Row } from './sheet_values.ts';
import { isColumnShown } from './shown_columns.ts';
import { cellText } from './sheet_values.ts';
import type { Line, Sheet } from './sheet/use_sheet.ts';
import { cellKey } from './sheet/use_sheet.ts';

interface SheetRowProps {
  id: string;
  index: number;
  row: Row;
  rowKey: number;
  columns: Field[];
  /** Indexes of the rendered columns. */
  shown: readonly number[];
  /** Columns have explicit positions, and the first is sticky. */
  wide: boolean;
  template: string;
  fixed: boolean;
  /** Column of the focused cell; -1 = in another row. */
  active: number;
  /** Selected columns; -1 = none. */
  left: number;
  right: number;
  editing: Editing | null;
  errors: ReadonlyMap<string, string> | null;
  unread: Sheet['unread'] | null;
  /** The stored row, for rows that are saved by cell: differences are not saved yet. */
  saved: Row | null;
  /** Cells that others changed as well, by `id.column`. */
  contested: ReadonlyMap<string, string> | null;
  /** For rows in a tree: the node at this line. */
  line: Line | undefined;
  /** The index of the row in the list; null = it is a group. */
  place: number | null;
  /** Names of the columns with locked cells, separated by spaces. */
  closed: string;
  sheet: Pick<Sheet, 'change' | 'note'>;
  rowHost: (index: number) => FieldHost | null;
  /** The values outside the rows used by column conditions. */
  around: string;
  onOpen: ((index: number) => void) | null;
  onToggle: ((index: number) => void) | null;
  onSelect: (index: number, column: number, extend: boolean) => void;
  onSelectRow: (index: number, extend: boolean) => void;
  /** null = people remove no rows. */
  onRemove: ((index: number) => void) | null;
}

/** One row: texts, and a control in the edited cell. */
function SheetRowContent(props: SheetRowProps) {
  const { id, index, row, rowKey, columns, template, fixed, active, left, right, editing, errors, unread } = props;
  const { line, place } = props;
  const group = line?.group;
  const host =
    place !== null &&
    columns.some(
      ({ when, visible, currencyFrom }) => when !== undefined || visible !== undefined || currencyFrom !== undefined,
    )
      ? props.rowHost(place)
      : null;
  const number = place === null ? null : place + 1;
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      data-row={index}
      data-group={group ? '' : undefined}
      {...(line && { 'aria-level': line.depth + 1 })}
      {...(group && { 'aria-expanded': group.open, 'aria-label': group.label })}
      className={styles.row}
      style={{ gridTemplateColumns: template }}
    >
      <span
        role="rowheader"
        className={styles.number}
        data-bad={errors ? '' : undefined}
        title={errors ? messagesElsewhere(errors, columns) : undefined}
        onClick={(event) => props.onSelectRow(index, event.shiftKey)}
      >
        {number}
      </span>
      {props.shown.map((at) => {
        const column = columns[at]!;
        const contest = props.contested?.get(`${String(row.id)}.${column.name}`);
        const wrong = unread?.get(cellKey(rowKey, column));
        const message =
          wrong?.message ?? errors?.get(column.name) ?? (at === 0 ? errors?.get('') : undefined) ?? contest;
        const hidden = !isColumnShown(column, columns, row, host);
        const closed = hidden || props.closed.includes(` ${column.name} `);
        const isUnsaved =
          props.saved !== null &&
          column.formula === undefined &&
          !sameValue(column, props.saved[column.name], row[column.name]);
        const isHead = group !== undefined && at === 0;
        const edited = active === at && editing !== null && !hidden;
        return (
          <div
            key={column.name}
            id={`${id}-${index}-${at}`}
            role="gridcell"
            aria-colindex={at + 1}
            aria-selected={at >= left && at <= right}
            aria-readonly={fixed || closed || undefined}
            aria-invalid={message !== undefined || undefined}
            title={message}
            className={styles.cell}
            data-active={active === at ? '' : undefined}
            data-fixed={closed ? '' : undefined}
            data-first={at === 0 ? '' : undefined}
            data-computed={column.formula !== undefined || group ? '' : undefined}
            data-unsaved={isUnsaved ? '' : undefined}
            data-contested={contest === undefined ? undefined : ''}
            style={cellStyle(props.wide, at, line)}
            data-align={isHead ? undefined : fieldType(column.type).align}
            onMouseDown={(event) => {
              if (edited || event.button !== 0) return;
              event.preventDefault();
              props.onSelect(index, at, event.shiftKey);
            }}
          >
            {edited ? (
              column.spreads === undefined && !group ? (
                <Editor {...props} column={column} typed={editing.typed ?? wrong?.text} />
              ) : (
                <SumEditor {...props} column={column} typed={editing.typed} />
              )
            ) : hidden ? null : isHead ? (
              <button
                type="button"
                tabIndex={-1}
                className={styles.groupHead}
                aria-label={`${group.open ? 'Close' : 'Open'} ${group.label}`}
                onClick={() => props.onToggle?.(index)}
              >
                {group.open ? <ChevronDownRegular aria-hidden /> : <ChevronRightRegular aria-hidden />}
                <span>{group.label}</span>
              </button>
            ) : (
              <span className={wrong ? styles.wrong : styles.text}>
                {wrong ? (
                  wrong.text
                ) : column.type === 'boolean' ? (
                  <Check on={row[column.name] === true} />
                ) : (
                  cellText(column, row, host?.values)
                )}
              </span>
            )}
            {message !== undefined && <span className={styles.hidden}>{message}</span>}
            {isUnsaved && <span className={styles.hidden}>, not saved yet</span>}
          </div>
        );
      })}
      {(props.onRemove || props.onOpen) && (
        <span
          role="gridcell"
          className={styles.tools}
          style={props.wide ? { gridColumn: columns.length + 2 } : undefined}
        >
          {props.onOpen && place !== null && (
            <button
              type="button"
              tabIndex={-1}
              aria-label={`Open row ${place + 1}`}
              title="Open as a form"
              onClick={() => props.onOpen?.(place)}
            >
              <OpenRegular />
            </button>
          )}
          {props.onRemove && place !== null && (
            <button
              type="button"
              tabIndex={-1}
              aria-label={`Delete row ${place + 1}`}
              title="Delete row (Ctrl+Delete)"
              onClick={() => props.onRemove?.(index)}
            >
              <DeleteRegular />
            </button>
          )}
        </span>
      )}
    </div>
  );
}

function cellStyle(wide: boolean, at: number, line: Line | undefined) {
  const indent = at === 0 && line ? { paddingInlineStart: line.depth * 16 } : undefined;
  return wide ? { gridColumn: at + 2, ...indent } : indent;
}

/** Errors in columns that appear only in the form of the row. */
function messagesElsewhere(errors: ReadonlyMap<string, string>, columns: Field[]): string | undefined {
  const found = [...errors].filter(([name]) => name !== '' && !columns.some((column) => column.name === name));
  return found.length > 0 ? found.map(([, message]) => message).join(' ') : undefined;
}

function Check({ on }: { on: boolean }) {
  return (
    <span className={styles.check} data-on={on ? '' : undefined} role="img" aria-label={on ? 'Yes' : 'No'}>
      {on ? '✓' : ''}
    </span>
  );
}

function Editor({
  id,
  index,
  place,
  row,
  column,
  typed,
  errors,
  sheet,
  rowHost,
}: SheetRowProps & { column: Field; typed: string | undefined }) {
  const Widget = widgetFor(column);
  return (
    <FieldHostContext value={rowHost(place ?? index)}>
      <Widget
        field={column}
        id={`${id}-${index}-${column.name}`}
        value={row[column.name]}
        bare
        autoFocus
        label={`${column.title}, row ${(place ?? index) + 1}`}
        invalid={errors?.has(column.name) ?? false}
        required={column.required}
        onChange={(value) => sheet.change(index, { [column.name]: value })}
        onProblem={(message, text = '') => sheet.note(index, column, message === null ? null : { text, message })}
        {...(typed !== undefined && { typed })}
      />
    </FieldHostContext>
  );
}

/** A total of periods or rows is distributed when it is committed, not at each digit. */
function SumEditor({
  id,
  index,
  line,
  place,
  row,
  column,
  typed,
  sheet,
}: SheetRowProps & { column: Field; typed: string | undefined }) {
  const entered = useMemo((): Field => {
    const { formula: _, ...rest } = column;
    return { ...rest, readOnly: false };
  }, [column]);
  const Widget = widgetFor(entered);
  const [value, setValue] = useState(row[column.name]);
  const last = useRef({ value, isChanged: false });
  // It is committed when its cell is left.
  const enter = useEffectEvent(() => {
    if (last.current.isChanged) sheet.change(index, { [column.name]: last.current.value });
  });
  useEffect(() => () => enter(), []);
  return (
    <span
      onKeyDownCapture={(event) => {
        if (event.key === 'Escape') last.current.isChanged = false;
      }}
    >
      <Widget
        field={entered}
        id={`${id}-${index}-${column.name}`}
        value={value}
        bare
        autoFocus
        label={`${column.title}, ${line?.group?.label ?? `row ${(place ?? index) + 1}`}`}
        invalid={false}
        required={false}
        onChange={(next) => {
          last.current = { value: next, isChanged: true };
          setValue(next);
        }}
        {...(typed !== undefined && { typed })}
      />
    </span>
  );
}

const isSameLine = (a: Line | undefined, b: Line | undefined): boolean =>
  a?.depth === b?.depth && a?.group?.label === b?.group?.label && a?.group?.open === b?.group?.open;

/** The handlers are stable; the rendered data decides. */
export const SheetRow = memo(SheetRowContent, (a, b) => {
  return (
    a.row === b.row &&
    a.index === b.index &&
    a.active === b.active &&
    a.left === b.left &&
    a.right === b.right &&
    a.editing === b.editing &&
    a.errors === b.errors &&
    a.unread === b.unread &&
    a.saved === b.saved &&
    a.contested === b.contested &&
    a.shown === b.shown &&
    a.template === b.template &&
    a.around === b.around &&
    a.closed === b.closed &&
    a.place === b.place &&
    isSameLine(a.line, b.line) &&
    a.fixed === b.fixed &&
    a.columns === b.columns
  );
});
