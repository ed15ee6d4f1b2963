import type { Tenant } from '../../db/tenant.ts';
import type { Queryable } from '../../db/database.ts';
import { quoted, tableName } from '../../db/names.ts';
import type { Counts, Difference, Mapped, SyncJob } from './job.ts';
import { keyId } from './mapping.ts';
import { storeQuestions } from '../analytics/collection_questions.ts';

const BATCH = 5_000;

/** Counts the rows in a collection that the source no longer has. */
export interface CollectionPlan {
  rejected: Mapped[];
  good: Mapped[];
  missing: string[];
  active: number;
}

/** Compares rows with those of the collection. Nothing is written. */
export async function planCollection({ db, schema }: Tenant, job: SyncJob, mapped: Mapped[]): Promise<CollectionPlan> {
  const rows = await db.query<{ key: string }>(
    `select key from ${quoted(schema)}.collection_row where collection_id = $1`,
    [job.collection_id],
  );
  const there = new Set(mapped.map(({ key }) => keyId(key)));
  return {
    rejected: mapped.filter(({ errors }) => errors.length > 0),
    good: mapped.filter(({ errors }) => errors.length === 0),
    missing:
      job.mode === 'full' && job.on_missing === 'deactivate'
        ? rows.flatMap(({ key }) => (there.has(key) ? [] : [key]))
        : [],
    active: rows.length,
  };
}

/** Writes rows by key; unchanged ones are skipped. @returns the counts, and the first differences */
export async function writeCollection(
  tx: Queryable,
  { schema }: Tenant,
  job: SyncJob,
  plan: CollectionPlan,
  max: number,
  between: () => Promise<void>,
): Promise<{ counts: Pick<Counts, 'inserted' | 'updated' | 'unchanged' | 'deactivated'>; differences: Difference[] }> {
  const table = `${quoted(schema)}.collection_row`;
  const counts = { inserted: 0, updated: 0, unchanged: 0, deactivated: 0 };
  const differences: Difference[] = [];
  const places = await placesOf(tx, schema, job.company_id);
  for (let from = 0; from < plan.good.length; from += BATCH) {
    await between();
    const batch = plan.good.slice(from, from + BATCH).map(({ key, record }) => ({
      key: keyId(key),
      entity_id: job.company_id,
      branch_id: places.branches.get(String(record.branch_code ?? '').toLowerCase()) ?? null,
      employee_id: places.people.get(String(record.empno ?? '').toLowerCase()) ?? null,
      data: record,
    }));
    const rows = await tx.query<{ key: string; made: boolean }>(
      `insert into ${table} as c (collection_id, key, entity_id, branch_id, employee_id, data)
       select $1, x.key, x.entity_id, x.branch_id, x.employee_id, x.data from jsonb_to_recordset($2::jsonb) x(key text, entity_id bigint, branch_id bigint, employee_id bigint, data jsonb)
       on conflict (collection_id, key) do ${
         job.mode === 'append'
           ? 'nothing'
           : `update set data = excluded.data, entity_id = excluded.entity_id, branch_id = excluded.branch_id, employee_id = excluded.employee_id
         where (c.data, c.entity_id, c.branch_id, c.employee_id) is distinct from (excluded.data, excluded.entity_id, excluded.branch_id, excluded.employee_id)`
       }
       returning key, xmax = 0 as made`,
      [job.collection_id, JSON.stringify(batch)],
    );
    const inserted = rows.filter(({ made }) => made).length;
    counts.inserted += inserted;
    counts.updated += rows.length - inserted;
    counts.unchanged += batch.length - rows.length;
    for (const { key, made } of rows.slice(0, Math.max(0, max - differences.length)))
      differences.push({
        op: made ? 'insert' : 'update',
        key,
        detail: JSON.stringify(batch.find((row) => row.key === key)?.data).slice(0, 1000),
      });
  }
  if (plan.missing.length > 0) {
    counts.deactivated = (
      await tx.query(`delete from ${table} where collection_id = $1 and key = any($2) returning 1`, [
        job.collection_id,
        plan.missing,
      ])
    ).length;
    for (const key of plan.missing.slice(0, Math.max(0, max - differences.length)))
      differences.push({ op: 'deactivate', key, detail: 'The source no longer has it.' });
  }
  await tx.query(
    `update ${tableName(schema, 'analytics_collection')} set row_count = (select count(*) from ${table} where collection_id = $1), last_run_at = now(), state = 'idle', error = null where id = $1`,
    [job.collection_id],
  );
  await storeQuestions(tx, schema, job.collection_id!);
  return { counts, differences };
}

/** Branches by code and people by number, so that a collection's rows are subject to the same rights as records. */
async function placesOf(
  db: Queryable,
  schema: string,
  company: number | null,
): Promise<{ branches: Map<string, number>; people: Map<string, number> }> {
  const [branches, people] = await Promise.all(
    [
      ['branch', 'code'],
      ['employee', 'empno'],
    ].map(async ([type, column]) => {
      const [table] = await db.query<{ there: boolean }>('select to_regclass($1) is not null as there', [
        tableName(schema, type!),
      ]);
      const rows = table?.there
        ? await db.query<{ key: string; id: number }>(
            `select lower(${quoted(column!)}) as key, id from ${tableName(schema, type!)} where $1::bigint is null or entity_id = $1`,
            [company],
          )
        : [];
      return new Map(rows.map(({ key, id }) => [key, id]));
    }),
  );
  return { branches: branches!, people: people! };
}
