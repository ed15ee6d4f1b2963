import { fieldType } from '../../../descriptor/fieldtypes/registry.ts';
import { hasHeldFields, heldFields } from '../../../descriptor/held_fields.ts';
import type { Field, Screen } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import { quoted, tableName } from '../../db/names.ts';
import { changeOf } from './history.ts';
import { SqlParams, memoPerScreen, preparedStatement } from '../../db/sql_text.ts';

type Row = Record<string, unknown>;

/** A record to be written, and its stored version; null = it is new. */
export interface Following {
  record: Row;
  stored: Row | null;
}

/** A field that copies from a reference beside it. */
interface Fetcher {
  field: Field;
  via: string;
  target: Screen | undefined;
  /** The copied value; undefined = this person may not read it. */
  from: Field | undefined;
}

/** One field of one record or row whose reference is new or has changed. */
interface Wanted extends Fetcher {
  into: Row;
  before: Row | null;
  id: number | null;
  /** The previous choice, if it decides whether somebody changed the field by hand. */
  was: number | null;
}

/** A copied value may itself be a reference for further copies; the maximum depth. */
const MAX_ROUNDS = 4;

/**
 * Copies the values of `x-fetch` wherever a reference is new or has changed. A read-only field always follows. Others
 * follow until they are changed by hand: they keep a sent value that differs from the stored one, or a stored one that
 * differs from the value of the previously chosen record. One statement for each type copied from.
 * @returns which of the records changed
 */
export async function followReferences(
  session: Session,
  screen: Screen,
  screens: ReadonlyMap<string, Screen>,
  items: Following[],
): Promise<Set<Row>> {
  const changed = new Set<Row>();
  if (!fetchesAny(screen, screens)) return changed;
  const { own, inner } = fetchersOf(screen, screens);
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const wanted: [Row, Wanted][] = [];
    for (const { record, stored } of items) {
      const held = stored && hasHeldFields(screen) ? heldFields(screen, record, stored, false).paths : NOTHING;
      const found = [...collect(own, record, stored, held, '')];
      for (const { name, columns } of inner) {
        const before = new Map(rowsOf(stored?.[name]).map((row) => [row.id, row]));
        for (const [at, row] of rowsOf(record[name]).entries())
          found.push(...collect(columns, row, before.get(row.id) ?? null, held, `${name}.${at}.`));
      }
      wanted.push(...found.map((one): [Row, Wanted] => [record, one]));
    }
    if (wanted.length === 0) return changed;
    const valueOf = await copies(
      session,
      wanted.map(([, one]) => one),
    );
    let followed = false;
    for (const [record, one] of wanted)
      if (follow(one, valueOf)) {
        followed = true;
        changed.add(record);
      }
    if (!followed) return changed;
  }
  return changed;
}

const rowsOf = (value: unknown): Row[] =>
  Array.isArray(value) ? value.filter((row): row is Row => row !== null && typeof row === 'object') : [];

/** The fields of a type, and the columns of its rows, that copy from a reference. */
function fetchersOf(screen: Screen, screens: ReadonlyMap<string, Screen>) {
  return memoPerScreen(screens, screen, 'fetchers', () => ({
    own: fetchers(screen.fields, screens),
    inner: screen.fields.flatMap((field) => {
      const columns = field.rows ? fetchers(field.rows, screens) : [];
      return columns.length > 0 ? [{ name: field.name, columns }] : [];
    }),
  }));
}

/** Whether a type copies values from records it refers to. */
export function fetchesAny(screen: Screen, screens: ReadonlyMap<string, Screen>): boolean {
  const { own, inner } = fetchersOf(screen, screens);
  return own.length + inner.length > 0;
}

