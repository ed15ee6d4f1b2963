import { rowsSavedApart } from '../../../descriptor/words/field/x_save.ts';
import { fieldType } from '../../../descriptor/fieldtypes/registry.ts';
import { ownRows } from '../../../descriptor/own_rows.ts';
import { recompute } from '../../../descriptor/validate.ts';
import type { Field, WireRecord } from '../../../descriptor/types.ts';
import { columnFields } from '../../db/columns.ts';
import { invalid } from '../../db/errors.ts';
import { childTable, quoted, tableName } from '../../db/names.ts';
import { searchEntry, writeEntries } from '../../db/search_entries.ts';
import { SqlParams, preparedStatement } from '../../db/sql_text.ts';
import { fieldsWithClosedPeriods } from './closed_periods.ts';
import { fetchesAny, followReferences } from './fetched.ts';
import { givenRowsRemoved } from './given_rows.ts';
import { changeOf, staleVersion, storedChange } from './history.ts';
import { recordset } from './insert_statement.ts';
import { ownDefaults } from './own_defaults.ts';
import { hasParts } from './part_rows.ts';
import { rangeConflicts } from './ranges.ts';
import { readRecord } from './read.ts';
import { refusalOf } from './uniqueness.ts';
import { prepare } from './validate_record.ts';
import { findingsAlone } from './write.ts';
import type { WriteContext } from './write_context.ts';

type Row = Record<string, unknown>;

/** A stored record, locked, and its new values; of child rows the whole list. */
export interface ManyChange {
  stored: WireRecord;
  input: Row;
}

/** A checked change: the record as it will be, and how it differs, in full and as the history keeps it. */
interface Checked {
  stored: WireRecord;
  record: Row;
  change: Record<string, [unknown, unknown]>;
  history: ReturnType<typeof storedChange>;
}

const isSecret = ({ secret, encrypted }: Field): boolean => secret === true || encrypted === true;

/**
 * Whether records of a type can be changed together: nothing else follows from a change of one of them that is looked up
 * or written record by record. Others are changed one by one.
 */
export function canChangeMany({ screen, hooks, audit }: WriteContext): boolean {
  return !(
    screen.part ||
    hasParts(screen) ||
    screen.tree ||
    screen.clocks ||
    screen.madeOf ||
    screen.approval ||
    hooks.follows?.(screen) ||
    hooks.checks?.(screen) ||
    audit?.keeps(screen, 'U') ||
    rowsSavedApart(screen.fields).length > 0 ||
    fieldsWithClosedPeriods(screen).length > 0 ||
    screen.fields.some((field) => field.shape || isSecret(field) || ownRows(field)?.some(isSecret))
  );
}

/** The changes with everything copied, filled in and computed. @throws AppError 422 for the first record with findings */
async function checked(context: WriteContext, changes: readonly ManyChange[]): Promise<Checked[]> {
  const { session, screen, screens } = context;
  const own = await ownDefaults(session, screen);
  const prepared = changes.map(({ stored, input }) => ({ stored, ...prepare(screen, input, stored, own) }));
  if (fetchesAny(screen, screens)) {
    const followed = await followReferences(session, screen, screens, prepared);
    for (const one of prepared) if (followed.has(one.record)) one.record = recompute(screen, one.record);
  }
  const found: Checked[] = [];
  for (const { stored, record: given, errors } of prepared) {
    const record = (await context.fill?.(given, stored)) ?? given;
    const change = changeOf(screen, stored, record);
    errors.push(...(await givenRowsRemoved(screen, context.fill, record, stored)));
    const findings = findingsAlone(context, record, stored, errors);
    if (findings.length > 0) throw invalid(findings);
    if (Object.keys(change).length > 0) found.push({ stored, record, change, history: storedChange(screen, change) });
  }
  if (screen.ranges) {
    const written = found.map(({ stored, record }) => ({
      id: stored.id,
      record: { ...record, active: stored.active },
    }));
    const conflicts = (await rangeConflicts(session, screen, written)).find((errors) => errors.length > 0);
    if (conflicts) throw invalid(conflicts);
  }
  return found;
}

/**
 * Changes many records in few statements, each checked by itself, with the same history as one by one. References are
 * checked by their foreign keys, and keys by their indexes. The caller has locked the records and holds a transaction.
 * @returns the ids of those that changed
 */
export async function changeMany(context: WriteContext, changes: readonly ManyChange[]): Promise<number[]> {
  const { session, screen } = context;
  const { db, schema } = session.tenant;
  const all = await checked(context, changes);
  if (all.length === 0) return [];
  const versions = await writeFields(context, all);
  for (const field of screen.fields)
    if (field.rows && !field.part && all.some(({ change }) => field.name in change))
      await writeRows(context, field, all);
  await db.query(
    preparedStatement(
      `insert into ${quoted(schema)}.history (record_type, record_id, entity_id, version, op, by, what, change)
       select $1, x.id, $2::bigint, x.version, 'U', $3::bigint, $4, x.change
       from jsonb_to_recordset($5::jsonb) x(id bigint, version integer, change jsonb) order by x.id`,
      [
        screen.name,
        session.entityId,
        session.userId,
        context.what,
        JSON.stringify(
          all.map(({ stored, history }) => ({
            id: stored.id,
            version: versions.get(stored.id),
            change: history.change,
          })),
        ),
      ],
    ),
  );
  const searched = searchEntry(screen)?.fields;
  const renamed = all.filter(({ change }) => Object.keys(change).some((name) => searched?.has(name)));
  if (renamed.length > 0)
    await writeEntries(
      db,
      schema,
      screen,
      renamed.map(({ stored }) => stored.id),
    );
  for (const { stored, history } of all) context.wrote?.(stored.id, history.change, null);
  return all.map(({ stored }) => stored.id);
}

