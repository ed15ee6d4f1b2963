import type { PoolClient } from 'pg';

/** A statement: `name` (a short hash of the text) makes it a prepared statement. */
export interface Statement {
  text: string;
  values?: unknown[];
  name?: string;
  /** It is a whole by itself and may share a transaction with others: where many come at once, they go together. */
  shares?: boolean;
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
  /** The same database as whoever made its tables: for what changes tables, and for the platform's own. Of the platform's it is itself. */
  readonly owner: Database;
  /**
   * The same on two connections of their own, for a short statement that is committed at once in the midst of a
   * transaction: whoever holds a connection must not wait for a second one of the same pool.
   */
  readonly aside: Queryable;
  /** The same database with the rights of one client alone, on its schema and nothing else. */
  of(schema: string): Database;
  /** A connection of its own, until it is released. */
  connect(): Promise<PoolClient>;
  /** Runs `work` in BEGIN … COMMIT on one connection; rolls back and rethrows on error. */
  transaction<T>(work: (tx: Queryable & { client: PoolClient }) => Promise<T>): Promise<T>;
  /** How its connections are used at the moment. */
  load(): { connections: number; idle: number; waiting: number };
  close(): Promise<void>;
}
