import { setTimeout as sleep } from 'node:timers/promises';
import type { PoolClient } from 'pg';
import type { Database, Queryable } from './database.ts';
import { quoted } from './names.ts';
import type { Concerned } from './misfits.ts';
import type { Change } from './change.ts';

export interface Refusal {
  change: Change;
  reason: string;
  /** Rows that would lose data; null = the database refused for another reason. */
  affected: number | null;
  /** Some of these rows, by label. */
  examples: string[];
  /** What to do, e.g. the command that applies it on purpose. */
  command: string | null;
}
export interface Applied {
  applied: Change[];
  refused: Refusal[];
}
export interface ApplyOptions {
  /** `<type>.<field>` or `<type>` of destructive changes to apply on purpose. */
  allowDestructive?: ReadonlySet<string>;
}

type Transaction = Queryable & { client: PoolClient };

/** The name of a change on the command line. */
export function changeName(change: Change): string {
  return change.field === '' ? change.type : `${change.type}.${change.field}`;
}

/** Serialises schema changes of one schema among all processes; held until the transaction ends. */
export async function lockSchema(tx: Queryable, schema: string): Promise<void> {
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`mainstay:${schema}`]);
}

/**
 * Runs work that alters tables: exclusively in its schema, and never waiting longer than half a second for a table,
 * because everybody else would queue behind it. Busy tables are retried for a minute.
 */
export async function alterSchema<T>(db: Database, schema: string, work: (tx: Transaction) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.owner.transaction(async (tx) => {
        await lockSchema(tx, schema);
        await tx.query(`set local lock_timeout = '500ms'`);
        return work(tx);
      });
    } catch (error) {
      const code = (error as { code?: string }).code;
      if ((code !== '55P03' && code !== '40P01') || attempt === 60) throw error;
      await sleep(100 + Math.random() * 400);
    }
  }
}

/** Applies a plan: safe changes at once, destructive ones only if named in `allowDestructive`. */
export async function applyPlan(
  db: Database,
  schema: string,
  changes: Change[],
  options: ApplyOptions = {},
): Promise<Applied> {
  const result = await alterSchema(db, schema, (tx) => applyInTransaction(tx, changes, options));
  await applyConcurrently(db, schema, changes, result);
  return result;
}

/** The part of a plan that runs in one transaction. */
export async function applyInTransaction(tx: Transaction, changes: Change[], options: ApplyOptions): Promise<Applied> {
  const result: Applied = { applied: [], refused: [] };
  const undone = new Set<Change>();
  for (const change of changes) {
    if (change.concurrently) continue;
    if (change.after && undone.has(change.after)) {
      undone.add(change);
      continue;
    }
    if (!(await tried(tx, change, () => attempt(tx, change, options, result), result))) undone.add(change);
  }
  return result;

  async function attempt(
    on: Queryable,
    change: Change,
    { allowDestructive }: ApplyOptions,
    into: Applied,
  ): Promise<boolean> {
    const purpose = change.destructive?.command === undefined && allowDestructive?.has(changeName(change)) === true;
    const refusal = change.destructive ? await weigh(on, change) : null;
    if (refusal === null || purpose) {
      const sql = refusal !== null && change.onPurpose ? change.onPurpose : change.sql;
      for (const statement of sql) await on.query(statement);
      await change.follow?.(on);
      into.applied.push(change);
      return true;
    }
    const relax = change.destructive?.relax;
    const found = relax ? (await on.query<{ value: string }>(relax.find)).map(({ value }) => value) : [];
    for (const statement of relax ? relax.sql(found) : (change.destructive?.meanwhile ?? [])) await on.query(statement);
    into.refused.push(refusal);
    return false;
  }
}

