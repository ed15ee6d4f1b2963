import { isIP } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { Connection, DBError, Metadata } from 'oracledb';
import { AppError } from '../../db/errors.ts';
import { loadDriver } from './driver.ts';
import { readingFrom } from './one_select.ts';
import { numbered, SLICE } from './row_slices.ts';
import { addressOf } from './source_address.ts';
import type { Asked, From, OpenSource, SourceDeps, SourceKind, SourceRow } from './source_kind.ts';
import { cursorColumn, PORTS, refusal, secondsOf, unfit } from './source_kind.ts';
import {
  CONNECT_MS,
  READ_ONLY,
  TOO_SLOW,
  WRONG_PASSWORD,
  networkMessage,
  noAnswer,
  noMore,
  placeOf,
  signingIn,
} from './source_messages.ts';

/** Oracle Database 12.1 and later, without an Oracle client. */
export const oracleSource: SourceKind = {
  open: (deps, _tenant, source, asked) => open(deps, source, asked),
  contents: tables,
  explain(error, source) {
    const { code = '', message } = error;
    const number = error.errorNum ?? 0;
    if (number === 1017 || number === 1005) return WRONG_PASSWORD;
    if (number === 28000) return 'The account is locked on the server.';
    if (number === 28001) return 'The password of the account has expired on the server.';
    if (number === 12514 || code === 'NJS-518')
      return `There is no service "${source.database_name ?? ''}" on the server.`;
    if (number === 12660 || code === 'NJS-533')
      return 'The server requires Oracle’s native encryption, which is not supported. Configure it to use TLS (TCPS).';
    if (number === 1456 || number === 16000) return READ_ONLY;
    if (number === 1013 || code === 'NJS-123') return TOO_SLOW;
    if (number === 1555)
      return 'The server no longer had the rows as they were when the query began. Narrow it, or run it at a quieter time.';
    if (code === 'NJS-505')
      return 'The certificate of the server is not signed by a known authority. Such servers are read without encryption only.';
    if (code === 'NJS-510' || code === 'NJS-516' || code === SILENT) return noAnswer(source);
    if (code === 'NJS-500' || code === 'NJS-521') return noMore(source);
    const system = /\b(ECONNREFUSED|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ECONNRESET|EPIPE)\b/.exec(message)?.[1];
    if (system !== undefined) return networkMessage({ ...error, code: system }, source);
    return code === 'NJS-503' || code === 'NJS-511' ? `No Oracle server answered at ${placeOf(source)}.` : null;
  },
};

const SILENT = 'SILENT';

/** The server's name of a column type: "number", "varchar2", "timestamp with time zone". */
export function oracleType({ dbTypeName = '' }: Pick<Metadata<unknown>, 'dbTypeName'>): string {
  return dbTypeName.toLowerCase();
}

const quoted = (name: string): string => `"${name}"`;
const MOMENT = `'YYYY-MM-DD"T"HH24:MI:SS.FF6'`;

/** The columns to select: times as text in UTC, bytes as hexadecimal, both converted by the server. */
export function oracleColumns(columns: OpenSource['columns']): string {
  return columns
    .map(({ name, type }) => {
      const text = asText(quoted(name), type);
      return text === null ? quoted(name) : `${text} as ${quoted(name)}`;
    })
    .join(', ');
}

function asText(column: string, type: string): string | null {
  if (type === 'date') return `to_char(${column}, 'YYYY-MM-DD"T"HH24:MI:SS')`;
  if (type === 'timestamp') return `to_char(${column}, ${MOMENT})`;
  if (type.startsWith('timestamp'))
    return `to_char(sys_extract_utc(cast(${column} as timestamp with time zone)), ${MOMENT})`;
  if (type === 'raw') return `rawtohex(${column})`;
  return type.startsWith('interval') ? `to_char(${column})` : null;
}

/**
 * A value from the driver in the form used by jobs: numbers stay text, because they are exact; midnight times are days.
 */
