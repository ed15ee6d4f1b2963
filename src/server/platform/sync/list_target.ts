import { fieldType } from '../../../descriptor/fieldtypes/registry.ts';
import { announceChange } from '../../services/live/announced_changes.ts';
import { queueWebhooks } from '../../services/live/webhook_events.ts';
import { Decimal } from 'decimal.js';
import type { Field, Screen } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import type { Queryable } from '../../db/database.ts';
import { quoted, tableName } from '../../db/names.ts';
import { removeEntries, writeEntries } from '../../db/search_entries.ts';
import { AppError } from '../../db/errors.ts';
import { columnFields, columnSql } from '../../db/columns.ts';
import { importStepErrors } from '../../engine/records/import_steps.ts';
import type { Engine } from '../../engine/records/engine.ts';
import type { Difference, Mapped, SyncJob } from './job.ts';
import { keyId, keyOf } from './mapping.ts';

type Row = Record<string, unknown>;

/** The planned changes of a run to a list. */
export interface ListPlan {
  inserts: { item: Mapped; record: Row }[];
  updates: { item: Mapped; id: number; set: Row; wake: boolean }[];
  unchanged: number;
  rejected: Mapped[];
  /** Active records that the source no longer has. */
  missing: { id: number; key: string }[];
  /** Active records before the run. */
  active: number;
}

interface Stored {
  id: number;
  active: boolean;
  values: Row;
}

const BATCH = 1_000;

/** Rows refused by the type's own checks are not written; the others are, with their side effects. */
async function byOwnChecks(
  engine: Engine,
  session: Session,
  screen: Screen,
  plan: ListPlan,
  titles: ReadonlyMap<string, string>,
): Promise<void> {
  const rows = [
    ...plan.inserts.map(({ item, record }) => ({ item, id: null, record })),
    ...plan.updates.map(({ item, id, set }) => ({ item, id, record: set })),
  ];
  const checked = rows.length === 0 ? null : await engine.checkMany(session, screen, rows);
  if (!checked) return;
  const fills = new Map(rows.map(({ item }, at) => [item, checked[at]!.fill]));
  for (const [at, { item }] of rows.entries())
    item.errors.push(
      ...checked[at]!.errors.map(
        ({ field, message }) => `${titles.get(field.split('.')[0]!) ?? screen.title}: ${message}`,
      ),
    );
  plan.inserts = plan.inserts
    .filter(({ item }) => item.errors.length === 0)
    .map((one) => ({ ...one, record: { ...one.record, ...fills.get(one.item) } }));
  plan.updates = plan.updates
    .filter(({ item }) => item.errors.length === 0)
    .map((one) => ({ ...one, set: { ...one.set, ...fills.get(one.item) } }));
}

