import ssh2 from 'ssh2';
import { describe, expect, it } from 'vitest';
import { matchesWildcard } from '../../../../src/domain/wildcard.ts';
import {
  mssqlColumns,
  mssqlRest,
  mssqlSource,
  mssqlType,
  mssqlValue,
} from '../../../../src/server/platform/sync/mssql_source.ts';
import { mysqlRest, mysqlSource, mysqlType, mysqlValue } from '../../../../src/server/platform/sync/mysql_source.ts';
import {
  oracleColumns,
  oracleDescriptor,
  oracleRest,
  oracleSource,
  oracleType,
  oracleValue,
} from '../../../../src/server/platform/sync/oracle_source.ts';
import { fingerprintOf, hostKeyRefusal, withLines } from '../../../../src/server/platform/sync/sftp_source.ts';
import type { DriverError, SourceKind, SourceRow } from '../../../../src/server/platform/sync/source_kind.ts';
import { otherMessage, signingIn } from '../../../../src/server/platform/sync/source_messages.ts';
import { sshKeyPair } from '../../../ssh_keys.ts';

const from = (column: string, value: string | null, overlapMinutes = 10) => ({ column, value, overlapMinutes });
const row = (kind: SourceRow['kind']) => ({ kind, host: 'db.acme.in', port: null, database_name: 'shop' }) as SourceRow;
const told = (kind: SourceKind, error: DriverError, of: SourceRow) =>
  kind.explain!(error, of) ?? otherMessage(error, of);
const words = (kind: SourceKind, name: SourceRow['kind'], error: object, message = 'Odd.') =>
  told(kind, Object.assign(new Error(message), error), row(name));

it('a server’s words before sign-in are hidden, those about a query are shown', async () => {
  const greeting = () => new Error("Host '10.0.0.5' is not allowed to connect to this server");
  const early = await signingIn(() => Promise.reject(greeting())).catch((error: DriverError) => error);
  for (const [kind, name] of [
    [mysqlSource, 'mysql'],
    [mssqlSource, 'mssql'],
    [oracleSource, 'oracle'],
  ] as const) {
    expect(told(kind, early as DriverError, row(name))).toMatch(/did not answer as expected/);
    expect(told(kind, greeting(), row(name))).toContain('10.0.0.5');
  }
});

