import type { Tenant } from '../../db/tenant.ts';
import { AppError } from '../../db/errors.ts';
import type { FileStore } from '../../services/files/store.ts';
import type { LimitedReading } from '../../engine/excel/limited_reading.ts';
import type { SourceReach } from './source_address.ts';

/** A web service that answers in JSON. */
export interface JsonSource {
  url: string | null;
  /** Where the rows are in the answer, as `data.items`; empty = the answer is the list, or has it as `data`. */
  rows_at: string | null;
  /** Where the address of the next page is; empty = there is one page. */
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
  /** Of Oracle the name of the service. */
  database_name: string | null;
  username: string | null;
  password: string | null;
  ssl: 'require' | 'prefer' | 'off' | null;
  private_key: string | null;
  /** SHA256:… of the key by which an SFTP server shows that it is the one. */
  host_key: string | null;
  folder: string | null;
}

export interface RawRow {
  /** In the file, or in the order of the query. */
  row: number;
  cells: Record<string, unknown>;
  /** What is wrong with cells that cannot be read, by column. */
  faults?: Record<string, string>;
}

/** A source that answers. */
export interface OpenSource {
  /** Columns with the kind of value each holds; of files the kind is not known. */
  columns: { name: string; type: string }[];
  /** There is no row that would say which columns there are. */
  empty?: boolean;
  /** Rows before `from` are left out already. */
  sifted?: boolean;
  /** What is worth a line in the log of the run. */
  notes?: string[];
  /** All rows, some at a time. */
  rows(): AsyncIterable<RawRow[]>;
  /** Ends the connection, also one that is being waited for: `rows` fails then. Never throws. */
  close(): Promise<void>;
}

/** Where to begin: rows whose column is at least this. */
export interface From {
  column: string;
  value: string | null;
  overlapMinutes: number;
}

/** What a job wants of a source. */
export interface Asked {
  /** Of databases: one SELECT. */
  query: string | null;
  /** Of folders: which file, as stock_*.csv. */
  filePattern: string | null;
  from: From | null;
}

export interface SourceDeps extends SourceReach {
  files: FileStore;
  /** Files that come with the product. */
  samplesDir: string;
  /** Reads files where they can do no harm. */
  reading: LimitedReading;
  /** Largest file in bytes, as for uploads. */
  maxFileBytes: number;
}

/** How sources of one kind are read. Their drivers' errors pass through as they are; `explain` puts them into words. */
export interface SourceKind {
  /** Opens a source for reading alone. @throws AppError with what to correct, or the driver's own error */
  open(deps: SourceDeps, tenant: Tenant, source: SourceRow, asked: Asked): Promise<OpenSource>;
  /** What a test shows, most 200: tables, files. Without it: the columns. */
  contents?(deps: SourceDeps, source: SourceRow): Promise<string[]>;
  /** A driver's error in plain words; null = no better ones than its own. */
  explain?(error: DriverError, source: SourceRow): string | null;
}

/** The parts of an error that drivers give, each some of them. */
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

/** The port at which a kind of server listens unless set otherwise. */
export const PORTS = { postgres: 5432, mysql: 3306, mssql: 1433, oracle: 1521, sftp_file: 22 } as const;

/** Seconds that a statement may take. */
export const secondsOf = (source: SourceRow): number => source.statement_timeout_s ?? 300;

/** A refusal that names the field to correct. */
export function refusal(field: string, message: string): AppError {
  return new AppError(422, 'invalid', message, { field, details: [{ field, message }] });
}

/** The column that a job goes by, of those there are. @throws AppError 422 when it is not among them */
export function cursorColumn<T extends { name: string }>(columns: T[], from: From | null): T | null {
  if (!from) return null;
  const column = columns.find(({ name }) => name === from.column);
  if (!column) throw new AppError(422, 'invalid', `Column ${from.column} is missing in the source`);
  return column;
}

/** What was read last cannot be compared with the column as it is now. */
export function unfit({ column, value }: From, type: string): AppError {
  return new AppError(
    422,
    'invalid',
    `Column ${column} is ${type} in the source; what was read up to, "${value}", is none. Choose another column, or read everything.`,
  );
}
