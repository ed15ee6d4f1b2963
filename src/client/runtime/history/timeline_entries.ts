import { fieldType } from '../../../descriptor/fieldtypes/registry.ts';
import { isRowKey, isRowsChange } from '../../../descriptor/rows_change.ts';
import type { RowsChange } from '../../../descriptor/rows_change.ts';
import type { Field, Screen } from '../../../descriptor/types.ts';
import type { Transition, Workflow } from '../../../descriptor/workflow.ts';
import { fieldOf } from '../landing/cell_text.ts';
import type { Labels } from '../landing/filter_words.ts';

export interface HistoryRow {
  version: number;
  /** Added, changed, deleted, activated, deactivated. */
  op: 'I' | 'U' | 'D' | 'A' | 'X';
  at: string;
  by: number | null;
  by__label?: string | null;
  /** The delegator on whose behalf they acted. */
  for__label?: string | null;
  /** form, bulk, api, "import 5" */
  what?: string | null;
  /** The workflow transition that made it, and its reason. */
  transition?: string | null;
  reason?: string | null;
  /** When an offline device took the transition; empty: when it is recorded. */
  done_at?: string | null;
  /** From and to by field, for child rows the differences per row; for secrets "changed". */
  change: Record<string, [unknown, unknown] | RowsChange | string> | null;
}

export interface CommentRow {
  id: number;
  text: string;
  at: string;
  by: number;
  by__label?: string | null;
  mine?: boolean;
}

export interface AttachmentRow {
  id: number;
  file_id: number;
  name: string;
  size: number;
  type: string;
  at: string;
  by: number;
  by__label?: string | null;
  mine?: boolean;
}

export type Entry =
  | { kind: 'change'; key: string; at: string; row: HistoryRow }
  | { kind: 'comment'; key: string; at: string; row: CommentRow }
  | { kind: 'file'; key: string; at: string; row: AttachmentRow };

export type EntryFilter = 'all' | Entry['kind'];

/**
 * The complete history of a record, newest first. Until older changes are loaded, nothing older than the loaded ones is
 * shown.
 */
export function mergeEntries(
  changes: HistoryRow[],
  comments: CommentRow[],
  files: AttachmentRow[],
  filter: EntryFilter,
  moreChanges: boolean,
): Entry[] {
  const entries: Entry[] = [];
  if (filter === 'all' || filter === 'change')
    for (const row of changes) entries.push({ kind: 'change', key: `v${row.version} ${row.op}`, at: row.at, row });
  if (filter === 'all' || filter === 'comment')
    for (const row of comments) entries.push({ kind: 'comment', key: `c${row.id}`, at: row.at, row });
  if (filter === 'all' || filter === 'file')
    for (const row of files) entries.push({ kind: 'file', key: `f${row.id}`, at: row.at, row });
  entries.sort((a, b) => Date.parse(b.at) - Date.parse(a.at));
  const oldest = changes.at(-1);
  if (filter !== 'all' || !moreChanges || !oldest) return entries;
  return entries.filter((entry) => Date.parse(entry.at) >= Date.parse(oldest.at));
}

/** One field's change as text. */
export interface ChangeLine {
  title: string;
  from: string;
  to: string;
  /** The whole line, if it is not a change from one value to another. */
  said?: string;
}

/** The changed fields as text; internal fields are left out. */
export function changeLines(row: HistoryRow, screen: Screen, labels: Labels): ChangeLine[] {
  return Object.entries(row.change ?? {}).flatMap(([name, values]) => {
    const field = fieldOf(screen, name);
    if (field?.rows && isRowsChange(values)) return rowLines(field, field.rows, values, labels);
    if (!field || !Array.isArray(values)) return [];
    return [{ title: field.title, from: valueText(field, values[0], labels), to: valueText(field, values[1], labels) }];
  });
}

/** The maximum number of rows listed individually; beyond it, their number is shown. */
const MAX_ROWS = 20;

function rowLines(field: Field, columns: Field[], rows: RowsChange, labels: Labels): ChangeLine[] {
  const all = Object.entries(rows);
  const entries = all.filter(([key]) => isRowKey(key));
  if (entries.length < all.length)
    return [
      ...all.flatMap(([key, row]) => (isRowKey(key) ? [] : figureLines(field, columns, key.slice(1), row))),
      said(field, countedRows(entries.map(([key]) => key))),
    ];
  if (entries.length > MAX_ROWS) return [said(field, countedRows(entries.map(([key]) => key)))];
  return entries.flatMap(([key, row]): ChangeLine[] => {
    const came = key.startsWith('+');
    if (came || key.startsWith('-')) {
      const texts = columns.map((column) => valueText(column, row[column.name], labels)).filter((text) => text !== '');
      return [said(field, `${came ? 'added' : 'removed'} ${texts.slice(0, 3).join(', ') || 'a row'}`)];
    }
    const cells = columns.flatMap((column) => {
      const pair = row[column.name];
      const title = `${field.title}, ${column.title}`;
      if (pair === undefined) return [];
      if (column.rows && isRowsChange(pair))
        return rowLines({ ...column, title }, column.rows, pair as RowsChange, labels);
      if (!Array.isArray(pair)) return [{ title, from: '', to: '', said: title }];
      return [{ title, from: valueText(column, pair[0], labels), to: valueText(column, pair[1], labels) }];
    });
    return 'position' in row && cells.length === 0 ? [said(field, 'moved a row')] : cells;
  });
}

