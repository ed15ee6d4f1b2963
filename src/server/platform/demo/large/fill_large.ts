import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Screen } from '../../../../descriptor/types.ts';
import type { Queryable } from '../../../db/database.ts';
import { quoted, tableName } from '../../../db/names.ts';
import type { Tenant } from '../../../db/tenant.ts';
import { ensureTables } from '../../../db/tenants.ts';
import { FY_FUNCTION, statementsIn, typesIn } from '../demo_statements.ts';

/** The amount of data and its day; `years` of history end on the day before `today`. */
export interface LargeSize {
  lifts: number;
  customers: number;
  technicians: number;
  years: number;
  today: string;
}

/** The statements in their order; in them `{billing.lines}` stands for a table. */
const PARTS = ['places', 'contracts', 'money', 'visits', 'stock'] as const;

type Made = { table: string; rows: number };

/**
 * Fills the first company of a client that has the demo's masters with a large lift company: contracts renewed every
 * year, planned bills, bills with GST, receipts with TDS, visits, tickets, and parts by the stock ledger. It runs
 * statements in one transaction that need little memory: foreign keys and indexes are dropped before and created again
 * after, so that the database checks every reference. The same size and day create the same rows.
 * @returns the tables with their number of rows
 * @throws Error if it was filled before, because rows would be duplicated
 */
export async function fillLarge(
  tenant: Tenant,
  screens: ReadonlyMap<string, Screen>,
  size: LargeSize,
  log: (text: string) => void = () => undefined,
): Promise<Made[]> {
  const texts = PARTS.map((part) => readFileSync(join(import.meta.dirname, `${part}.sql`), 'utf8'));
  await ensureTables(tenant, screens, new Set(texts.flatMap(typesIn)));
  const named = (type: string, rows?: string) =>
    tableName(tenant.schema, rows === undefined ? type : `${type}__${rows}`);
  const filled = [
    ...new Set(
      texts.flatMap((text) =>
        [...text.matchAll(/insert into \{(\w+)(?:\.(\w+))?\}/g)].map(([, type, rows]) => named(type!, rows)),
      ),
    ),
  ];
  const made: Made[] = [];
  await tenant.db.owner.transaction(async (tx) => {
    await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`${tenant.schema}:demo`]);
    const [there] = await tx.query(`select 1 from ${named('customer_dtl')} where customer_no like 'CUH/%' limit 1`);
    if (there) throw new Error(`${tenant.name} has the large history already.`);
    await tx.query(`set local work_mem = '64MB'`);
    await tx.query(`set local maintenance_work_mem = '256MB'`);
    await tx.query(FY_FUNCTION);
    await tx.query(
      `create temp table size on commit drop as select $1::bigint as lifts, $2::bigint as customers, $3::bigint as technicians, $4::int as years, $5::date as today,
         $6::text as zone, (select min(id) from ${named('entity')}) as company`,
      [size.lifts, size.customers, size.technicians, size.years, size.today, tenant.timezone],
    );
    const again = await takeDownFreely(tx, filled);
    for (const [at, text] of texts.entries()) {
      const from = performance.now();
      for (const one of statementsIn(text, tenant.schema)) {
        const { rowCount } = await tx.client.query(one).catch((error: Error) => {
          throw new Error(`${error.message}: ${one.trim().slice(0, 200)}`);
        });
        const table = /insert into (\S+)/.exec(one)?.[1];
        if (table) made.push({ table, rows: rowCount ?? 0 });
      }
      log(`${PARTS[at]!}: ${((performance.now() - from) / 1000).toFixed(1)} s`);
    }
    const from = performance.now();
    for (const one of again) await tx.query(one);
    // Statistics for the jobs that read these tables next.
    for (const table of filled) await tx.query(`analyze ${table}`);
    for (const table of filled)
      await tx.query(
        `select setval(pg_get_serial_sequence($1, 'id'), (select max(id) from ${table})) where (select max(id) from ${table}) is not null`,
        [table],
      );
    log(`indexes and references: ${((performance.now() - from) / 1000).toFixed(1)} s`);
  });
  for (const table of filled) await tenant.db.owner.query(`vacuum analyze ${table}`);
  return made;
}

/** Takes down the keys and indexes of tables that others may be reading: after a deadlock it begins again. */
async function takeDownFreely(tx: Queryable, tables: readonly string[]): Promise<string[]> {
  await tx.query('savepoint before_take_down');
  for (let attempt = 1; ; attempt++)
    try {
      return await takeDown(tx, tables);
    } catch (error) {
      if ((error as { code?: string }).code !== '40P01' || attempt === 20) throw error;
      await tx.query('rollback to savepoint before_take_down');
    }
}

/**
 * Drops the foreign keys of tables and the indexes without a constraint.
 * @returns the statements that create them again
 */
async function takeDown(tx: Queryable, tables: readonly string[]): Promise<string[]> {
  const keys = await tx.query<{ of: string; name: string; text: string }>(
    `select k.conrelid::regclass::text as of, k.conname as name, pg_get_constraintdef(k.oid) as text
     from pg_constraint k where k.contype = 'f' and k.conrelid = any($1::regclass[])`,
    [tables],
  );
  const indexes = await tx.query<{ name: string; text: string }>(
    `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as text from pg_index i
     where i.indrelid = any($1::regclass[]) and not exists (select 1 from pg_constraint k where k.conindid = i.indexrelid)`,
    [tables],
  );
  for (const { of, name } of keys) await tx.query(`alter table ${of} drop constraint ${quoted(name)}`);
  for (const { name } of indexes) await tx.query(`drop index ${name}`);
  return [
    ...indexes.map(({ text }) => text),
    ...keys.map(({ of, name, text }) => `alter table ${of} add constraint ${quoted(name)} ${text}`),
  ];
}
