import { fieldType } from '../../../descriptor/fieldtypes/registry.ts';
import { withComposedDefaults } from '../../../descriptor/default_values.ts';
import { cleanRecord, recompute } from '../../../descriptor/validate.ts';
import type { Field, FieldError, Screen } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import type { Queryable } from '../../db/database.ts';
import { inSentence } from '../../../descriptor/in_sentence.ts';
import { bareTable, childTable, literal, quoted, tableName } from '../../db/names.ts';
import { AppError, notFound } from '../../db/errors.ts';
import { columnFields, columnSql, customValues, storedFields } from '../../db/columns.ts';
import { removeEntries, searchEntry, writeEntries } from '../../db/search_entries.ts';
import type { HeldKeys } from './foreign_keys.ts';
import { withForeignKeysHeld } from './foreign_keys.ts';
import { numberOf, seriesOf, takeAside, takeNumbers } from './numbering.ts';
import { withCleanTexts } from './rich_text.ts';
import { companyOf, rowScope, scopeErrors } from '../../access/rights/scope.ts';
import { SqlParams, preparedStatement } from '../../db/sql_text.ts';
import { rebuildTree } from './tree_rebuild.ts';
import { refusalOf } from './uniqueness.ts';
import { existingTables } from '../../db/existing_tables.ts';
import { findErrors, findHeldErrors, findSettingErrors, presets, unstorable } from './validate_record.ts';

type Row = Record<string, unknown>;
const BATCH = 5_000;

/**
 * Normalises, computes and validates many records, each separately, without the database. `stored`: their stored
 * versions, `unseen`: the values of fields hidden from this person.
 */
export function validateMany(
  session: Session,
  screen: Screen,
  screens: ReadonlyMap<string, Screen>,
  records: Row[],
  stored: (Row | null | undefined)[] = [],
  unseen: (Row | null | undefined)[] = [],
): { record: Row; errors: FieldError[] }[] {
  return records.map((input, at) => {
    const { record: clean, errors } = cleanRecord(screen, input);
    const computed = recompute(screen, withCleanTexts(screen, clean));
    const record = withComposedDefaults(screen, computed, input, !stored[at]);
    const found = findErrors(screen, record, stored[at] ?? null, unseen[at]);
    const named = new Set(found.map(({ field }) => field));
    return {
      record,
      errors: [
        ...errors,
        ...found,
        ...findHeldErrors(screen, record, stored[at] ?? null).filter(({ field }) => !named.has(field)),
        ...unstorable(screen, record).filter(({ field }) => !named.has(field)),
        ...findSettingErrors(screen, screens, record),
        ...scopeErrors(session, screen, record),
      ],
    };
  });
}

/** The columns of a statement over many rows, and how the database reads them from JSON. */
function shape(screen: Screen, names: ReadonlySet<string>): { names: string[]; columns: string[]; recordset: string } {
  const fields = [...columnFields(screen.fields), ...(screen.preset ?? [])].filter((field) => names.has(field.name));
  return {
    names: fields.map(({ name }) => name),
    columns: fields.map((field) => quoted(field.name)),
    recordset: fields.map((field) => `${quoted(field.name)} ${fieldType(field.type).sql(field)}`).join(', '),
  };
}

/**
 * Inserts checked records, up to 5,000 per statement, with their history. Child rows are not accepted.
 * @param held for several calls of one transaction on one type, which rolls back only as a whole
 * @returns the new ids, in order
 */
