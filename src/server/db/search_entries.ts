import type { Screen } from '../../descriptor/types.ts';
import { isPerson } from '../../descriptor/serves_people.ts';
import { productScreen } from '../../descriptor/overlay.ts';
import type { Queryable } from './database.ts';
import { literal, quoted, tableName } from './names.ts';
import { searchedFields, textsExpression } from './search_index.ts';
import { existingTables } from './existing_tables.ts';

/** The number of records per statement when entries are completed. */
const BATCH = 5_000;
/** Longer titles and codes are truncated, because index entries have a maximum size. */
const MAX_KEY = 200;

/** The rank of a type among matches: people, customers, items, documents, others. */
const PLACES = { people: 0, customers: 1, items: 2, documents: 3, rest: 4 } as const;
/** Up to this rank records come first: they have a separate index. */
export const LAST_LEADING_PLACE = PLACES.items;

/** The search entry of a record of a type. */
export interface SearchEntry {
  place: number;
  /** The columns from which it is built. */
  fields: ReadonlySet<string>;
  /** The values of the columns title, code and text, of a row with an alias. */
  values: (alias: string) => string[];
}

const known = new WeakMap<Screen, SearchEntry | null>();

/** How records of a type are found in the global search; null = they are not. The same for every reader and client. */
export function searchEntry(asked: Screen): SearchEntry | null {
  const screen = productScreen(asked);
  let entry = known.get(screen);
  if (entry === undefined) known.set(screen, (entry = makeEntry(screen)));
  return entry;
}

function makeEntry(screen: Screen): SearchEntry | null {
  if (screen.kind === 'settings' || screen.kind === 'view' || screen.written) return null;
  const fields = searchedFields(screen);
  if (fields.length === 0) return null;
  const names = new Set(fields.map(({ name }) => name));
  const [title, ...others] = screen.label;
  const code = [screen.number?.field, ...others].find(
    (name) => name !== undefined && names.has(name) && name !== title,
  );
  const key = (alias: string, name: string | undefined) =>
    name !== undefined && names.has(name) ? `left(lower(${alias}.${quoted(name)}), ${MAX_KEY})` : 'null::text';
  return {
    place: placeOf(screen),
    fields: names,
    values: (alias) => [key(alias, title), key(alias, code), textsExpression(fields, alias)],
  };
}

function placeOf(screen: Screen): number {
  if (isPerson(screen)) return PLACES.people;
  if (screen.serves === 'customer') return PLACES.customers;
  if (screen.serves === 'item') return PLACES.items;
  return screen.kind === 'document' || screen.number || screen.workflow ? PLACES.documents : PLACES.rest;
}

const table = (schema: string): string => `${quoted(schema)}.search_entry`;

/** Selects a type's entries from rows with an alias. */
function entriesOf(screen: Screen, entry: SearchEntry, alias: string): string {
  const company = screen.scope === 'entity' ? `${alias}.entity_id` : 'null::bigint';
  return `select ${literal(screen.name)}, ${alias}.id, ${company}, ${entry.place}, ${entry.values(alias).join(', ')}`;
}

const COLUMNS = 'record_type, record_id, entity_id, place, title, code, text';
const OVERWRITE = `on conflict (record_type, record_id) do update set entity_id = excluded.entity_id, place = excluded.place,
  title = excluded.title, code = excluded.code, text = excluded.text`;

/**
 * The part of a statement that writes the entries of the rows returned by its part `r`: in the same statement, so that
 * record and entry commit together. `returns`: the columns that `r` must return.
 */
export function entryPart(schema: string, screen: Screen, changed?: ReadonlySet<string>): EntryPart | null {
  const entry = searchEntry(screen);
  if (!entry || (changed && ![...changed].some((name) => entry.fields.has(name)))) return null;
  return {
    part: `f as (insert into ${table(schema)} (${COLUMNS}) ${entriesOf(screen, entry, 'r')} from r where r.active ${OVERWRITE})`,
    returns: ['active', ...(screen.scope === 'entity' ? ['entity_id'] : []), ...[...entry.fields].map(quoted)],
  };
}