/** Compares mapped rows with the list. Nothing is written. */
export async function planList(
  engine: Engine,
  session: Session,
  job: SyncJob,
  screen: Screen,
  mapped: Mapped[],
): Promise<ListPlan> {
  const stored = await storedRecords(session, job, screen);
  const mappedNames = job.mapping.map(({ target_field: name }) => name);
  const rowFields = new Set(screen.fields.filter((field) => field.rows).map(({ name }) => name));
  const computed = screen.fields
    .filter(
      ({ formula }) =>
        formula !== undefined && ![...rowFields].some((name) => new RegExp(`\\b${name}\\b`).test(formula)),
    )
    .map(({ name }) => name);
  const copied = screen.fields.filter(({ fetch }) => fetch).map(({ name }) => name);
  const defaults = Object.fromEntries(
    screen.fields
      .filter((field) => field.default !== undefined && !field.rows)
      .map((field) => [field.name, field.default]),
  );
  const titles = new Map(screen.fields.map((field) => [field.name, field.title]));
  const plan: ListPlan = {
    inserts: [],
    updates: [],
    unchanged: 0,
    rejected: [],
    missing: [],
    active: [...stored.values()].filter(({ active }) => active).length,
  };
  const good = mapped.filter((item) => item.errors.length === 0);
  const records = good.map((item) => {
    const before = stored.get(keyId(item.key));
    const given = Object.fromEntries(
      Object.entries(item.record).filter(
        ([name, value]) => before !== undefined || value !== null || defaults[name] === undefined,
      ),
    );
    return { ...(before ? before.values : defaults), ...given };
  });
  const before = good.map((item) => stored.get(keyId(item.key))?.values ?? null);
  await engine.followReferences(
    session,
    screen,
    records.map((record, at) => ({ record, stored: before[at] ?? null })),
  );
  engine.validateMany(session, screen, records, before).forEach(({ record, errors }, at) => {
    const item = good[at]!;
    const before = stored.get(keyId(item.key));
    // Child rows do not come from sources: those of a stored record are unchanged.
    const findings = [
      ...(before ? errors.filter(({ field }) => !rowFields.has(field.split('.')[0]!)) : errors),
      ...importStepErrors(screen, before?.values ?? null, record),
    ];
    if (findings.length > 0) {
      item.errors.push(
        ...findings.map(({ field, message }) => `${titles.get(field.split('.')[0]!) ?? field}: ${message}`),
      );
      return;
    }
    if (!before) plan.inserts.push({ item, record });
    else if (job.mode === 'append') plan.unchanged++;
    else {
      const set = changed(screen, before.values, record, [...new Set([...mappedNames, ...computed, ...copied])]);
      const wake = !before.active && job.on_missing === 'deactivate';
      if (Object.keys(set).length === 0 && !wake) plan.unchanged++;
      else plan.updates.push({ item, id: before.id, set, wake });
    }
  });
  await byOwnChecks(engine, session, screen, plan, titles);
  plan.rejected = mapped.filter((item) => item.errors.length > 0);
  if (job.mode === 'full' && job.on_missing === 'deactivate') {
    // A refused row still counts as present in the source.
    const there = new Set(mapped.map(({ key }) => keyId(key)));
    for (const [key, { id, active }] of stored) if (active && !there.has(key)) plan.missing.push({ id, key });
  }
  return plan;
}

/** The changes as text, for a dry run. */
export function listDifferences(plan: ListPlan, max: number): Difference[] {
  const said = (value: unknown) =>
    value === null || value === undefined ? 'empty' : typeof value === 'object' ? JSON.stringify(value) : String(value);
  const words = (set: Row) =>
    Object.entries(set)
      .map(([name, value]) => `${name}: ${said(value)}`)
      .join(', ')
      .slice(0, 1000);
  return [
    ...plan.inserts
      .slice(0, max)
      .map(({ item }): Difference => ({ op: 'insert', key: item.key, detail: words(item.record) })),
    ...plan.updates.slice(0, max).map(({ item, set, wake }): Difference => ({
      op: 'update',
      key: item.key,
      detail: [wake ? 'in use again' : '', words(set)].filter(Boolean).join(', '),
    })),
    ...plan.missing
      .slice(0, max)
      .map(({ key }): Difference => ({ op: 'deactivate', key, detail: 'The source no longer has it.' })),
  ].slice(0, max);
}

/**
 * Writes the plan in the caller's transaction. A row refused by the database, because another key is taken, is added to
 * the rejected ones without affecting the others.
 */
export async function writeList(
  tx: Queryable,
  engine: Engine,
  session: Session,
  screen: Screen,
  plan: ListPlan,
  what: string,
  between: () => Promise<void>,
): Promise<void> {
  const refused = async <T extends { item: Mapped }>(
    items: T[],
    write: (some: T[]) => Promise<unknown>,
  ): Promise<T[]> => {
    const kept: T[] = [];
    for (let from = 0; from < items.length; from += BATCH) {
      await between();
      const batch = items.slice(from, from + BATCH);
      const error = await attempt(tx, () => write(batch));
      if (error === null) {
        kept.push(...batch);
        continue;
      }
      for (const one of batch) {
        const own = await attempt(tx, () => write([one]));
        if (own === null) kept.push(one);
        else {
          one.item.errors.push(own.message);
          plan.rejected.push(one.item);
        }
      }
    }
    return kept;
  };
  plan.inserts = await refused(plan.inserts, (some) =>
    engine.insertMany(
      tx,
      session,
      screen,
      some.map(({ record }) => record),
      what,
    ),
  );
  plan.updates = await refused(plan.updates, async (some) => {
    await engine.updateMany(
      tx,
      session,
      screen,
      some.filter(({ set }) => Object.keys(set).length > 0).map(({ id, set }) => ({ id, set })),
      what,
    );
    await setActive(
      tx,
      session,
      screen,
      some.filter(({ wake }) => wake).map(({ id }) => id),
      true,
      what,
    );
  });
  await between();
  await setActive(
    tx,
    session,
    screen,
    plan.missing.map(({ id }) => id),
    false,
    what,
  );
}