export async function insertMany(
  tx: Queryable,
  session: Session,
  screen: Screen,
  screens: ReadonlyMap<string, Screen>,
  records: Row[],
  what: string,
  held?: HeldKeys,
): Promise<number[]> {
  const { schema } = session.tenant;
  const company = screen.scope === 'entity' ? companyOf(session) : null;
  const ids: number[] = [];
  const stored = storedFields(screen);
  const simple = new Set(stored.columns.map((field) => field.name));
  const preset = presets(screen);
  const own = stored.custom.length > 0;
  for (let from = 0; from < records.length; from += BATCH) {
    let batch = records.slice(from, from + BATCH);
    if (screen.number) batch = await withNumbers(tx, session, screen, screens, batch);
    if (own || screen.preset)
      batch = batch.map((record) => ({
        ...record,
        ...preset,
        ...(own && { custom: customValues(stored.custom, record) }),
      }));
    const { names, columns, recordset } = shape(screen, simple);
    const refused = (error: unknown) => {
      throw refusalOf(error, screen, batch);
    };
    const record = preparedStatement(
      `with x as (select * from json_to_recordset($1::json) x(${recordset}${own ? ', custom jsonb' : ''}))
        insert into ${tableName(schema, screen.name)} (${columns.join(', ')}${own ? ', custom' : ''}, created_by, updated_by${company === null ? '' : ', entity_id'})
          select ${columns.map((column) => `x.${column}`).join(', ')}${own ? ', x.custom' : ''}, $2::bigint, $2::bigint${company === null ? '' : ', $3::bigint'} from x returning id, version`,
      [JSON.stringify(batch), session.userId, ...(company === null ? [] : [company])],
    );
    const added = {
      rows: batch,
      written: names,
      same: { created_by: session.userId, updated_by: session.userId, ...(company !== null && { entity_id: company }) },
    };
    const write =
      (await withForeignKeysHeld(tx, schema, bareTable(screen.name), added, held).catch(refused)) ??
      ((statement) => tx.query<Row>(statement));
    const rows = (await write(record).catch(refused)) as { id: number; version: number }[];
    rows.sort((a, b) => a.id - b.id);
    await tx.query(
      preparedStatement(
        `insert into ${quoted(schema)}.history (record_type, record_id, entity_id, version, op, by, what)
         select $1, r.id, $2::bigint, r.version, 'I', $3::bigint, $4 from unnest($5::bigint[], $6::integer[]) r(id, version)`,
        [screen.name, company, session.userId, what, rows.map(({ id }) => id), rows.map(({ version }) => version)],
      ),
    );
    const made = rows.map(({ id }) => id);
    await writeEntries(tx, schema, screen, made);
    ids.push(...made);
  }
  if (screen.tree?.closure && ids.length > 0) await rebuildTree(tx, session, screen);
  return ids;
}

async function withNumbers(
  tx: Queryable,
  session: Session,
  screen: Screen,
  screens: ReadonlyMap<string, Screen>,
  batch: Row[],
): Promise<Row[]> {
  const series = await seriesOf(tx, session, screen, screens);
  const items = [];
  for (const record of batch) items.push({ record, ...(await series(record)) });
  const byKey = Map.groupBy(items, (item) => item.key);
  const result = new Map<Row, Row>();
  // All take counters in the same order, so that two imports cannot deadlock.
  for (const [, items] of [...byKey].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const last =
      screen.number!.gapless === false
        ? await takeAside(session, screen, items[0]!, items.length)
        : await takeNumbers(tx, session, screen, items[0]!, items.length);
    items.forEach(({ record, ...one }, at) =>
      result.set(record, {
        ...record,
        [screen.number!.field]: numberOf(screen.number!, one, last - items.length + 1 + at),
      }),
    );
  }
  return batch.map((record) => result.get(record)!);
}

/** A column in the history as answers contain it: exact decimals as text, no secrets. */
function logged(field: Field, alias: string): string {
  // The sent value is under the field's name; the stored value may be one of the client's own fields.
  const column = alias === 't' ? columnSql(field, alias) : `${alias}.${quoted(field.name)}`;
  return fieldType(field.type).sql(field).startsWith('numeric') ? `${column}::text` : column;
}

/**
 * Changes many records at once; each `set` holds checked values. Rows whose values are unchanged are left alone; the
 * history has from and to of the differences. @throws AppError 404 if the session may not see one of them
 */