/** The figure typed on a group of rows. */
function figureLines(
  field: Field,
  columns: Field[],
  group: string,
  row: Readonly<Record<string, unknown>>,
): ChangeLine[] {
  return columns.flatMap((column) => {
    const pair = row[column.name];
    if (!Array.isArray(pair)) return [];
    const [from, to] = pair.map((value) => fieldType(column.type).format(value, column)) as [string, string];
    return [{ title: `${field.title}, ${column.title} of ${group}`, from, to }];
  });
}

const said = ({ title }: Field, words: string): ChangeLine => ({ title, from: '', to: '', said: `${title}: ${words}` });

function countedRows(keys: string[]): string {
  const added = keys.filter((key) => key.startsWith('+')).length;
  const removed = keys.filter((key) => key.startsWith('-')).length;
  const rows = (count: number, verb: string) =>
    count === 0 ? [] : [`${count} ${count === 1 ? 'row' : 'rows'} ${verb}`];
  return [...rows(keys.length - added - removed, 'changed'), ...rows(added, 'added'), ...rows(removed, 'removed')].join(
    ', ',
  );
}

const longest = 80;

function valueText(field: Field, value: unknown, labels: Labels): string {
  if (value === null || value === undefined || value === '') return '';
  if (field.secret) return '••••';
  if (field.type === 'rows')
    return Array.isArray(value) ? (value.length === 1 ? '1 row' : `${value.length} rows`) : 'rows';
  const text = labelled(field, value, labels) ?? fieldType(field.type).format(value, field);
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

function labelled(field: Field, value: unknown, labels: Labels): string | undefined {
  if (!field.ref) return undefined;
  const { type } = field.ref;
  if (Array.isArray(value))
    return value.map((one) => (typeof one === 'number' ? (labels(type, one) ?? `#${one}`) : String(one))).join(', ');
  return typeof value === 'number' ? labels(type, value) : undefined;
}

/** The text after the person's name: "added this branch", "changed Status from Draft to Active". */
export function changeWords(row: HistoryRow, screen: Screen, lines: ChangeLine[]): string {
  const thing = `this ${/^[A-Z][a-z]/.test(screen.title) ? screen.title.charAt(0).toLowerCase() + screen.title.slice(1) : screen.title}`;
  const step = screen.workflow?.transitions.find(({ name }) => name === row.transition);
  if (step) return stepWords(step, row, screen.workflow!);
  const way = wayWords(row.what);
  switch (row.op) {
    case 'I':
      return `added ${thing}${way}`;
    case 'D':
      return `deleted ${thing}${way}`;
    case 'A':
      return `took ${thing} into use again${way}`;
    case 'X':
      return `deactivated ${thing}${way}`;
    default: {
      const [only] = lines;
      if (!only) return `saved ${thing}${way}`;
      if (lines.length > 1) return `changed ${lines.length} fields${way}`;
      return `changed ${lineWords(only)}${way}`;
    }
  }
}

/** "took the step “Send back”, from Submitted to In progress". */
function stepWords({ title }: Transition, { change, what }: HistoryRow, { field, states }: Workflow): string {
  const [from, to] = ((change?.[field] ?? []) as [unknown, unknown]).map(
    (state) => states.find(({ name }) => name === state)?.title ?? String(state),
  );
  return `took the step “${title}”, from ${from} to ${to}${wayWords(what)}`;
}

/** "Status from Draft to Active", "Phone to 98…", "Phone: cleared". */
export function lineWords({ title, from, to, said: whole }: ChangeLine): string {
  if (whole !== undefined) return whole;
  if (to === '') return `${title} from ${from} to nothing`;
  if (from === '') return `${title} to ${to}`;
  return from === to ? title : `${title} from ${from} to ${to}`;
}

function wayWords(what: string | null | undefined): string {
  if (!what || what === 'form' || what === 'action') return '';
  if (what === 'offline') return ' without a network';
  if (what === 'public') return ' by its public page';
  if (what === 'job') return ' at its moment';
  if (what.startsWith('import')) return ' by an import';
  if (what === 'bulk') return ' together with others';
  if (what === 'demo') return ' with the demo data';
  if (what === 'api') return ' from another program';
  return ` (${what})`;
}

/** Records that changes refer to by id. */
export function idsInChanges(rows: HistoryRow[], screen: Screen): { field: Field; of?: string; ids: number[] }[] {
  const wanted = new Map<Field, { of?: string; ids: Set<number> }>();
  const want = (field: Field | undefined, values: unknown, of?: string) => {
    if (!field?.ref) return;
    const { ids } = wanted.get(field) ?? { ids: new Set<number>() };
    for (const id of [values].flat(2)) if (typeof id === 'number') ids.add(id);
    wanted.set(field, { ids, ...(of !== undefined && { of }) });
  };
  for (const { change } of rows)
    for (const [name, values] of Object.entries(change ?? {})) {
      const field = fieldOf(screen, name);
      if (field?.rows && isRowsChange(values))
        for (const row of Object.values(values)) for (const column of field.rows) want(column, row[column.name], name);
      else if (Array.isArray(values)) want(field, values);
    }
  return [...wanted].map(([field, { ids, ...rest }]) => ({ field, ...rest, ids: [...ids] }));
}