describe('MySQL', () => {
  it('values are exact, times in ISO', () => {
    const value = (type: string, text: string) => mysqlValue(type, Buffer.from(text));
    expect(value('decimal', '99999999999999.99')).toBe('99999999999999.99');
    expect([value('bigint', '42'), value('bigint unsigned', '18446744073709551615')]).toEqual([
      42,
      '18446744073709551615',
    ]);
    expect([value('int unsigned', '7'), value('double', '1.5')]).toEqual([7, 1.5]);
    expect([
      value('datetime', '2026-05-01 10:00:00.25'),
      value('timestamp', '2026-05-01 10:00:00'),
      value('date', '2026-05-01'),
    ]).toEqual(['2026-05-01T10:00:00.25', '2026-05-01T10:00:00Z', '2026-05-01']);
    expect([
      value('date', '0000-00-00'),
      value('datetime', '0000-00-00 00:00:00'),
      value('date', '2026-00-00'),
    ]).toEqual([null, null, null]);
    expect([value('time', '10:30:00'), value('time', '10:30:05'), value('varchar', 'தமிழ்')]).toEqual([
      '10:30',
      '10:30:05',
      'தமிழ்',
    ]);
    expect([mysqlValue('bit', Buffer.from([1, 1])), mysqlValue('varbinary', Buffer.from([255, 0]))]).toEqual([
      257,
      'ff00',
    ]);
  });

  it('column types have readable names', () => {
    const type = (columnType: number, characterSet = 45, flags = 0) =>
      mysqlType({ name: 'x', columnType, characterSet, flags });
    expect([
      type(246),
      type(3),
      type(3, 63, 32),
      type(253),
      type(253, 63),
      type(252),
      type(252, 63),
      type(12),
      type(199),
    ]).toEqual(['decimal', 'int', 'int unsigned', 'varchar', 'varbinary', 'text', 'blob', 'datetime', 'type 199']);
  });

  it('starts shortly before the last time, and compares numbers as numbers', () => {
    expect(mysqlRest(from('at', '2026-05-01T10:00:00Z'), 'timestamp')).toBe(
      " where `at` >= (cast('2026-05-01 10:00:00' as datetime(6)) - interval 10 minute) order by `at`",
    );
    expect(mysqlRest(from('a`t', '18446744073709551615'), 'bigint unsigned')).toBe(
      ' where `a``t` >= 18446744073709551615 order by `a``t`',
    );
    expect(mysqlRest(from('code', "a\\'b"), 'varchar')).toBe(" where `code` >= 'a\\\\''b' order by `code`");
    expect(mysqlRest(from('at', null), 'datetime')).toBe(' order by `at`');
    expect(() => mysqlRest(from('at', "1' or '1"), 'datetime')).toThrow('Column at is datetime in the source');
    expect(() => mysqlRest(from('n', '1 or 1'), 'int')).toThrow('does not fit it');
  });

  it('refusals are explained', () => {
    const say = (error: object, message?: string) => words(mysqlSource, 'mysql', error, message);
    expect([
      say({ errno: 1045 }),
      say({ errno: 1049 }),
      say({ errno: 1969 }),
      say({ errno: 3024 }),
      say({ errno: 1792 }),
      say({ errno: 1146 }, "Table 'x' doesn't exist"),
      say({ code: 'ECONNREFUSED' }),
      say({ code: 'HANDSHAKE_NO_SSL_SUPPORT' }),
    ]).toEqual([
      'The server does not accept this user name and password.',
      'There is no database "shop" on the server.',
      expect.stringContaining('longer than the time-out'),
      expect.stringContaining('longer than the time-out'),
      'The query may only read.',
      "Table 'x' doesn't exist",
      'Nothing listens at db.acme.in, port 3306. Check server, port and firewall.',
      expect.stringContaining('does not support encryption'),
    ]);
  });
});

describe('SQL Server', () => {
  it('types that would lose digits are converted to text by the server', () => {
    expect(
      mssqlColumns([
        { name: 'price', type: 'decimal' },
        { name: 'cost]', type: 'money' },
        { name: 'n', type: 'int' },
        { name: 'at', type: 'datetime2' },
        { name: 'seen', type: 'datetimeoffset' },
        { name: 'day', type: 'date' },
        { name: 'raw', type: 'varbinary' },
      ]),
    ).toBe(
      "convert(varchar(50), [price]) as [price], convert(varchar(50), [cost]]], 2) as [cost]]], [n], convert(varchar(30), [at], 126) as [at], convert(varchar(40), switchoffset([seen], '+00:00'), 127) as [seen], convert(varchar(10), [day], 23) as [day], convert(varchar(max), convert(varbinary(max), [raw]), 2) as [raw]",
    );
    expect([
      mssqlValue('decimal', '99999999999999.99'),
      mssqlValue('bigint', '42'),
      mssqlValue('bigint', '9223372036854775807'),
      mssqlValue('time', '10:30:00'),
      mssqlValue('bit', true),
      mssqlValue('int', null),
    ]).toEqual(['99999999999999.99', 42, '9223372036854775807', '10:30', true, null]);
  });

  it('column types have readable names', () => {
    const type = (name: string, dataLength?: number) => mssqlType({ colName: 'x', type: { name }, dataLength });
    expect([
      type('IntN', 8),
      type('IntN', 4),
      type('DecimalN', 9),
      type('MoneyN', 8),
      type('DateTimeN', 8),
      type('DateTimeN', 4),
      type('BitN', 1),
      type('NVarChar', 80),
      type('DateTime2'),
    ]).toEqual(['bigint', 'int', 'decimal', 'money', 'datetime', 'smalldatetime', 'bit', 'nvarchar', 'datetime2']);
  });

  it('starts shortly before the last time, in the column’s own type', () => {
    expect(mssqlRest(from('at', '2026-05-01T10:00:00.007'), 'datetime')).toBe(
      " where [at] >= dateadd(minute, -10, convert(datetime, '2026-05-01T10:00:00.007', 126)) order by [at]",
    );
    expect(mssqlRest(from('at', '2026-05-01T10:00:00Z'), 'datetimeoffset')).toContain(
      "convert(datetimeoffset, '2026-05-01T10:00:00Z', 127)",
    );
    expect(mssqlRest(from('day', '2026-05-01'), 'date')).toContain("convert(datetime2, '2026-05-01', 126)");
    expect(mssqlRest(from('n', '12.5'), 'decimal')).toBe(' where [n] >= 12.5 order by [n]');
    expect(mssqlRest(from('code', "a'b"), 'nvarchar')).toBe(" where [code] >= N'a''b' order by [code]");
    expect(() => mssqlRest(from('n', '1; drop'), 'int')).toThrow('does not fit it');
  });

  it('refusals are explained, including nested ones', () => {
    const say = (error: object, message?: string) => words(mssqlSource, 'mssql', error, message);
    expect(say({ code: 'ELOGIN' }, "Login failed for user 'reader'.")).toBe(
      'The server does not accept this user name and password.',
    );
    expect(
      say({ cause: Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }), code: 'ESOCKET' }),
    ).toBe('Nothing listens at db.acme.in, port 1433. Check server, port and firewall.');
    expect(say({ code: 'ETIMEOUT' }, 'Timeout: Request failed to complete in 1000ms')).toContain(
      'longer than the time-out',
    );
    expect(say({ code: 'EENCRYPT' }, 'Server requires encryption, set …')).toContain('insists on encryption');
    expect(say({ code: 'EREQUEST', number: 208 }, "Invalid object name 'x'.")).toBe("Invalid object name 'x'.");
  });
});