export async function updateMany(
  tx: Queryable,
  session: Session,
  screen: Screen,
  screens: Map<string, Screen>,
  changes: { id: number; set: Row }[],
  what: string,
): Promise<void> {
  const { schema } = session.tenant;
  const table = tableName(schema, screen.name);
  const searched = searchEntry(screen)?.fields;
  // Rows that change the same columns are grouped: one statement sets exactly those.
  const groups = Map.groupBy(changes, (change) => Object.keys(change.set).sort().join());
  for (const [key, group] of groups) {
    const names = new Set(key.split(','));
    const fields = columnFields(screen.fields).filter((field) => names.has(field.name));
    if (fields.length === 0) continue;
    const columns = fields.map((field) => quoted(field.name));
    const { recordset } = shape(screen, names);
    const kept = fields.map((field, at) => ({ field, value: `o."n${at}"` }));
    const custom = kept
      .filter(({ field }) => field.custom)
      .map(({ field, value }) => `${literal(field.name)}, ${value}`);
    const assigned = [
      ...kept.filter(({ field }) => !field.custom).map(({ field, value }) => `${quoted(field.name)} = ${value}`),
      ...(custom.length > 0 ? [`custom = jsonb_strip_nulls(coalesce(t.custom, '{}') || ${jsonObject(custom)})`] : []),
    ].join(', ');
    const pairs = fields.map(
      (field) =>
        `case when ${columnSql(field, 't')} is distinct from x.${quoted(field.name)} then jsonb_build_object('${field.name}', ${field.secret ? "'changed'::text" : `jsonb_build_array(${logged(field, 't')}, ${logged(field, 'x')})`}) else '{}'::jsonb end`,
    );
    for (let from = 0; from < group.length; from += BATCH) {
      const batch = group.slice(from, from + BATCH);
      const values = new SqlParams();
      const [rows, user, type, by] = [
        JSON.stringify(batch.map(({ id, set }) => ({ id, ...set }))),
        session.userId,
        screen.name,
        what,
      ].map((value) => values.bind(value));
      const visible = rowScope(session, screen, screens, 't', values);
      const company = screen.scope === 'entity' ? 't.entity_id' : 'null::bigint';
      // The rows are locked and read before they are changed: otherwise this statement's own change would hide them
      // from "for update". Each step passes on what the next needs: joining the lists again would compare each row with
      // every other, because the planner does not know their sizes.
      const text = `with x as materialized (select * from json_to_recordset(${rows}::json) x(id bigint, ${recordset})),
        o as materialized (select t.id, ${company} as company, ${pairs.join(' || ')} as change, ${columns.map((column, at) => `x.${column} as "n${at}"`).join(', ')}
          from x join ${table} t on t.id = x.id${visible.length > 0 ? ` where ${visible.join(' and ')}` : ''} order by t.id for update of t),
        r as (update ${table} t set ${assigned}, version = t.version + 1, updated_at = now(), updated_by = ${user}::bigint
          from o where t.id = o.id and o.change <> '{}'::jsonb returning t.id, t.version, o.company, o.change),
        h as (insert into ${quoted(schema)}.history (record_type, record_id, entity_id, version, op, by, what, change)
          select ${type}, r.id, r.company, r.version, 'U', ${user}::bigint, ${by}, r.change from r)
        select (select count(distinct id)::int from o) as found, (select count(distinct id)::int from x) as asked`;
      const [answer] = await tx
        .query<{ found: number; asked: number }>(preparedStatement(text, values.list))
        .catch((error: unknown) => {
          throw refusalOf(
            error,
            screen,
            batch.map(({ set }) => set),
          );
        });
      if (answer && answer.found < answer.asked) throw notFound();
      if (fields.some((field) => searched?.has(field.name)))
        await writeEntries(
          tx,
          schema,
          screen,
          batch.map(({ id }) => id),
        );
    }
  }
  if (screen.tree?.closure && changes.some(({ set }) => screen.tree!.parent in set))
    await rebuildTree(tx, session, screen);
}

/** Permanently deletes many records, all or none. @throws AppError 409 if something refers to one of them */
export async function removeMany(
  tx: Queryable,
  session: Session,
  screen: Screen,
  screens: ReadonlyMap<string, Screen>,
  ids: number[],
  what: string,
): Promise<void> {
  if (ids.length === 0) return;
  const { schema } = session.tenant;
  const inUse = () =>
    new AppError(
      409,
      'in_use',
      `Some of these ${inSentence(screen.plural)} are now used elsewhere. Deactivate them one by one instead.`,
    );
  const existing = await existingTables(tx, schema);
  // Lists of references have no foreign key to prevent it.
  for (const { type, field: path } of screen.referredBy) {
    const [first = '', inner] = path.split('.');
    const outer = screens.get(type)?.fields.find(({ name }) => name === first);
    const field = inner === undefined ? outer : outer?.rows?.find(({ name }) => name === inner);
    if (field?.type !== 'refs' || !existing.has(inner === undefined ? type : `${type}__${first}`)) continue;
    const table = inner === undefined ? tableName(schema, type) : childTable(schema, type, first);
    const rows = await tx.query(
      preparedStatement(
        `select 1 from ${table} where ${quoted(field.name)} && $1::bigint[]${inner === undefined && type === screen.name ? ' and id <> all($1::bigint[])' : ''} limit 1`,
        [ids],
      ),
    );
    if (rows.length > 0) throw inUse();
  }
  const text = `with r as (delete from ${tableName(schema, screen.name)} where id = any($1::bigint[]) returning id, version, ${screen.scope === 'entity' ? 'entity_id' : 'null::bigint as entity_id'})
    insert into ${quoted(schema)}.history (record_type, record_id, entity_id, version, op, by, what) select $2, r.id, r.entity_id, r.version + 1, 'D', $3::bigint, $4 from r`;
  await tx.query(preparedStatement(text, [ids, screen.name, session.userId, what])).catch((error: unknown) => {
    throw (error as { code?: string }).code === '23503' ? inUse() : error;
  });
  await removeEntries(tx, schema, screen, ids);
}

/** The number of name-value pairs per call of jsonb_build_object: PostgreSQL allows 100 arguments. */
const MAX_PAIRS = 50;

/** An object of any number of `'name', value` pairs. */
function jsonObject(pairs: string[]): string {
  const parts = Array.from({ length: Math.ceil(pairs.length / MAX_PAIRS) }, (_, at) =>
    pairs.slice(at * MAX_PAIRS, (at + 1) * MAX_PAIRS).join(', '),
  );
  return parts.map((part) => `jsonb_build_object(${part})`).join(' || ');
}
