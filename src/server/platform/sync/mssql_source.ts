import type { Socket } from 'node:net';
import { connect as dial } from 'node:net';
import type { Connection, ConnectionConfiguration } from 'tedious';
import { AppError } from '../../db/errors.ts';
import { loadDriver } from './driver.ts';
import { readingFrom } from './one_select.ts';
import { numbered, SLICE } from './row_slices.ts';
import { addressOf, checkedAddress, reachOf } from './source_address.ts';
import type { Asked, DriverError, From, OpenSource, SourceDeps, SourceKind, SourceRow } from './source_kind.ts';
import { cursorColumn, PORTS, secondsOf, unfit } from './source_kind.ts';
import {
  CONNECT_MS,
  NOT_ENCRYPTED,
  TOO_SLOW,
  WRONG_PASSWORD,
  networkMessage,
  noAnswer,
  noMore,
  signingIn,
} from './source_messages.ts';

/** Microsoft SQL Server and Azure SQL. */
export const mssqlSource: SourceKind = {
  open: (deps, _tenant, source, asked) => open(deps, source, asked),
  contents: tables,
  explain(error, source) {
    for (const one of causes(error)) {
      if (one instanceof AppError) return one.message;
      const { code, number, message } = one;
      if (number === 18456 || message.startsWith('Login failed for user')) return WRONG_PASSWORD;
      if (number === 4060 || message.startsWith('Cannot open database'))
        return `There is no database "${source.database_name ?? ''}" on the server, or the account may not open it.`;
      if (code === 'ETIMEOUT') return message.startsWith('Failed to connect') ? noAnswer(source) : TOO_SLOW;
      if (code === 'EENCRYPT')
        return /requires encryption/.test(message)
          ? 'The server insists on encryption. Choose "Always" under Encryption.'
          : NOT_ENCRYPTED;
      if (code === 'ECLOSE') return noMore(source);
      const words = networkMessage(one, source);
      if (words !== null) return words;
    }
    return null;
  },
};

/** The chain of an error's causes, the root cause first. */
function causes(error: DriverError): DriverError[] {
  const inner = [
    ...(error instanceof AggregateError ? (error.errors as DriverError[]) : []),
    ...(error.cause instanceof Error ? [error.cause as DriverError] : []),
  ];
  return [...inner.flatMap(causes), error];
}

/** A column as described by the server. */
interface Column {
  colName: string;
  type: { name: string };
  dataLength?: number | undefined;
}

const SIZED: Record<string, Record<number, string>> = {
  IntN: { 1: 'tinyint', 2: 'smallint', 4: 'int', 8: 'bigint' },
  FloatN: { 4: 'real', 8: 'float' },
  MoneyN: { 4: 'smallmoney', 8: 'money' },
  DateTimeN: { 4: 'smalldatetime', 8: 'datetime' },
};

/** The server's name of a column type: "int", "decimal", "datetime2". */
export function mssqlType({ type, dataLength = 0 }: Column): string {
  return SIZED[type.name]?.[dataLength] ?? type.name.replace(/^(Bit|Decimal|Numeric)N$/, '$1').toLowerCase();
}

const quoted = (name: string): string => `[${name.replaceAll(']', ']]')}]`;

/**
 * The columns to select: values that the driver would convert to a float or a local time are converted to text by the
 * server, exactly and in UTC.
 */
export function mssqlColumns(columns: OpenSource['columns']): string {
  return columns
    .map(({ name, type }) => {
      const text = asText(quoted(name), type);
      return text === null ? quoted(name) : `${text} as ${quoted(name)}`;
    })
    .join(', ');
}

