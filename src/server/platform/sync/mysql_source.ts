import { connect as dial } from 'node:net';
import type { Connection, FieldPacket } from 'mysql2';
import { readingFrom } from './one_select.ts';
import { inSlices, numbered } from './row_slices.ts';
import { addressOf } from './source_address.ts';
import type { Asked, From, OpenSource, SourceDeps, SourceKind, SourceRow } from './source_kind.ts';
import { cursorColumn, PORTS, secondsOf, unfit } from './source_kind.ts';
import {
  CONNECT_MS,
  NOT_ENCRYPTED,
  READ_ONLY,
  TOO_SLOW,
  WRONG_PASSWORD,
  networkMessage,
  noMore,
  signingIn,
} from './source_messages.ts';

/** MySQL and MariaDB. */
export const mysqlSource: SourceKind = {
  open: (deps, _tenant, source, asked) => open(deps, source, asked),
  contents: tables,
  explain: (error, source) => {
    switch (error.errno ?? error.code) {
      case 1045:
      case 1698:
        return WRONG_PASSWORD;
      case 1044:
        return `The account may not read the database "${source.database_name ?? ''}".`;
      case 1049:
        return `There is no database "${source.database_name ?? ''}" on the server.`;
      case 1317:
      case 1969:
      case 3024:
        return TOO_SLOW;
      case 1792:
        return READ_ONLY;
    }
    if (error.code === 'PROTOCOL_SEQUENCE_TIMEOUT') return TOO_SLOW;
    if (error.code === 'HANDSHAKE_NO_SSL_SUPPORT') return NOT_ENCRYPTED;
    if (error.code === 'PROTOCOL_CONNECTION_LOST') return noMore(source);
    return networkMessage(error, source);
  },
};

/** A column as described by the server: its type number, and its character set (63 = bytes). */
type Column = Pick<FieldPacket, 'name' | 'columnType' | 'characterSet' | 'flags'>;

const BYTES = 63;
const UNSIGNED = 32;
const TYPES: Record<number, string> = {
  0: 'decimal',
  1: 'tinyint',
  2: 'smallint',
  3: 'int',
  4: 'float',
  5: 'double',
  7: 'timestamp',
  8: 'bigint',
  9: 'mediumint',
  10: 'date',
  11: 'time',
  12: 'datetime',
  13: 'year',
  14: 'date',
  15: 'varchar',
  16: 'bit',
  245: 'json',
  246: 'decimal',
  247: 'enum',
  248: 'set',
  249: 'text',
  250: 'text',
  251: 'text',
  252: 'text',
  253: 'varchar',
  254: 'char',
  255: 'geometry',
};
const IN_BYTES: Record<string, string> = { text: 'blob', varchar: 'varbinary', char: 'binary' };

/** The server's name of a column type: "int", "decimal", "varbinary". */
export function mysqlType({ columnType = -1, characterSet, flags }: Column): string {
  const type = TYPES[columnType] ?? `type ${columnType}`;
  if (characterSet === BYTES && type in IN_BYTES) return IN_BYTES[type]!;
  return type.endsWith('int') && typeof flags === 'number' && (flags & UNSIGNED) !== 0 ? `${type} unsigned` : type;
}

/** A value as text: decimals and large numbers stay text, times become ISO, bytes hexadecimal. */
export function mysqlValue(type: string, bytes: Buffer): unknown {
  const text = bytes.toString('utf8');
  switch (type.replace(' unsigned', '')) {
    case 'tinyint':
    case 'smallint':
    case 'mediumint':
    case 'int':
    case 'year':
    case 'float':
    case 'double':
      return Number(text);
    case 'bigint':
      return Number.isSafeInteger(Number(text)) ? Number(text) : text;
    case 'bit':
      return mysqlValue('bigint', Buffer.from(BigInt(`0x${bytes.toString('hex') || '0'}`).toString()));
    // An invalid day (0000-00-00) is treated as empty.
    case 'date':
      return /-00/.test(text) ? null : text;
    case 'datetime':
      return /-00/.test(text) ? null : text.replace(' ', 'T');
    case 'timestamp':
      return /-00/.test(text) ? null : `${text.replace(' ', 'T')}Z`;
    case 'time':
      return /^\d\d:\d\d:00(\.0+)?$/.test(text) ? text.slice(0, 5) : text;
    case 'blob':
    case 'varbinary':
    case 'binary':
    case 'geometry':
      return bytes.toString('hex');
    default:
      return text;
  }
}

/** The condition that continues where the last run ended, slightly earlier if that is a time. */
export function mysqlRest(from: From, type: string): string {
  const column = `\`${from.column.replaceAll('`', '``')}\``;
  const order = ` order by ${column}`;
  if (from.value === null) return order;
  return ` where ${column} >= ${beginning(from, from.value, type.replace(' unsigned', ''))}${order}`;
}

function beginning(from: From, value: string, type: string): string {
  if (/^(datetime|timestamp|date)$/.test(type)) {
    if (!/^\d{4}-\d\d-\d\d(T[\d:.]+Z?)?$/.test(value)) throw unfit(from, type);
    return `(cast('${value.replace('T', ' ').replace('Z', '')}' as datetime(6)) - interval ${Math.trunc(from.overlapMinutes)} minute)`;
  }
  if (/^(\w*int|decimal|year|float|double|bit)$/.test(type)) {
    // In quotes both sides would be compared as floats.
    if (!/^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(value)) throw unfit(from, type);
    return value;
  }
  return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}

