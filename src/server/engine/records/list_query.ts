import { OWNERS } from '../../../descriptor/check_context.ts';
import { isStorable } from '../../../descriptor/fieldtypes/column_range.ts';
import { listField, parseFilter } from '../../../descriptor/filter.ts';
import { fieldType } from '../../../descriptor/fieldtypes/registry.ts';
import type { FilterExpression, Screen } from '../../../descriptor/types.ts';
import { AppError } from '../../db/errors.ts';
import type { ViewChoice } from './view_rows.ts';
import { readChoice } from './view_rows.ts';

/** The checked parameters of a list call. */
export interface ListQuery {
  page: number;
  size: number;
  sort: { field: string; descending: boolean }[];
  q: string;
  filter: FilterExpression | null;
  active: boolean | null;
  ids: number[] | null;
  /** One's own rows alone. */
  /** Only the person's own records; a list: those in which one of these fields refers to the person. */
  mine: boolean | string[];
  /** Leave the total out. */
  uncounted: boolean;
  after: unknown[] | null;
  /** For the look `map`: south, west, north and east of the visible area. */
  box: readonly number[] | null;
  /** Fields in the answer; null = those of the grid, the card and the label. "*" = all. */
  columns: string[] | null;
  /** For a view: the reader's choices. */
  choice: ViewChoice;
}

const MAX_SIZE = 500;
const DEFAULT_SIZE = 50;

function bad(field: string, message: string): AppError {
  return new AppError(400, 'bad_request', message, { field });
}

function whole(text: string | undefined, fallback: number, min: number, max: number, name: string): number {
  if (text === undefined || text === '') return fallback;
  const value = Number(text);
  if (!Number.isInteger(value) || value < min || value > max)
    throw bad(name, `${name} is a whole number from ${min} to ${max}.`);
  return value;
}

/** Parses the parameters of a list, count or export. @throws AppError 400 with the parameter */
export function parseListQuery(given: Record<string, string | undefined>, screen: Screen): ListQuery {
  for (const [name, value] of Object.entries(given as Record<string, unknown>))
    if (value !== undefined && (typeof value !== 'string' || !isStorable(value)))
      throw bad(name, `${name} is a text, without characters that cannot be stored.`);
  const parsed = parseFilter(given.filter, screen, { rows: true });
  if ('error' in parsed) throw new AppError(400, 'bad_filter', parsed.error, { field: 'filter' });
  const active = given.active ?? 'true';
  if (!['true', 'false', 'all'].includes(active)) throw bad('active', 'active is true, false or all.');
  if (given.count !== undefined && given.count !== 'none') throw bad('count', 'count is none, or left out.');
  const q = (given.q ?? '').trim();
  if (q.length > 200) throw bad('q', 'At most 200 characters to search for.');
  return {
    page: whole(given.page, 1, 1, 1_000_000, 'page'),
    size: whole(given.size, DEFAULT_SIZE, 1, MAX_SIZE, 'size'),
    sort: parseSort(given.sort, screen),
    q,
    filter: parsed.filter,
    active: active === 'all' ? null : active === 'true',
    ids: given.ids === undefined || given.ids === '' ? null : parseIds(given.ids),
    mine: whoseOf(given.mine, screen),
    uncounted: given.count === 'none',
    columns: given.columns === undefined || given.columns === '' ? null : parseColumns(given.columns, screen),
    choice: readChoice(screen, given),
    box: given.box === undefined || given.box === '' ? null : parseBox(given.box, screen),
    after: given.after === undefined || given.after === '' ? null : parseCursor(given.after),
  };
}

/** `1` = the person's own; field names = own by these. Only fields that define ownership are accepted. */
function whoseOf(given: string | undefined, screen: Screen): boolean | string[] {
  if (given === undefined || given === '' || given === '0') return false;
  if (given === '1') return true;
  const names = given.split(',');
  const known = (name: string) =>
    name === 'created_by' ||
    screen.fields.some(
      (field) => field.name === name && field.hidden !== 'always' && OWNERS.has(field.ref?.type ?? ''),
    );
  if (names.length > 10 || !names.every(known))
    throw bad('mine', 'mine is 1, names of fields that refer to people or roles, or left out.');
  return names;
}

/** "1,2,3" as ids. */
export function parseIds(text: string, name = 'ids'): number[] {
  const ids = text.split(',').map(Number);
  if (ids.length > 1_000 || !ids.every((id) => Number.isSafeInteger(id) && id > 0))
    throw bad(name, `${name} is a list of ids with commas, at most 1,000.`);
  return ids;
}

/** The ids in a request body. @throws AppError 400 */
export function givenIds(value: unknown): number[] {
  if (
    !Array.isArray(value) ||
    value.length === 0 ||
    !value.every((one) => Number.isSafeInteger(one) && (one as number) > 0)
  )
    throw bad('ids', 'ids is a list of ids.');
  return value as number[];
}

/** "12.9,80.1,13.2,80.4": latitudes and longitudes, for a type with the look `map`. */
function parseBox(text: string, screen: Screen): number[] {
  const sides = text.split(',').map(Number);
  const [south = NaN, west = NaN, north = NaN, east = NaN] = sides;
  if (!screen.looks?.map) throw bad('box', 'This list has no map.');
  if (
    sides.length !== 4 ||
    !(south >= -90 && south <= north && north <= 90 && west >= -180 && west <= east && east <= 180)
  )
    throw bad('box', 'box is south,west,north,east in degrees.');
  return sides;
}

/** Comma-separated field names, or "*" for all. */
function parseColumns(text: string, screen: Screen): string[] {
  if (text === '*')
    return [...screen.fields.filter(({ hidden }) => hidden !== 'always'), ...(screen.counts ?? [])]
      .map((field) => field.name)
      .concat('created_by', 'updated_by');
  const names = text.split(',');
  for (const name of names)
    if (!listField(screen, name) && name !== 'active') throw bad('columns', `There is no column "${name}".`);
  return names;
}

function parseSort(text: string | undefined, screen: Screen): ListQuery['sort'] {
  const entries = text === undefined || text === '' ? screen.sort : text.split(',');
  if (entries.length > 5) throw bad('sort', 'Sort by at most five columns.');
  return entries.map((entry) => {
    const descending = entry.startsWith('-');
    const name = descending ? entry.slice(1) : entry;
    const field = listField(screen, name);
    if (!field || field.secret || !fieldType(field.type).can.sort)
      throw bad('sort', `There is no column "${name}" to sort by.`);
    return { field: name, descending };
  });
}

/** The position after a row, for the next page: the row's sort values and id. */
export function writeCursor(values: unknown[]): string {
  return Buffer.from(JSON.stringify(values)).toString('base64url');
}

/** An invalid cursor, or one of a list in another order. */
export function unknownPlace(): AppError {
  return bad('after', 'This place in the list is not known. Start from the first page.');
}

function parseCursor(text: string): unknown[] {
  try {
    const values = JSON.parse(Buffer.from(text, 'base64url').toString()) as unknown;
    if (
      Array.isArray(values) &&
      values.every((value) => value === null || ['string', 'number', 'boolean'].includes(typeof value)) &&
      Number.isSafeInteger(values.at(-1))
    )
      return values as unknown[];
  } catch {
    // Falls through to the refusal.
  }
  throw unknownPlace();
}