function asText(column: string, type: string): string | null {
  switch (type) {
    case 'decimal':
    case 'numeric':
      return `convert(varchar(50), ${column})`;
    case 'money':
    case 'smallmoney':
      return `convert(varchar(50), ${column}, 2)`;
    case 'date':
      return `convert(varchar(10), ${column}, 23)`;
    case 'datetime':
    case 'smalldatetime':
    case 'datetime2':
      return `convert(varchar(30), ${column}, 126)`;
    case 'datetimeoffset':
      return `convert(varchar(40), switchoffset(${column}, '+00:00'), 127)`;
    case 'time':
      return `convert(varchar(8), ${column}, 108)`;
    case 'binary':
    case 'varbinary':
    case 'image':
    case 'timestamp':
      return `convert(varchar(max), convert(varbinary(max), ${column}), 2)`;
    case 'xml':
      return `convert(nvarchar(max), ${column})`;
    case 'variant':
      return `convert(nvarchar(4000), ${column})`;
    default:
      return null;
  }
}

/** A value from the driver in the form used by jobs. */
export function mssqlValue(type: string, value: unknown): unknown {
  if (value === null || value === undefined) return null;
  if (Buffer.isBuffer(value)) return value.toString('hex');
  const text = String(value);
  if (type === 'bigint') return Number.isSafeInteger(Number(text)) ? Number(text) : text;
  return type === 'time' ? text.replace(/^(\d\d:\d\d):00$/, '$1') : value;
}

/** The condition that continues where the last run ended, slightly earlier if that is a time. */
export function mssqlRest(from: From, type: string): string {
  const order = ` order by ${quoted(from.column)}`;
  return from.value === null ? order : ` where ${quoted(from.column)} >= ${beginning(from, from.value, type)}${order}`;
}

function beginning(from: From, value: string, type: string): string {
  if (/^(date|datetime|datetime2|smalldatetime|datetimeoffset)$/.test(type)) {
    if (!/^\d{4}-\d\d-\d\d(T[\d:.]+Z?)?$/.test(value)) throw unfit(from, type);
    // In its own type, so that a time equals the one it was read from; dates have no minutes.
    return `dateadd(minute, -${Math.trunc(from.overlapMinutes)}, convert(${type === 'date' ? 'datetime2' : type === 'smalldatetime' ? 'datetime' : type}, '${value}', ${value.endsWith('Z') ? 127 : 126}))`;
  }
  if (/^(\w*int|decimal|numeric|money|smallmoney|float|real)$/.test(type)) {
    if (!/^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(value)) throw unfit(from, type);
    return value;
  }
  return `N'${value.replaceAll("'", "''")}'`;
}

async function connect(deps: SourceDeps, source: SourceRow): Promise<Connection> {
  const { Connection: Driver } = loadDriver<typeof import('tedious')>('sql-server');
  const host = source.host ?? '';
  const first = await addressOf(source, deps);
  /** A server may redirect us to another one (a read replica, for instance): that address is checked like the first. */
  const connector = async (
    asked: { host: string; port: number },
    _lookup: unknown,
    signal: AbortSignal,
  ): Promise<Socket> => {
    const address = asked.host === host ? first : await checkedAddress(asked.host, reachOf(source, deps));
    signal.throwIfAborted();
    return new Promise((done, fail) => {
      const socket = dial({ host: address, port: asked.port, signal }).setNoDelay(true);
      socket.once('error', fail);
      socket.once('connect', () => {
        socket.removeListener('error', fail);
        done(socket);
      });
    });
  };
  const options: NonNullable<ConnectionConfiguration['options']> = {
    port: source.port ?? PORTS.mssql,
    database: source.database_name ?? '',
    connector: connector as unknown as () => Promise<Socket>,
    // Encrypted without verifying the certificate: servers inside companies use self-signed ones.
    trustServerCertificate: true,
    connectTimeout: CONNECT_MS,
    requestTimeout: secondsOf(source) * 1000,
    maxRetriesOnTransientErrors: 0,
    // Declares read-only intent; a read replica may answer.
    readOnlyIntent: true,
    // Names in quotes are names, as `notOneSelect` takes them.
    enableQuotedIdentifier: true,
    appName: 'mainstay import',
    useUTC: true,
  };
  const open = async (encrypt: boolean): Promise<Connection> => {
    const connection = new Driver({
      server: host,
      authentication: {
        type: 'default',
        options: { userName: source.username ?? '', password: source.password ?? '' },
      },
      options: { ...options, encrypt },
    });
    // Without a listener a lost connection would end the process; the next reader gets the error.
    connection.on('error', () => undefined);
    try {
      await signingIn(
        () => new Promise<void>((done, fail) => connection.connect((error) => (error ? fail(error) : done()))),
      );
      // There are no read-only transactions here: this one is never committed, so that nothing is kept.
      await new Promise<void>((done, fail) => connection.beginTransaction((error) => (error ? fail(error) : done())));
    } catch (error) {
      connection.close();
      throw error;
    }
    return connection;
  };
  try {
    return await open(source.ssl !== 'off');
  } catch (error) {
    if (
      source.ssl === 'prefer' &&
      causes(error as DriverError).some(
        ({ code, message }) => code === 'EENCRYPT' && !/requires encryption/.test(message),
      )
    )
      return open(false);
    throw error;
  }
}