/** Writes the fields of the records, each with all of those that any of them changes. @returns the new versions */
async function writeFields(context: WriteContext, all: readonly Checked[]): Promise<Map<number, number>> {
  const { session, screen, screens } = context;
  const { db, schema } = session.tenant;
  const fields = columnFields(screen.fields).filter(({ name }) => all.some(({ change }) => name in change));
  const custom = fields.filter((field) => field.custom);
  const plain = fields.filter((field) => !field.custom);
  const column = (field: Field) => `${quoted(field.name)} ${fieldType(field.type).sql(field)}`;
  const shape = ['id bigint', '"x-version" integer', '"x-custom" jsonb', ...plain.map(column)].join(', ');
  const set = [
    ...plain.map(({ name }) => `${quoted(name)} = x.${quoted(name)}`),
    ...(custom.length > 0 ? [`custom = jsonb_strip_nulls(coalesce(t.custom, '{}') || x."x-custom")`] : []),
    'version = t.version + 1',
    'updated_at = now()',
  ].join(', ');
  const rows = all.map(({ stored, record }) => ({
    id: stored.id,
    'x-version': stored.version,
    ...Object.fromEntries(plain.map(({ name }) => [name, record[name] ?? null])),
    ...(custom.length > 0 && {
      'x-custom': Object.fromEntries(custom.map(({ name }) => [name, record[name] ?? null])),
    }),
  }));
  const values = new SqlParams();
  const text = `update ${tableName(schema, screen.name)} t set ${set}, updated_by = ${values.bind(session.userId)}::bigint
    from jsonb_to_recordset(${values.bind(JSON.stringify(rows))}::jsonb) x(${shape})
    where t.id = x.id and t.version = x."x-version" returning t.id, t.version`;
  const written = await db
    .query<{ id: number; version: number }>(preparedStatement(text, values.list))
    .catch((error: unknown) => {
      throw refusalOf(
        error,
        screen,
        all.map(({ record }) => record),
      );
    });
  const versions = new Map(written.map(({ id, version }) => [id, version]));
  const stale = all.find(({ stored }) => !versions.has(stored.id));
  if (stale)
    throw await staleVersion(
      context,
      await readRecord(session, screen, screens, stale.stored.id),
      stale.stored.version,
    );
  return versions;
}

/** Writes the child rows of a field: those removed, changed or moved, and added. The history gets the ids of the new ones. */
async function writeRows({ session, screen }: WriteContext, field: Field, all: readonly Checked[]): Promise<void> {
  const { db, schema } = session.tenant;
  const table = childTable(schema, screen.name, field.name);
  const names = field.rows!.map(({ name }) => quoted(name));
  const gone: unknown[] = [];
  const kept: Row[] = [];
  const fresh: Row[] = [];
  for (const { stored, record, change, history } of all) {
    if (!(field.name in change)) continue;
    const rows = (record[field.name] as Row[] | null) ?? [];
    const differs = history.change[field.name] as Row;
    const left = new Set(rows.map(({ id }) => id));
    const before = (stored[field.name] as Row[] | null) ?? [];
    gone.push(...before.flatMap(({ id }) => (left.has(id) ? [] : [id])));
    rows.forEach((row, position) => {
      // The id of a new row is that of its record: the statement needs no further column.
      if (row.id === undefined || row.id === null) fresh.push({ ...row, id: stored.id, position });
      else kept.push({ ...row, position, 'x-changed': String(row.id) in differs });
    });
  }
  if (gone.length > 0) await db.query(preparedStatement(`delete from ${table} where id = any($1::bigint[])`, [gone]));
  if (kept.length > 0)
    await db.query(
      preparedStatement(
        `update ${table} c set ${['"position" = x."position"', ...names.map((name) => `${name} = x.${name}`)].join(', ')}
         from jsonb_to_recordset($1::jsonb) x(${recordset(field.rows!)}, "x-changed" boolean)
         where c.id = x.id and (x."x-changed" or c."position" <> x."position")`,
        [JSON.stringify(kept)],
      ),
    );
  if (fresh.length === 0) return;
  const added = await db.query<{ id: number; parent_id: number; position: number }>(
    preparedStatement(
      `insert into ${table} (parent_id, "position"${names.map((name) => `, ${name}`).join('')})
       select x.id, x."position"${names.map((name) => `, x.${name}`).join('')}
       from jsonb_to_recordset($1::jsonb) x(${recordset(field.rows!)}) order by x.id, x."position"
       returning id, parent_id, "position"`,
      [JSON.stringify(fresh)],
    ),
  );
  const byRecord = Map.groupBy(added, ({ parent_id: id }) => id);
  for (const { stored, history } of all) {
    const differs = history.change[field.name] as Row | undefined;
    const texts = history.added.get(field.name);
    for (const { id, position } of byRecord.get(stored.id) ?? []) differs![`+${id}`] = texts?.get(position);
  }
}
