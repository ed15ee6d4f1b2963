import type { Field, Screen } from '../../../descriptor/types.ts';
import { columnFields } from './cell_text.ts';

/** One column of the list in this person's arrangement. */
export interface ColumnChoice {
  field: string;
  width?: number;
  hidden?: boolean;
}

/** A column ready to be shown. */
export interface ShownColumn {
  field: Field;
  title: string;
  width?: number;
  hidden: boolean;
  pinned: boolean;
}

const firstShown = 8;

/** The screen's default columns: its grid first, at most eight shown; every other field can be chosen. */
export function defaultColumns(screen: Screen): ColumnChoice[] {
  const fields = columnFields(screen);
  const inGrid = screen.grid.filter((column) => fields.some((field) => field.name === column.field));
  let shown = 0;
  const first = inGrid.map((column) => {
    const hidden = column.hidden || shown >= firstShown;
    if (!hidden) shown += 1;
    return { field: column.field, hidden, ...(column.width !== undefined && { width: column.width }) };
  });
  const rest = fields.filter((field) => !inGrid.some((column) => column.field === field.name));
  return [...first, ...rest.map((field) => ({ field: field.name, hidden: true }))];
}

/**
 * A saved choice adapted to the current fields: renamed fields (`"was"`) stay, missing ones are removed, new ones are
 * added hidden at the end.
 */
export function completeColumns(saved: ColumnChoice[], screen: Screen): ColumnChoice[] {
  const all = defaultColumns(screen);
  const now = new Map(screen.fields.flatMap(({ name, was = [] }) => was.map((old) => [old, name])));
  const kept = saved
    .map((column) => ({ ...column, field: now.get(column.field) ?? column.field }))
    .filter((column) => all.some((one) => one.field === column.field));
  if (!kept.some((column) => column.hidden !== true)) return all;
  return [
    ...kept,
    ...all.filter((one) => !kept.some((column) => column.field === one.field)).map((one) => ({ ...one, hidden: true })),
  ];
}

/** The columns with their fields; the first visible one is the record's link and is pinned. */
export function resolveColumns(choice: ColumnChoice[], screen: Screen): ShownColumn[] {
  const fields = columnFields(screen);
  const columns = choice.flatMap((column) => {
    const field = fields.find((one) => one.name === column.field);
    const spec = screen.grid.find((one) => one.field === column.field);
    return field
      ? [
          {
            field,
            title: spec?.title ?? field.title,
            hidden: column.hidden === true,
            pinned: spec?.pinned === true,
            ...(column.width !== undefined && { width: column.width }),
          },
        ]
      : [];
  });
  const link = columns.find((column) => !column.hidden);
  return columns.map((column) => (column === link ? { ...column, pinned: true } : column));
}

function key(userId: number, screen: string): string {
  return `columns.${userId}.${screen}`;
}

export function loadColumns(userId: number, screen: Screen): ColumnChoice[] | null {
  try {
    const saved: unknown = JSON.parse(localStorage.getItem(key(userId, screen.name)) ?? 'null');
    return Array.isArray(saved) ? completeColumns(saved as ColumnChoice[], screen) : null;
  } catch {
    return null;
  }
}

/** Stores a person's columns in this browser; null resets to the screen's default. */
export function saveColumns(userId: number, screen: string, columns: ColumnChoice[] | null): void {
  try {
    if (columns === null) localStorage.removeItem(key(userId, screen));
    else localStorage.setItem(key(userId, screen), JSON.stringify(columns));
  } catch {
    // Storage is full or blocked: the choice then lasts as long as the page.
  }
}