describe('Oracle', () => {
  it('times and bytes are converted to text by the server, numbers stay unchanged', () => {
    expect(
      oracleColumns([
        { name: 'PRICE', type: 'number' },
        { name: 'DAY', type: 'date' },
        { name: 'AT', type: 'timestamp' },
        { name: 'SEEN', type: 'timestamp with time zone' },
        { name: 'RAW', type: 'raw' },
      ]),
    ).toBe(
      `"PRICE", to_char("DAY", 'YYYY-MM-DD"T"HH24:MI:SS') as "DAY", to_char("AT", 'YYYY-MM-DD"T"HH24:MI:SS.FF6') as "AT", to_char(sys_extract_utc(cast("SEEN" as timestamp with time zone)), 'YYYY-MM-DD"T"HH24:MI:SS.FF6') as "SEEN", rawtohex("RAW") as "RAW"`,
    );
    expect([
      oracleValue('number', '99999999999999.99'),
      oracleValue('number', '.5'),
      oracleValue('number', '-.5'),
      oracleValue('number', null),
    ]).toEqual(['99999999999999.99', '0.5', '-0.5', null]);
    expect([oracleValue('date', '2026-05-01T00:00:00'), oracleValue('date', '2026-05-01T10:00:00')]).toEqual([
      '2026-05-01',
      '2026-05-01T10:00:00',
    ]);
    expect([
      oracleValue('timestamp', '2026-05-01T10:00:00.000000'),
      oracleValue('timestamp', '2026-05-01T10:00:00.250000'),
      oracleValue('timestamp with time zone', '2026-05-01T10:00:10.000000'),
    ]).toEqual(['2026-05-01T10:00:00', '2026-05-01T10:00:00.25', '2026-05-01T10:00:10Z']);
    expect(oracleType({ dbTypeName: 'TIMESTAMP WITH TIME ZONE' })).toBe('timestamp with time zone');
  });

  it('starts shortly before the last time', () => {
    expect(oracleRest(from('DAY', '2026-05-01'), 'date')).toBe(
      ` where "DAY" >= (to_date('2026-05-01T00:00:00', 'YYYY-MM-DD"T"HH24:MI:SS') - numtodsinterval(10, 'MINUTE')) order by "DAY"`,
    );
    expect(oracleRest(from('AT', '2026-05-01T10:00:00.25'), 'timestamp')).toContain(
      `to_timestamp('2026-05-01T10:00:00.250000', 'YYYY-MM-DD"T"HH24:MI:SS.FF')`,
    );
    expect(oracleRest(from('SEEN', '2026-05-01T10:00:00Z'), 'timestamp with local time zone')).toContain(
      `from_tz(to_timestamp('2026-05-01T10:00:00.000000'`,
    );
    expect(oracleRest(from('N', '12'), 'number')).toBe(' where "N" >= 12 order by "N"');
    expect(oracleRest(from('C', "a'b"), 'varchar2')).toBe(` where "C" >= 'a''b' order by "C"`);
    expect(() => oracleRest(from('DAY', 'x'), 'date')).toThrow('does not fit it');
  });

  it('uses the address, and a service name adds nothing to it', () => {
    expect(oracleDescriptor('10.1.2.3', 1521, 'SHOP.acme', true)).toContain(
      '(ADDRESS=(PROTOCOL=tcps)(HOST=10.1.2.3)(PORT=1521))(CONNECT_DATA=(SERVICE_NAME=SHOP.acme))',
    );
    expect(() => oracleDescriptor('10.1.2.3', 1521, 'x)(ADDRESS=(HOST=127.0.0.1))', false)).toThrow(
      'A service name may contain only letters',
    );
    expect(() => oracleDescriptor('db.acme.in', 1521, 'SHOP', false)).toThrow('addresses');
  });

  it('refusals are explained', () => {
    const say = (error: object, message?: string) => words(oracleSource, 'oracle', error, message);
    expect([
      say({ errorNum: 1017 }),
      say({ code: 'NJS-518' }),
      say({ code: 'NJS-123' }),
      say({ errorNum: 1456 }),
      say({ code: 'NJS-511' }, 'NJS-511: connection refused. Cause: connect ECONNREFUSED 10.1.2.3:1521'),
    ]).toEqual([
      'The server does not accept this user name and password.',
      'There is no service "shop" on the server.',
      expect.stringContaining('longer than the time-out'),
      'The query may only read.',
      'Nothing listens at db.acme.in, port 1521. Check server, port and firewall.',
    ]);
    expect(say({ errorNum: 942 }, 'ORA-00942: table or view does not exist\nHelp: https://example.com/x')).toBe(
      'ORA-00942: table or view does not exist',
    );
  });
});

