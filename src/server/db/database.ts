import type { Pool, PoolClient } from 'pg';

/** A statement: `name` (a short hash of the text) makes it a prepared statement. */
export interface Statement {
  text: string;
  values?: unknown[];
  name?: string;
}

/** Anything that runs a statement: the pool, or one connection inside a transaction. */
export interface Queryable {
  /** Rows of one statement. bigint comes as number, numeric, date and timestamps as text. */
  query<T = Record<string, unknown>>(statement: Statement | string, values?: unknown[]): Promise<T[]>;
}

/** One PostgreSQL database with its pool. */
export interface Database extends Queryable {
  /** Key in the tenant directory (`public.tenant_database.name`); "main" for the platform's own. */
  readonly name: string;
  readonly url: string;
  readonly pool: Pool;
  /** Runs `work` in BEGIN … COMMIT on one connection; rolls back and rethrows on error. */
  transaction<T>(work: (tx: Queryable & { client: PoolClient }) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}
