import type { ClipboardEvent, KeyboardEvent, RefObject } from 'react';
import { useCallback, useRef, useState } from 'react';
import type { Field } from '../../../../../descriptor/types.ts';
import type { Row } from '../sheet_values.ts';
import { cellText, isFixed } from '../sheet_values.ts';
import { parseCells, toCells } from './clipboard.ts';
import type { Area, Place } from './places.ts';
import { areaOf, ledTo, nextPlace, within } from './places.ts';
import type { Sheet } from './use_sheet.ts';

export interface Editing {
  /** The typed text that started editing; undefined = the current value. */
  typed?: string;
}

interface CellsOptions {
  sheet: Sheet;
  columns: Field[];
  max: number;
  fixed: boolean;
  /** People neither add nor remove rows. */
  given: boolean;
  /** The focused element while no cell is edited. */
  scroller: RefObject<HTMLDivElement | null>;
  /** Brings a cell into sight. */
  show: (place: Place) => void;
  /** The values of the record, from which cells may take their currency. */
  values: (() => Row) | undefined;
}

/** The current state, read by the rows' stable handlers. */
interface Live {
  at: Place | null;
  from: Place | null;
  editing: Editing | null;
  begin: () => void;
  removeRows: (first: number, last: number) => void;
  keys: readonly number[];
}
const NOTHING: Live = {
  at: null,
  from: null,
  editing: null,
  begin: () => undefined,
  removeRows: () => undefined,
  keys: [],
};

/** The current position of a cell: in its row, if that still exists. */
function followed({ place, key }: { place: Place; key: number | undefined }, keys: readonly number[]): Place {
  if (key === undefined || keys[place.row] === key) return place;
  const row = keys.indexOf(key);
  return row < 0 ? place : { ...place, row };
}