/** The result of a statement: its columns once they are known, and its rows, streamed on demand. */
async function ask(
  connection: Connection,
  sql: string,
): Promise<{ columns: Column[]; slices: AsyncGenerator<unknown[][]> }> {
  const { Request } = loadDriver<typeof import('tedious')>('sql-server');
  let waiting: unknown[][] = [];
  let columns: Column[] | null = null;
  let failed: Error | null = null;
  let ended = false;
  let wake = () => {};
  const request = new Request(sql, (error) => {
    failed = error ?? null;
    ended = true;
    wake();
  });
  request.on('columnMetadata', (found) => {
    columns = found as Column[];
    wake();
  });
  request.on('row', (row: { value: unknown }[]) => {
    waiting.push(row.map(({ value }) => value));
    if (waiting.length < SLICE) return;
    request.pause();
    wake();
  });
  connection.execSqlBatch(request);
  const until = async (ready: () => boolean): Promise<void> => {
    while (!ready() && !ended) await new Promise<void>((done) => (wake = done));
    if (failed) throw failed;
  };
  await until(() => columns !== null);
  return {
    columns: columns ?? [],
    slices: (async function* () {
      for (;;) {
        await until(() => waiting.length >= SLICE);
        const slice = waiting;
        waiting = [];
        if (slice.length > 0) yield slice;
        if (ended && waiting.length === 0) {
          await until(() => true);
          return;
        }
        request.resume();
      }
    })(),
  };
}

async function tables(deps: SourceDeps, source: SourceRow): Promise<string[]> {
  const connection = await connect(deps, source);
  try {
    const { slices } = await ask(
      connection,
      `select top 200 case when table_schema = schema_name() then table_name else table_schema + '.' + table_name end as name from information_schema.tables order by case when table_schema = schema_name() then 0 else 1 end, 1`,
    );
    const names: string[] = [];
    for await (const rows of slices) names.push(...rows.map(([name]) => String(name)));
    return names;
  } finally {
    connection.close();
  }
}

async function open(deps: SourceDeps, source: SourceRow, { query, from }: Asked): Promise<OpenSource> {
  const connection = await connect(deps, source);
  try {
    const head = await ask(connection, readingFrom(query ?? '', 'mssql', 'top 0 *'));
    for await (const _rows of head.slices) {
      // There are none; the statement is read to its end.
    }
    const columns = head.columns.map((column) => ({ name: column.colName, type: mssqlType(column) }));
    const column = cursorColumn(columns, from);
    const { slices } = await ask(
      connection,
      readingFrom(query ?? '', 'mssql', mssqlColumns(columns), column ? mssqlRest(from!, column.type) : ''),
    );
    return {
      columns,
      sifted: true,
      rows: () => numbered(cellsOf(slices, columns)),
      // Uncommitted changes are rolled back.
      close: () => Promise.resolve(connection.close()),
    };
  } catch (error) {
    connection.close();
    throw error;
  }
}

async function* cellsOf(
  slices: AsyncIterable<unknown[][]>,
  columns: OpenSource['columns'],
): AsyncGenerator<Record<string, unknown>[]> {
  for await (const rows of slices)
    yield rows.map((row) => Object.fromEntries(columns.map(({ name, type }, at) => [name, mssqlValue(type, row[at])])));
}