function fetchers(fields: Field[], screens: ReadonlyMap<string, Screen>): Fetcher[] {
  return fields.flatMap((field) => {
    const via = fields.find(({ name }) => name === field.fetch?.via);
    if (!field.fetch || !via?.ref) return [];
    const target = screens.get(via.ref.type);
    const from = target?.fields.find(({ name }) => name === field.fetch!.field);
    const readable = from && !from.secret && !from.masked && !from.custom && !from.rows;
    return [{ field, via: via.name, target, from: readable ? from : undefined }];
  });
}

const isEmpty = (value: unknown) => value === null || value === undefined;
const idOf = (value: unknown) => (Number.isSafeInteger(value) ? (value as number) : null);

/** Most types have no such field. */
const NOTHING: ReadonlySet<string> = new Set();

/** `held`: paths of fields that keep their value, and the position of `into` among them. */
function* collect(
  fetching: Fetcher[],
  into: Row,
  before: Row | null,
  held: ReadonlySet<string>,
  at: string,
): Generator<Wanted> {
  for (const one of fetching) {
    const { field, via, from } = one;
    if (held.has(at + field.name)) continue;
    const id = idOf(into[via]);
    const was = idOf(before?.[via]);
    if (id === was || (before === null && !field.readOnly && !isEmpty(into[field.name]))) continue;
    if (field.fetch?.empty && !isEmpty(into[field.name])) continue;
    const old = before?.[field.name];
    const byHand = before !== null && !field.readOnly && !field.fetch?.empty && differs(field, old, into[field.name]);
    if (byHand || (!field.readOnly && !from)) continue;
    yield { ...one, into, before, id, was: field.readOnly || field.fetch?.empty || isEmpty(old) ? null : was };
  }
}

function differs(field: Field, from: unknown, to: unknown): boolean {
  const at = { fields: [field] };
  return Object.keys(changeOf(at, { [field.name]: from }, { [field.name]: to })).length > 0;
}

/** Except `id`, which is always present; field names have at most 60 characters. */
const copied = (name: string) => `f_${name}`;

type ValueOf = (one: Wanted, id: number | null) => unknown;

function follow(one: Wanted, valueOf: ValueOf): boolean {
  const { field, into, before, id, was } = one;
  const old = before?.[field.name];
  // Without a previous choice, the default is a value that nobody has changed.
  const untouched = was === null ? (field.default ?? null) : valueOf(one, was);
  if (!field.readOnly && !field.fetch?.empty && !isEmpty(old) && differs(field, old, untouched)) return false;
  const value = valueOf(one, id);
  if (!differs(field, into[field.name], value)) return false;
  into[field.name] = value;
  return true;
}

async function copies(session: Session, wanted: Wanted[]): Promise<ValueOf> {
  const { schema, db } = session.tenant;
  const found = new Map<Screen, Map<number, Row>>();
  const readable = wanted.filter(({ target, from }) => target && from);
  await Promise.all(
    [...Map.groupBy(readable, ({ target }) => target!)].map(async ([target, items]) => {
      const ids = [...new Set(items.flatMap(({ id, was }) => [id ?? [], was ?? []].flat()))];
      if (ids.length === 0) return;
      const values = new SqlParams();
      const names = [...new Set(items.map(({ from }) => from!.name))].sort();
      const bound = values.bind(ids);
      const company =
        target.scope === 'entity' ? ` and t.entity_id = any(${values.bind(session.entityIds)}::bigint[])` : '';
      const columns = names.map((name) => `, t.${quoted(name)} as ${quoted(copied(name))}`).join('');
      const rows = await db.query<Row>(
        preparedStatement(
          `select t.id${columns} from ${tableName(schema, target.name)} t where t.id = any(${bound}::bigint[])${company}`,
          values.list,
        ),
      );
      found.set(target, new Map(rows.map((row) => [row.id as number, row])));
    }),
  );
  return ({ field, target, from }, id) => {
    if (id === null || !target || !from) return null;
    const value = found.get(target)?.get(id)?.[copied(from.name)];
    return isEmpty(value) ? null : (fieldType(field.type).clean?.(value, field) ?? value);
  };
}