/** User interaction in the cells of a sheet: focus, selection and editing, with keyboard, mouse and clipboard. */
export function useCells({ sheet, columns, max, fixed, given, scroller, show, values }: CellsOptions) {
  const { rows, keys } = sheet;
  const live = useRef<Live>(NOTHING);
  const [stood, setStood] = useState<{ place: Place; key: number | undefined } | null>(null);
  const at = stood && followed(stood, keys);
  // Rows of a tree, and those that others add or remove, move under the cell: it stays with its row.
  if (stood && at && (at !== stood.place || keys[at.row] !== stood.key)) setStood({ place: at, key: keys[at.row] });
  const setAt = useCallback(
    (place: Place | null) => setStood(place && { place, key: live.current.keys[place.row] }),
    [],
  );
  /** In a row that is added or moved by the current action. */
  const setAtNew = (place: Place | null) => setStood(place && { place, key: undefined });
  const [from, setFrom] = useState<Place | null>(null);
  const [editing, setEditing] = useState<Editing | null>(null);
  const size = { rows: rows.length, columns: columns.length };
  const area: Area | null = at && areaOf(at, from);
  const chosen = (of: Area) => columns.slice(of.left, of.right + 1);

  const focusGrid = () => scroller.current?.focus({ preventScroll: true });
  const move = (to: Place, extend = false) => {
    const next = within(to, size);
    setAt(next);
    setFrom(extend ? (from ?? at ?? next) : null);
    setEditing(null);
    show(next);
  };
  const origin = useRef<Row | null>(null);
  /** Leaves the cell with its previous value. */
  const cancel = () => {
    const column = at && columns[at.column];
    const before = origin.current;
    focusGrid();
    setEditing(null);
    // A total is distributed when it is committed: there is nothing to undo.
    if (!at || !column || !before || column.spreads || sheet.tree?.lines[at.row]?.group) return;
    const label = `${column.name}__label`;
    sheet.note(at.row, column, null);
    sheet.change(at.row, {
      [column.name]: before[column.name] ?? null,
      ...(column.ref && { [label]: before[label] ?? null }),
    });
  };
  const begin = (typed?: string) => {
    const column = at && columns[at.column];
    if (!at || !column || fixed || sheet.closed(at.row, column)) return;
    if (column.type === 'boolean') {
      sheet.change(at.row, { [column.name]: rows[at.row]?.[column.name] !== true });
      return;
    }
    setFrom(null);
    origin.current = rows[at.row] ?? null;
    setEditing(typed === undefined ? {} : { typed });
  };
  const addRow = (below = rows.length) => {
    if (fixed || rows.length >= max) return;
    // In a tree it comes last until its group is entered.
    const index = sheet.tree ? rows.length : below;
    sheet.insert(index);
    setAtNew({
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
    if (given) return;
    if (!sheet.remove(Array.from({ length: last - first + 1 }, (_, step) => first + step))) return;
    setFrom(null);
    setEditing(null);
    setAtNew(
      rows.length - (last - first + 1) > 0
        ? { row: Math.max(0, Math.min(first, rows.length - (last - first) - 2)), column: at?.column ?? 0 }
        : null,
    );
    focusGrid();
  };

  const next = (backwards: boolean) => {
    if (!at) return false;
    const place = nextPlace(at, backwards, size);
    if (place) move(place);
    else if (!backwards && !fixed && rows.length < max && editing) addRow();
    else return false;
    return true;
  };
  const addRowBelow = () => {
    const column = at?.column ?? 0;
    if (rows.length >= max) return;
    sheet.insert(rows.length);
    setAtNew({ row: rows.length, column });
    setFrom(null);
    setEditing(null);
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
      else if (at) move({ row: at.row + 1, column: at.column });
    } else if (event.key === 'Tab') {
      focusGrid();
      if (next(event.shiftKey)) event.preventDefault();
    }
  };
  /** Handles a key in the selected cells. @returns whether it was handled */
  const act = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean => {
    const command = ctrlKey || metaKey;
    const opens = at && at.column === 0 && sheet.tree?.lines[at.row]?.group;
    if (opens && (key === 'Enter' || key === ' ')) sheet.tree?.toggle(at.row);
    else if (key === 'Enter' || key === 'F2' || (altKey && key === 'ArrowDown')) begin();
    else if (command && key.toLowerCase() === 'd' && area && !fixed) {
      const single = area.top === area.bottom;
      if (single && area.top > 0) sheet.fillDown(area.top - 1, area.bottom, chosen(area));
      else if (!single) sheet.fillDown(area.top, area.bottom, chosen(area));
    } else if (command && key.toLowerCase() === 'r' && area && !fixed) {
      const { left, right } = area;
      // For a single column, the neighbouring one; totals of periods in between are skipped.
      const before = columns.slice(0, left).findLast((column) => !column.spreads);
      const filled = left < right ? chosen(area) : before ? [before, ...chosen(area)] : [];
      sheet.fillRight(area.top, area.bottom, filled);
    } else if (command && key.toLowerCase() === 'a') {
      setFrom({ row: 0, column: 0 });
      setAt({ row: rows.length - 1, column: columns.length - 1 });
    } else if (command && key.toLowerCase() === 'z' && !fixed) sheet.undo();
    else if (command && (key === 'Delete' || key === '-') && area && !fixed) removeRows(area.top, area.bottom);
    else if ((key === 'Delete' || key === 'Backspace') && area && !fixed)
      sheet.clear(area.top, area.bottom, chosen(area));
    else if (key === 'Escape' && (from || at)) {
      if (from) setFrom(null);
      else setAt(null);
    } else if (key.length === 1 && !command && !altKey) begin(key);
    else return false;
    return true;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // A dialog opened from a cell is not part of the sheet, although React bubbles its keys up to here.
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
        move({ row: 0, column: 0 });
      }
      return;
    }
    const group = at.column === 0 && !command ? sheet.tree?.lines[at.row]?.group : undefined;
    if (group && event.key === (group.open ? 'ArrowLeft' : 'ArrowRight')) {
      event.preventDefault();
      sheet.tree?.toggle(at.row);
      return;
    }
    const target = event.altKey ? null : ledTo(event.key, command, at, size);
    if (target) {
      event.preventDefault();
      move(target, event.shiftKey);
    } else if (event.key === 'Tab') {
      if (next(event.shiftKey)) event.preventDefault();
    } else if (act(event)) {
      event.preventDefault();
      event.stopPropagation();
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
    setAtNew({
      row: top + cells.length - 1,
      column: Math.min(columns.length, left + Math.max(...cells.map(({ length }) => length))) - 1,
    });
  };
  const onCopy = (event: ClipboardEvent) => {
    if (editing || !area || event.target !== scroller.current) return;
    event.preventDefault();
    const copied = rows.slice(area.top, area.bottom + 1).map((row, step) =>
      chosen(area).map((column, place) => {
        const group = sheet.tree?.lines[area.top + step]?.group;
        return group && area.left + place === 0 ? group.label : cellText(column, row, values);
      }),
    );
    event.clipboardData.setData('text/plain', toCells(copied));
  };

  // Stable for the rows: they read the current state.
  live.current = { at, from, editing, begin, removeRows, keys };
  const select = useCallback(
    (row: number, column: number, extend: boolean) => {
      const { at: current, from: start, editing: edited, begin: edit } = live.current;
      if (!extend && current?.row === row && current.column === column) {
        if (!edited) edit();
        return;
      }
      // First, because text typed elsewhere is committed when its control loses the focus.
      scroller.current?.focus({ preventScroll: true });
      setEditing(null);
      setFrom(extend ? (start ?? current) : null);
      setAt({ row, column });
    },
    [scroller, setAt],
  );
  const selectRow = useCallback(
    (row: number, extend: boolean) => {
      const { from: start } = live.current;
      scroller.current?.focus({ preventScroll: true });
      setEditing(null);
      setFrom({ row: extend && start ? start.row : row, column: 0 });
      setAt({ row, column: columns.length - 1 });
    },
    [columns.length, scroller, setAt],
  );
  const remove = useCallback((row: number) => live.current.removeRows(row, row), []);
  const enter = () => {
    if (rows.length > 0 && !at) setAt({ row: 0, column: 0 });
  };

  return {
    at,
    area,
    editing,
    chosen: area ? chosen(area) : [],
    move,
    addRow,
    removeRows,
    select,
    selectRow,
    remove,
    enter,
    focusGrid,
    handlers: { onKeyDown, onPaste, onCopy },
  };
}
