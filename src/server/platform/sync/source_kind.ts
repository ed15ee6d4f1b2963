import type { Tenant } from '../../db/tenant.ts';
import { AppError } from '../../db/errors.ts';
import type { FileStore } from '../../services/files/store.ts';
import type { LimitedReading } from '../../engine/excel/limited_reading.ts';
import type { SourceReach } from './source_address.ts';

/** A web service that returns JSON. */
export interface JsonSource {
  url: string | null;
  /** The path of the rows in the response, e.g. `data.items`; empty = the response itself, or its `data`. */
  rows_at: string | null;
  /** The path of the next page's address; empty = a single page. */
  next_at: string | null;
  headers: { name: string; value: string | null }[];
  statement_timeout_s: number | null;
  private_network: boolean | null;
}

/** A row of `sync_source`, its secrets included. */
export interface SourceRow extends JsonSource {
  id: number;
  name: string;
  kind: 'postgres' | 'mysql' | 'mssql' | 'oracle' | 'http_json' | 'sftp_file' | 'upload_file';
  file: number | null;
  sample: string | null;
  host: string | null;
  /** Empty = the kind's own. */
  port: number | null;
  /** For Oracle the service name. */
  database_name: string | null;
  username: string | null;
  password: string | null;
  ssl: 'require' | 'prefer' | 'off' | null;
  private_key: string | null;
  /** SHA-256 fingerprint of an SFTP server's host key. */
  host_key: string | null;
  folder: string | null;
}

export interface RawRow {
  /** Position in the file, or in the query's result. */
  row: number;
  cells: Record<string, unknown>;
  /** The errors of unreadable cells, by column. */
  faults?: Record<string, string>;
}

/** A source that answers. */
export interface OpenSource {
  /** Columns with the type of their values; unknown for files. */
  columns: { name: string; type: string }[];
  /** There is no row from which the columns could be inferred. */
  empty?: boolean;
  /** Rows before `from` are already left out. */
  sifted?: boolean;
  /** A note for the log of the run. */
  notes?: string[];
  /** All rows, in parts. */
  rows(): AsyncIterable<RawRow[]>;
  /** Closes the connection, also while it is being awaited: `rows` then fails. Never throws. */
  close(): Promise<void>;
}

/** The starting point: rows whose column is at least this. */
export interface From {
  column: string;
  value: string | null;
  overlapMinutes: number;
}

/** A job's request to a source. */
export interface Asked {
  /** For databases: one SELECT. */
  query: string | null;
  /** For folders: the file name pattern, e.g. stock_*.csv. */
  filePattern: string | null;
  from: From | null;
}

export interface SourceDeps extends SourceReach {
  files: FileStore;
  /** Sample files of the product. */
  samplesDir: string;
  /** Reads files in an isolated process. */
  reading: LimitedReading;
  /** Largest file in bytes, as for uploads. */
  maxFileBytes: number;
}

/** How sources of one kind are read. Driver errors are passed through; `explain` converts them to messages. */
export interface SourceKind {
  /** Opens a source for reading. @throws AppError with what to correct, or the driver's own error */
  open(deps: SourceDeps, tenant: Tenant, source: SourceRow, asked: Asked): Promise<OpenSource>;
  /** The content shown by a test, at most 200 entries: tables, files. Absent: the columns. */
  contents?(deps: SourceDeps, source: SourceRow): Promise<string[]>;
  /** A driver's error in plain words; null = no better message than its own. */
  explain?(error: DriverError, source: SourceRow): string | null;
}

/** The properties that drivers add to errors, all optional. */
export interface DriverError extends Error {
  code?: string;
  /** MySQL. */
  errno?: number;
  sqlMessage?: string;
  /** SQL Server. */
  number?: number;
  /** Oracle. */
  errorNum?: number;
}

/** The default port of a kind of server. */
export const PORTS = { postgres: 5432, mysql: 3306, mssql: 1433, oracle: 1521, sftp_file: 22 } as const;

/** The time-out of a statement in seconds. */
export const secondsOf = (source: SourceRow): number => source.statement_timeout_s ?? 300;

/** A refusal with the field to correct. */
export function refusal(field: string, message: string): AppError {
  return new AppError(422, 'invalid', message, { field, details: [{ field, message }] });
}

/** The change column of a job, among the existing ones. @throws AppError 422 if it does not exist */
export function cursorColumn<T extends { name: string }>(columns: T[], from: From | null): T | null {
  if (!from) return null;
  const column = columns.find(({ name }) => name === from.column);
  if (!column) throw new AppError(422, 'invalid', `Column ${from.column} is missing in the source`);
  return column;
}

/** The last value read cannot be compared with the column's current type. */
export function unfit({ column, value }: From, type: string): AppError {
  return new AppError(
    422,
    'invalid',
    `Column ${column} is ${type} in the source; the stored position "${value}" does not fit it. Choose another column, or read everything.`,
  );
}