export interface EntryPart {
  part: string;
  returns: string[];
}

/** The same for rows in `r` that were deleted or deactivated. */
export function entryGonePart(schema: string, screen: Screen): string | null {
  return searchEntry(screen)
    ? `f as (delete from ${table(schema)} s using r where s.record_type = ${literal(screen.name)} and s.record_id = r.id)`
    : null;
}

/** Writes the entries of stored records; for bulk writers, in their transaction. */
export async function writeEntries(
  on: Queryable,
  schema: string,
  screen: Screen,
  ids: readonly number[],
): Promise<void> {
  const entry = searchEntry(screen);
  if (!entry || ids.length === 0) return;
  await on.query(
    `insert into ${table(schema)} (${COLUMNS}) ${entriesOf(screen, entry, 't')} from ${tableName(schema, screen.name)} t
     where t.id = any($1::bigint[]) and t.active ${OVERWRITE}`,
    [ids],
  );
}

/** Removes the entries of deleted or deactivated records. */
export async function removeEntries(
  on: Queryable,
  schema: string,
  screen: Screen,
  ids: readonly number[],
): Promise<void> {
  if (!searchEntry(screen) || ids.length === 0) return;
  await on.query(`delete from ${table(schema)} where record_type = $1 and record_id = any($2::bigint[])`, [
    screen.name,
    ids,
  ]);
}

/**
 * Updates all entries of a client, some thousand records per transaction: records stored by an earlier release, or by
 * the product's own statements, and records of types whose fields changed.
 * @returns the number of entries written or removed
 */
export async function completeEntries(
  db: Queryable & { transaction<T>(work: (tx: Queryable) => Promise<T>): Promise<T> },
  schema: string,
  screens: ReadonlyMap<string, Screen>,
  signal?: AbortSignal,
): Promise<number> {
  const existing = await existingTables(db, schema);
  if (!existing.has('search_entry')) return 0;
  let written = 0;
  for (const screen of screens.values()) {
    const entry = searchEntry(screen);
    if (!entry || !existing.has(screen.name) || (screen.scope === 'platform') !== (schema === 'public')) continue;
    for (let from: number | null = 0; from !== null && !signal?.aborted;) {
      const after: number = from;
      // The rows are locked until their entries are written. A concurrent change writes its own entry.
      const [batch]: { last: number | null; size: number; written: number }[] = await db.transaction((tx) =>
        tx.query<{ last: number | null; size: number; written: number }>(
          `with ids as materialized (select id from ${tableName(schema, screen.name)} where id > $1::bigint order by id limit ${BATCH}),
             t as materialized (select * from ${tableName(schema, screen.name)} where id in (select id from ids) order by id for share skip locked),
             w as (insert into ${table(schema)} (${COLUMNS})
               select x.* from (${entriesOf(screen, entry, 't')} from t where t.active) x (${COLUMNS})
               left join ${table(schema)} e on e.record_type = x.record_type and e.record_id = x.record_id
               where e.record_id is null or (e.entity_id, e.place, e.title, e.code, e.text) is distinct from (x.entity_id, x.place::smallint, x.title, x.code, x.text)
               ${OVERWRITE} returning 1)
           select (select max(id) from ids) as last, (select count(*)::int from ids) as size, (select count(*)::int from w) as written`,
          [after],
        ),
      );
      written += batch!.written;
      from = batch!.size < BATCH ? null : batch!.last;
    }
    if (signal?.aborted) return written;
    const gone = await db.query(
      `delete from ${table(schema)} e where e.record_type = $1
         and not exists (select 1 from ${tableName(schema, screen.name)} t where t.id = e.record_id and t.active) returning 1`,
      [screen.name],
    );
    written += gone.length;
  }
  // Whose table is no more.
  const strays = await db.query(`delete from ${table(schema)} where record_type <> all($1::text[]) returning 1`, [
    [...existing],
  ]);
  return written + strays.length;
}