async function connect(deps: SourceDeps, source: SourceRow): Promise<Connection> {
  const address = await addressOf(source, deps);
  const port = source.port ?? PORTS.mysql;
  const { createConnection } = (await import('mysql2')).default;
  const open = async (encrypted: boolean): Promise<Connection> => {
    const connection = createConnection({
      // TLS uses the server name; the connection goes to the checked address.
      host: source.host ?? '',
      port,
      stream: () => dial(port, address).setNoDelay(true),
      database: source.database_name ?? '',
      user: source.username ?? '',
      password: source.password ?? '',
      charset: 'utf8mb4',
      connectTimeout: CONNECT_MS,
      // Encrypted without verifying the certificate: servers inside companies use self-signed ones.
      ...(encrypted && { ssl: { rejectUnauthorized: false } }),
      // The server may not request local files, nor receive a second statement, nor have column names compiled to code.
      flags: ['-LOCAL_FILES'],
      multipleStatements: false,
      disableEval: true,
      connectAttributes: { program_name: 'mainstay import' },
    });
    // Without a listener a lost connection would end the process; the next reader gets the error.
    connection.on('error', () => undefined);
    try {
      await signingIn(
        () => new Promise<void>((done, fail) => connection.connect((error) => (error ? fail(error) : done()))),
      );
      await prepare(connection, source);
    } catch (error) {
      connection.destroy();
      throw error;
    }
    return connection;
  };
  try {
    return await open(source.ssl !== 'off');
  } catch (error) {
    if (source.ssl === 'prefer' && (error as { code?: string }).code === 'HANDSHAKE_NO_SSL_SUPPORT') return open(false);
    throw error;
  }
}

/**
 * Configures the connection for all its statements: permissions, time-out, and the interpretation of texts and times.
 */
async function prepare(connection: Connection, source: SourceRow): Promise<void> {
  const seconds = secondsOf(source);
  const [[row]] = (await ask(connection, 'select version() as version')) as [{ version: string }[]];
  // Without SQL modes texts end where `notOneSelect` expects.
  await ask(connection, "set session sql_mode = '', session time_zone = '+00:00'");
  await ask(
    connection,
    /mariadb/i.test(row?.version ?? '')
      ? `set session max_statement_time = ${seconds}`
      : `set session max_execution_time = ${seconds * 1000}`,
  ).catch((error: { errno?: number }) => {
    // The server is too old to support it; then only `patience` limits the duration.
    if (error.errno !== 1193) throw error;
  });
  await ask(connection, 'set session transaction read only');
  await ask(connection, 'start transaction read only');
}

/** How long a response is awaited, in ms: slightly longer than the server's own time-out. */
const patience = (source: SourceRow): number => (secondsOf(source) + 5) * 1000;

function ask(connection: Connection, sql: string): Promise<unknown[]> {
  return connection.promise().query(sql);
}

async function tables(deps: SourceDeps, source: SourceRow): Promise<string[]> {
  const connection = await connect(deps, source);
  try {
    const [rows] = (await ask(
      connection,
      `select case when table_schema = database() then table_name else concat(table_schema, '.', table_name) end as name from information_schema.tables
       where table_schema not in ('mysql', 'information_schema', 'performance_schema', 'sys') order by table_schema <> database(), 1 limit 200`,
    )) as [{ name: string }[]];
    return rows.map(({ name }) => name);
  } finally {
    connection.destroy();
  }
}

async function open(deps: SourceDeps, source: SourceRow, { query, from }: Asked): Promise<OpenSource> {
  const connection = await connect(deps, source);
  try {
    const reading = (rest: string) => readingFrom(query ?? '', 'mysql', '*', rest);
    const [, fields] = (await connection.promise().query({ sql: reading(' limit 0'), timeout: patience(source) })) as [
      unknown,
      Column[],
    ];
    const columns = fields.map((field) => ({ name: field.name, type: mysqlType(field) }));
    const column = cursorColumn(columns, from);
    const asked = connection.query({
      sql: reading(column ? mysqlRest(from!, column.type) : ''),
      rowsAsArray: true,
      typeCast: (field) => field.buffer(),
    });
    const stream = asked.stream({ highWaterMark: 1_000 });
    const limit = setTimeout(() => stream.destroy(new Error(TOO_SLOW)), patience(source));
    const whole = new Promise<boolean>((done) => {
      asked.once('end', () => done(true));
      stream.once('close', () => {
        clearTimeout(limit);
        done(false);
      });
    });
    // A refusal before anybody reads is passed to the first reader; later nobody receives it, and it must not end the
    // process.
    for (const teller of [asked, stream]) teller.on('error', () => undefined);
    // The driver reports a lost connection only to the connection: without this the rows would be awaited forever.
    connection.on('error', (error) => stream.destroy(error));
    return {
      columns,
      sifted: true,
      rows: () => numbered(inSlices(cellsOf(stream, columns, whole))),
      close() {
        stream.destroy(new Error(noMore(source)));
        connection.destroy();
        return Promise.resolve();
      },
    };
  } catch (error) {
    connection.destroy();
    throw error;
  }
}

async function* cellsOf(
  stream: AsyncIterable<unknown>,
  columns: OpenSource['columns'],
  whole: Promise<boolean>,
): AsyncGenerator<Record<string, unknown>> {
  for await (const row of stream as AsyncIterable<(Buffer | null)[]>)
    yield Object.fromEntries(
      columns.map(({ name, type }, at) => [
        name,
        row[at] === null || row[at] === undefined ? null : mysqlValue(type, row[at]),
      ]),
    );
  // An interrupted stream ends like a complete one.
  if (!(await whole))
    throw Object.assign(new Error('The server ended the connection.'), { code: 'PROTOCOL_CONNECTION_LOST' });
}