describe('a folder on an SFTP server', () => {
  it('a pattern matches complete file names', () => {
    expect(
      ['stock_1.csv', 'STOCK_.CSV', 'stock_1.csv.part', 'old_stock_1.csv', 'stock_1xcsv'].map((name) =>
        matchesWildcard('stock_*.csv', name),
      ),
    ).toEqual([true, true, false, false, false]);
    expect([
      matchesWildcard('a?.xlsx', 'ab.xlsx'),
      matchesWildcard('a?.xlsx', 'abc.xlsx'),
      matchesWildcard('a(1)+[x].csv', 'a(1)+[x].csv'),
    ]).toEqual([true, false, true]);
  });

  it('a key on one line is accepted', () => {
    const { private: key } = sshKeyPair();
    const flat = key.replaceAll('\n', '');
    expect(ssh2.utils.parseKey(flat)).toBeInstanceOf(Error);
    expect(ssh2.utils.parseKey(withLines(flat))).not.toBeInstanceOf(Error);
    expect(ssh2.utils.parseKey(withLines(key))).not.toBeInstanceOf(Error);
    expect(withLines('no key')).toBe('no key');
  });

  it('a server is verified by the entered key only', () => {
    const shown = fingerprintOf(Buffer.from('key'));
    expect(shown).toMatch(/^SHA256:[A-Za-z0-9+/]{43}$/);
    expect(hostKeyRefusal(shown, shown)).toBeNull();
    expect(hostKeyRefusal(`${shown}=`, shown)).toBeNull();
    expect(hostKeyRefusal(null, shown)?.message).toContain(shown);
    expect(hostKeyRefusal(fingerprintOf(Buffer.from('other')), shown)?.message).toContain('another key');
  });
});