/** Null if nothing would be lost. */
export async function weigh(on: Queryable, change: Change): Promise<Refusal | null> {
  if (!change.destructive) return null;
  const { affected, examples } = await concerned(on, change.destructive);
  if (affected === 0 && !change.destructive.always) return null;
  return {
    change,
    affected,
    examples,
    reason: change.destructive.reason,
    command:
      change.destructive.command ?? `On purpose: npm run schema:plan -- --apply-destructive ${changeName(change)}`,
  };
}

async function concerned(on: Queryable, { count, examples }: NonNullable<Change['destructive']>): Promise<Concerned> {
  if (typeof count !== 'string') return count(on);
  const [row] = await on.query<{ n: number }>(count);
  const affected = Number(row?.n ?? 0);
  const rows = affected > 0 && examples ? await on.query<{ who: string }>(examples) : [];
  return { affected, examples: rows.map(({ who }) => who) };
}

/** One change in a savepoint: a change that the data does not allow is reported, and does not stop the others. */
async function tried(tx: Transaction, change: Change, work: () => Promise<boolean>, result: Applied): Promise<boolean> {
  await tx.query('savepoint change');
  try {
    const done = await work();
    await tx.query('release savepoint change');
    return done;
  } catch (error) {
    const { code } = error as { code?: string };
    // Not handled here: a busy table, a lost connection, a new table that cannot be created.
    if (code === undefined || code === '55P03' || code === '40P01' || change.what.startsWith('create table'))
      throw error;
    await tx.query('rollback to savepoint change');
    result.refused.push(unforeseen(change, code));
    return false;
  }
}

/** Indexes of large tables, built without blocking writers. */
export async function applyConcurrently(
  db: Database,
  schema: string,
  changes: Change[],
  result: Applied,
): Promise<void> {
  const pending = changes.filter(
    (change) => change.concurrently && !result.refused.some((one) => one.change === change.after),
  );
  if (pending.length === 0) return;
  const client = await db.owner.connect();
  const on: Queryable = { query: async <T>(statement: unknown) => (await client.query(String(statement))).rows as T[] };
  try {
    // The lock is tried, never waited for: a waiting process would itself block the index.
    const key = `hashtextextended('mainstay:indexes:${schema}', 0)`;
    const [lock] = await on.query<{ mine: boolean }>(`select pg_try_advisory_lock(${key}) as mine`);
    if (!lock?.mine) return;
    for (const change of pending) {
      const refusal = await weigh(on, change);
      if (refusal) {
        result.refused.push(refusal);
        continue;
      }
      try {
        for (const statement of change.sql) await on.query(statement);
        result.applied.push(change);
      } catch (error) {
        result.refused.push(unforeseen(change, (error as { code?: string }).code));
        const name = /index concurrently ("(?:[^"]|"")+")/.exec(change.sql[0] ?? '')?.[1];
        if (name) await on.query(`drop index if exists ${quoted(schema)}.${name}`);
      }
    }
    await on.query(`select pg_advisory_unlock(${key})`);
  } finally {
    client.release();
  }
}

/** A refusal by the database although no affected rows were found beforehand; `code` is its error code. */
function unforeseen(change: Change, code: string | undefined): Refusal {
  return {
    change,
    reason: `the rows that are there do not allow it, or were changed meanwhile (database error ${code ?? 'unknown'})`,
    affected: null,
    examples: [],
    command: null,
  };
}

/** Why, of how many rows, and some of them: `rows without Speed are there (4 rows, such as KONE; OTIS; ZEN)`. */
export function reasonOf({ reason, affected, examples }: Pick<Refusal, 'reason' | 'affected' | 'examples'>): string {
  const rows = affected === null ? '' : `${affected} ${affected === 1 ? 'row' : 'rows'}`;
  const such = examples.length > 0 ? `, such as ${examples.join('; ')}` : '';
  return rows === '' ? reason : `${reason} (${rows}${such})`;
}

/** One line about a refused change, for people. */
export function describeRefusal(refusal: Refusal): string {
  const { change, command } = refusal;
  return `${change.what}: not done, ${reasonOf(refusal)}.${command ? ` ${command}` : ''}`;
}