async function attempt(tx: Queryable, work: () => Promise<unknown>): Promise<AppError | null> {
  await tx.query('savepoint some_rows');
  try {
    await work();
    await tx.query('release savepoint some_rows');
    return null;
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error;
    await tx.query('rollback to savepoint some_rows');
    return error;
  }
}

async function setActive(
  tx: Queryable,
  session: Session,
  screen: Screen,
  ids: number[],
  active: boolean,
  what: string,
): Promise<void> {
  if (ids.length === 0) return;
  const company = screen.scope === 'entity' ? 'entity_id' : 'null::bigint as entity_id';
  await tx.query(
    `with r as (update ${tableName(session.tenant.schema, screen.name)} set active = $2, version = version + 1, updated_at = now(), updated_by = $3
       where id = any($1) and active <> $2 returning id, version, ${company})
     insert into ${quoted(session.tenant.schema)}.history (record_type, record_id, entity_id, version, op, by, what, change)
       select $4, r.id, r.entity_id, r.version, $5, $3, $6, $7::jsonb from r`,
    [ids, active, session.userId, screen.name, active ? 'A' : 'X', what, JSON.stringify({ active: [!active, active] })],
  );
  await (active ? writeEntries : removeEntries)(tx, session.tenant.schema, screen, ids);
  await announceChange(tx, session.tenant.schema, screen);
  await queueWebhooks(
    tx,
    session.tenant.schema,
    ids.map((id) => [screen.name, id]),
  );
}

/** All records of the list, by natural key; for duplicate keys the first in the list's own order. */
async function storedRecords(
  { tenant, entityId }: Session,
  job: SyncJob,
  screen: Screen,
): Promise<Map<string, Stored>> {
  const fields = columnFields(screen.fields).filter(
    (field) => !field.secret && !field.masked && field.visible === undefined,
  );
  const keys = job.natural_key
    .map((name) => fields.find((field) => field.name === name))
    .filter((field): field is Field => field !== undefined);
  const labels = keys.map(
    (field) =>
      (field.ref
        ? `(select r.code from ${tableName(tenant.schema, field.ref.type)} r where r.id = t.${quoted(field.name)})`
        : 'null') + ` as ${quoted(`key ${field.name}`)}`,
  );
  const rows = await tenant.db.query<Row & { id: number; active: boolean }>(
    `select t.id, t.active, ${[...fields.map((field) => `${columnSql(field, 't')} as ${quoted(field.name)}`), ...labels].join(', ')}
     from ${tableName(tenant.schema, screen.name)} t ${screen.scope === 'entity' ? 'where t.entity_id = $1' : ''} order by t.active, t.id desc`,
    screen.scope === 'entity' ? [entityId] : [],
  );
  return new Map(
    rows.map(({ id, active, ...values }) => {
      const record = Object.fromEntries(fields.map(({ name }) => [name, values[name]]));
      const named = {
        ...record,
        ...Object.fromEntries(keys.filter((field) => field.ref).map(({ name }) => [name, values[`key ${name}`]])),
      };
      return [keyId(keyOf(job, named)), { id, active, values: record }];
    }),
  );
}

/** The differences in the fields of the source and the fields computed from them. */
function changed(screen: Screen, before: Row, after: Row, names: string[]): Row {
  const set: Row = {};
  for (const name of new Set(names)) {
    const field = screen.fields.find((one) => one.name === name);
    if (!field || field.rows) continue;
    const [from, to] = [before[name] ?? null, after[name] ?? null];
    if (!same(field, from, to)) set[name] = to;
  }
  return set;
}

function same(field: Field, from: unknown, to: unknown): boolean {
  if (from === null || to === null) return from === to;
  if (fieldType(field.type).can.exact) return new Decimal(String(from)).equals(new Decimal(String(to)));
  if (field.type === 'datetime') return Date.parse(String(from)) === Date.parse(String(to));
  return JSON.stringify(from) === JSON.stringify(to);
}