export function oracleValue(type: string, value: unknown): unknown {
  if (value === null || value === undefined) return null;
  if (Buffer.isBuffer(value)) return value.toString('hex');
  if (type === 'number') return String(value).replace(/^(-?)\./, '$10.');
  if (type === 'date') return String(value).replace(/T00:00:00$/, '');
  if (type.startsWith('timestamp'))
    return `${String(value)
      .replace(/\.?0+$/, (end) => (end.startsWith('.') ? '' : end))
      .replace(/(\.\d*?)0+$/, '$1')}${type === 'timestamp' ? '' : 'Z'}`;
  return value;
}

/** The condition that continues where the last run ended, slightly earlier if that is a time. */
export function oracleRest(from: From, type: string): string {
  const order = ` order by ${quoted(from.column)}`;
  return from.value === null ? order : ` where ${quoted(from.column)} >= ${beginning(from, from.value, type)}${order}`;
}

function beginning(from: From, value: string, type: string): string {
  if (type === 'date' || type.startsWith('timestamp')) {
    const [, day, time = '00:00:00', part = ''] =
      /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?Z?)?$/.exec(value) ?? [];
    if (day === undefined) throw unfit(from, type);
    const before = `numtodsinterval(${Math.trunc(from.overlapMinutes)}, 'MINUTE')`;
    if (type === 'date') return `(to_date('${day}T${time}', 'YYYY-MM-DD"T"HH24:MI:SS') - ${before})`;
    const moment = `to_timestamp('${day}T${time}.${part.padEnd(6, '0')}', 'YYYY-MM-DD"T"HH24:MI:SS.FF')`;
    return `(${type === 'timestamp' ? moment : `from_tz(${moment}, 'UTC')`} - ${before})`;
  }
  if (/^(number|binary_float|binary_double|binary_integer)$/.test(type)) {
    if (!/^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(value)) throw unfit(from, type);
    return value;
  }
  return `'${value.replaceAll("'", "''")}'`;
}

/** The connect descriptor of the driver. Values entered by people must not inject into it. @throws AppError 422 */
export function oracleDescriptor(address: string, port: number, service: string, encrypted: boolean): string {
  if (!/^[A-Za-z0-9._$#-]+$/.test(service))
    throw refusal('database_name', 'A service name may contain only letters, digits and . _ $ # -');
  if (isIP(address) === 0) throw new Error('Connections go to addresses, not to names.');
  const seconds = CONNECT_MS / 1000;
  return `(DESCRIPTION=(TRANSPORT_CONNECT_TIMEOUT=${seconds})(CONNECT_TIMEOUT=${seconds})(RETRY_COUNT=0)(ADDRESS=(PROTOCOL=${encrypted ? 'tcps' : 'tcp'})(HOST=${address})(PORT=${port}))(CONNECT_DATA=(SERVICE_NAME=${service}))(SECURITY=(SSL_SERVER_DN_MATCH=no)))`;
}

type Driver = typeof import('oracledb');

/** The driver's own way to a server. */
interface Transport {
  prototype: {
    connect(address: { host: string; originHost?: string; httpsProxy?: string }): Promise<void>;
    ntConnect(address: object): Promise<void>;
  };
}
let guarded = false;

/**
 * A server may answer with a redirect, and the driver would follow it: to an unchecked address, through a proxy named
 * in the answer. It has no option against that, so its single connecting function is patched to refuse.
 */
function refuseRedirects(): void {
  if (guarded) return;
  const transport = loadDriver<Transport>('oracle', 'oracledb/lib/thin/sqlnet/ntTcp.js');
  const connectAsAsked = transport.prototype.connect;
  transport.prototype.connect = function (address) {
    // A redirect records the first host; our own connections have none, and no proxy.
    if ('originHost' in address || address.httpsProxy !== undefined)
      throw new AppError(
        422,
        'invalid',
        `The server sends connections on to ${address.host}. Enter that server itself.`,
      );
    return connectAsAsked.call(this, address);
  };
  guarded = true;
}

async function connect(deps: SourceDeps, source: SourceRow): Promise<Connection> {
  const oracledb = loadDriver<Driver>('oracle');
  const address = await addressOf(source, deps);
  refuseRedirects();
  const open = async (encrypted: boolean): Promise<Connection> => {
    const connecting = oracledb.getConnection({
      user: source.username ?? '',
      password: source.password ?? '',
      connectString: oracleDescriptor(address, source.port ?? PORTS.oracle, source.database_name ?? '', encrypted),
    });
    const connection = await signingIn(() => inTime(connecting));
    try {
      connection.callTimeout = secondsOf(source) * 1000;
      await connection.execute(`alter session set time_zone = '+00:00'`);
      await connection.execute('set transaction read only');
    } catch (error) {
      await end(connection);
      throw error;
    }
    return connection;
  };
  try {
    return await open(source.ssl !== 'off');
  } catch (error) {
    // The port decides about encryption: a server that does not answer to TLS is tried without it.
    if (source.ssl === 'prefer' && !(error instanceof AppError) && !((error as DBError).errorNum ?? 0))
      return open(false);
    throw error;
  }
}

/** A connection that arrives too late is closed. @throws Error with the code SILENT */
async function inTime(connecting: Promise<Connection>): Promise<Connection> {
  const late = new AbortController();
  try {
    return await Promise.race([
      connecting,
      wait(CONNECT_MS + 1_000, undefined, { signal: late.signal }).then(() => {
        connecting.then(end, () => undefined);
        throw Object.assign(new Error('The server does not answer.'), { code: SILENT });
      }),
    ]);
  } finally {
    late.abort();
  }
}

/** Cancels the connection's work, and closes it; does not wait for an unreachable server. */
async function end(connection: Connection): Promise<void> {
  const closing = connection
    .break()
    .catch(() => undefined)
    .then(() => connection.close({ drop: true }))
    .catch(() => undefined);
  await Promise.race([closing, wait(2_000, undefined, { ref: false })]);
}

async function tables(deps: SourceDeps, source: SourceRow): Promise<string[]> {
  const connection = await connect(deps, source);
  try {
    const { rows = [] } = await connection.execute<[string]>(
      `select name from (select case when owner = user then name else owner || '.' || name end as name, case when owner = user then 0 else 1 end as far
         from (select owner, table_name as name from all_tables union all select owner, view_name from all_views)
         where owner = user or owner in (select username from all_users where oracle_maintained = 'N') order by 2, 1) where rownum <= 200`,
    );
    return rows.map(([name]) => name);
  } finally {
    await end(connection);
  }
}

async function open(deps: SourceDeps, source: SourceRow, { query, from }: Asked): Promise<OpenSource> {
  const connection = await connect(deps, source);
  const oracledb = loadDriver<Driver>('oracle');
  try {
    const head = await connection.execute(readingFrom(query ?? '', 'oracle', '*', ' where 1 = 0'));
    const columns = (head.metaData ?? []).map((column) => ({ name: column.name, type: oracleType(column) }));
    const column = cursorColumn(columns, from);
    const found = await connection.execute<unknown[]>(
      readingFrom(query ?? '', 'oracle', oracleColumns(columns), column ? oracleRest(from!, column.type) : ''),
      [],
      {
        resultSet: true,
        outFormat: oracledb.OUT_FORMAT_ARRAY,
        fetchArraySize: 1_000,
        fetchTypeHandler: ({ dbType }) => {
          if (dbType === oracledb.DB_TYPE_NUMBER) return { type: oracledb.STRING };
          if (dbType === oracledb.DB_TYPE_CLOB || dbType === oracledb.DB_TYPE_NCLOB) return { type: oracledb.STRING };
          return dbType === oracledb.DB_TYPE_BLOB ? { type: oracledb.BUFFER } : undefined;
        },
      },
    );
    const rows = found.resultSet!;
    return {
      columns,
      sifted: true,
      rows: () => numbered(cellsOf((max) => rows.getRows(max), columns)),
      close: () => end(connection),
    };
  } catch (error) {
    await end(connection);
    throw error;
  }
}

async function* cellsOf(
  next: (max: number) => Promise<unknown[][]>,
  columns: OpenSource['columns'],
): AsyncGenerator<Record<string, unknown>[]> {
  for (;;) {
    const rows = await next(SLICE);
    if (rows.length === 0) return;
    yield rows.map((row) =>
      Object.fromEntries(columns.map(({ name, type }, at) => [name, oracleValue(type, row[at])])),
    );
  }
}
