import type { AddressInfo, Socket } from 'node:net';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import * as XLSX from 'xlsx';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Caller, TestTenant, World } from '../world.ts';
import { startWorld } from '../world.ts';
import type { FakeSqlServer } from './fake_sql_server.ts';
import { fakeSqlServer } from './fake_sql_server.ts';
import type { MariadbServer } from './mariadb_server.ts';
import { freePort, startMariadb } from './mariadb_server.ts';
import type { SshServer } from './ssh_server.ts';
import { startSsh } from './ssh_server.ts';

// Sources beside PostgreSQL, files and web services: real servers where the machine has them.

let world: World;
let acme: TestTenant;
let admin: Caller;
let number = 0;

beforeAll(async () => {
  world = await startWorld({ env: { SYNC_LOCAL_SOURCES: '1' }, alone: true });
  acme = await world.tenant({ products: ['ANALYTICS'], everyTable: true });
  await acme.user('admin', { isAdmin: true });
  admin = await world.signIn(acme, 'admin');
});
afterAll(() => world?.close());
beforeEach(() => {
  number++;
});

interface Answer {
  status: number;
  data: Record<string, unknown> & { id: number; version: number };
  run_id: number;
  ok?: boolean;
  tables?: string[];
  error: { code: string; message: string; details: { field: string; message: string }[] };
}
async function call(method: string, url: string, body?: unknown): Promise<Answer> {
  const answer = await admin.call(method, url, body);
  return { status: answer.statusCode, ...(answer.body === '' ? {} : answer.json<object>()) } as Answer;
}
const post = (url: string, body: unknown = {}) => call('POST', url, body);

let sources = 0;
async function makeSource(source: object): Promise<number> {
  const answer = await post('/tapi/sync_source', { name: `Source ${++sources}`, private_network: true, ...source });
  expect(answer.error).toBeUndefined();
  return answer.data.id;
}
async function test(source: object): Promise<{ ok?: boolean; tables?: string[]; error?: string }> {
  const { ok, tables, error } = await post(`/tapi/sync_source/${await makeSource(source)}/test`);
  return ok ? { ok, tables: tables! } : { error: error.message };
}
/** A job that brings rows into a collection of its own, by code. */
async function makeJob(
  sourceId: number,
  columns: string[],
  more: object = {},
): Promise<{ id: number; rows: () => Promise<Record<string, unknown>[]> }> {
  const { data: collection } = await post('/tapi/analytics_collection', {
    code: `rows_${number}`,
    title: `Rows ${number}`,
    key_fields: ['code'],
  });
  const answer = await post('/tapi/sync_job', {
    code: `JOB${number}`,
    title: `Job ${number}`,
    family: 'custom',
    source_id: sourceId,
    target: 'collection',
    collection_id: collection.id,
    company_id: acme.entityIds[0],
    mode: 'full',
    natural_key: ['code'],
    mapping: columns.map((name) => ({ source_column: name, target_field: name.toLowerCase() })),
    ...more,
  });
  if (answer.status !== 201) throw new Error(JSON.stringify(answer));
  return {
    id: answer.data.id,
    rows: async () =>
      (
        await acme.sql<{ data: Record<string, unknown> }>(
          'select data from {s}.collection_row where collection_id = $1 order by key',
          [collection.id],
        )
      ).map(({ data }) => data),
  };
}
async function run(id: number): Promise<Answer['data']> {
  const { run_id: runId, error } = await post(`/tapi/sync_job/${id}/run`);
  expect(error).toBeUndefined();
  await world.app.deliveries.deliver(acme);
  await world.app.jobs.drain();
  return (await call('GET', `/tapi/sync_run/${runId}`)).data;
}

describe('MariaDB', () => {
  let maria: MariadbServer;
  let sourceId: number;
  beforeAll(async () => {
    maria = await startMariadb();
    sourceId = await makeSource(maria.source);
    await maria.sql(
      `create table stock (code varchar(20), name varchar(80), price decimal(16,2), big bigint unsigned, day date, at datetime(3), seen timestamp null, opens time, note text, raw varbinary(4), flag tinyint(1))`,
    );
    await maria.sql(
      `insert into stock values ('A1', 'சேலை', 99999999999999.99, 18446744073709551615, '2026-05-01', '2026-05-01 10:00:00.250', '2026-05-01 10:00:00', '09:30', 'it''s; \\"so\\"', x'ff00', 1), ('A2', null, -0.10, 42, null, null, null, null, null, null, null)`,
    );
  });
  afterAll(() => maria?.stop());

  it('shows its tables, over an encrypted connection', async () => {
    const { ok, tables } = await test(maria.source);
    expect([ok, tables]).toEqual([true, expect.arrayContaining(['stock'])]);
  });

  it('reads rows exactly: decimals to the last digit, times in ISO, any script', async () => {
    const columns = ['code', 'name', 'price', 'big', 'day', 'at', 'seen', 'opens', 'note', 'raw', 'flag'];
    const job = await makeJob(sourceId, columns, { query: 'select * from `stock` order by 1; -- all' });
    expect(await run(job.id)).toMatchObject({ state: 'succeeded', read: 2, inserted: 2 });
    expect(await job.rows()).toEqual([
      {
        code: 'A1',
        name: 'சேலை',
        price: '99999999999999.99',
        big: '18446744073709551615',
        day: '2026-05-01',
        at: '2026-05-01T10:00:00.250',
        seen: '2026-05-01T10:00:00Z',
        opens: '09:30',
        note: `it's; "so"`,
        raw: 'ff00',
        flag: 1,
      },
      {
        code: 'A2',
        name: null,
        price: '-0.10',
        big: 42,
        day: null,
        at: null,
        seen: null,
        opens: null,
        note: null,
        raw: null,
        flag: null,
      },
    ]);
    await maria.sql(`update stock set name = 'பட்டு' where code = 'A1'`);
    expect(await run(job.id)).toMatchObject({ state: 'succeeded', updated: 1, unchanged: 1 });
  });

  it('reads its columns without a row, and stops when one changed its type', async () => {
    await maria.sql('create table empty_one (code varchar(20), qty int unsigned)');
    const job = await makeJob(sourceId, ['code', 'qty'], { query: 'select code, qty from empty_one' });
    expect(await run(job.id)).toMatchObject({ state: 'succeeded', read: 0 });
    expect(await acme.sql('select source_columns from {s}.sync_job where id = $1', [job.id])).toEqual([
      {
        source_columns: [
          { name: 'code', type: 'varchar' },
          { name: 'qty', type: 'int unsigned' },
        ],
      },
    ]);
    await maria.sql('alter table empty_one modify qty decimal(10,2)');
    expect(await run(job.id)).toMatchObject({
      state: 'failed',
      error: 'Column qty is decimal in the source now, it was int unsigned. Check the mapping and save the job.',
    });
  });

  it('continues from the last row, with a small overlap', async () => {
    await maria.sql('create table moved (code varchar(20), seen timestamp(3) not null)');
    await maria.sql(
      `set time_zone = '+00:00'; insert into moved values ('M1', '2026-01-01 10:00:00'), ('M2', '2026-01-01 10:00:00.5')`,
    );
    const job = await makeJob(sourceId, ['code'], {
      mode: 'incremental',
      cursor_column: 'seen',
      query: 'select code, seen from moved',
    });
    expect(await run(job.id)).toMatchObject({
      read: 2,
      inserted: 2,
      cursor_from: null,
      cursor_to: '2026-01-01T10:00:00.500Z',
    });
    await maria.sql(
      `set time_zone = '+00:00'; insert into moved values ('M3', '2026-01-01 09:52:00'), ('M4', '2026-01-01 09:00:00'), ('M5', '2026-01-02 09:00:00')`,
    );
    expect(await run(job.id)).toMatchObject({
      read: 4,
      inserted: 2,
      unchanged: 2,
      cursor_to: '2026-01-02T09:00:00.000Z',
    });
    expect((await job.rows()).map(({ code }) => code)).toEqual(['M1', 'M2', 'M3', 'M5']);
    await maria.sql('alter table moved rename column seen to seen_at');
    expect(await run(job.id)).toMatchObject({ state: 'failed' });
  });

  it('many rows arrive in batches; if it fails in the middle, none of them stays', async () => {
    await maria.sql(
      `create table many as select concat('C', seq) as code, repeat('x', 60) as name from seq_1_to_12000`,
    );
    const job = await makeJob(sourceId, ['code', 'name'], { query: 'select code, name from many' });
    maria.cutAfter(300_000);
    const broken = await run(job.id).finally(() => maria.cutAfter(null));
    expect(broken).toMatchObject({
      state: 'failed',
      inserted: 0,
      error: expect.stringContaining('ended the connection') as string,
    });
    expect(await run(job.id)).toMatchObject({ state: 'succeeded', read: 12000, inserted: 12000 });
  });

  it('is read-only, with a time limit', async () => {
    await maria.sql(
      `create function sneak() returns int begin insert into moved (code, seen_at) values ('X', now()); return 1; end`,
    );
    expect(await run((await makeJob(sourceId, ['code'], { query: 'select sneak() as code' })).id)).toMatchObject({
      state: 'failed',
      error: 'The query may only read.',
    });
    number++;
    const slow = await makeSource({ ...maria.source, statement_timeout_s: 1 });
    expect(
      await run((await makeJob(slow, ['code'], { query: "select 'a' as code, sleep(8) as s from many" })).id),
    ).toMatchObject({ state: 'failed', error: expect.stringContaining('longer than the time-out') as string });
  });

  it('a run that waits for it ends when somebody cancels it', async () => {
    const job = await makeJob(sourceId, ['code'], { query: 'select code, sleep(20) as s from many' });
    const { run_id: runId } = await post(`/tapi/sync_job/${job.id}/run`);
    await world.app.deliveries.deliver(acme);
    const drained = world.app.jobs.drain();
    while ((await call('GET', `/tapi/sync_run/${runId}`)).data.state === 'queued') await sleep(20);
    // So long that the source is being asked.
    await sleep(500);
    const { version } = (await call('GET', `/tapi/sync_run/${runId}`)).data;
    expect((await post(`/tapi/sync_run/${runId}/cancel`, { version })).status).toBe(200);
    await drained;
    expect((await call('GET', `/tapi/sync_run/${runId}`)).data).toMatchObject({ state: 'cancelled', read: 0 });
  });

  it('explains refusals in words', async () => {
    expect(await test({ ...maria.source, password: 'wrong' })).toEqual({
      error: 'The source does not answer: The server does not accept this user name and password.',
    });
    expect((await test({ ...maria.source, database_name: 'mysql' })).error).toContain(
      'The account may not read the database "mysql".',
    );
    expect(await run((await makeJob(sourceId, ['code'], { query: 'select code from nowhere' })).id)).toMatchObject({
      state: 'failed',
      error: "Table 'shop.nowhere' doesn't exist",
    });
  });

  it('accepts one SELECT by its own rules when a job is saved', async () => {
    const wrong = async (query: string) =>
      (
        await post('/tapi/sync_job', {
          code: `W${number}`,
          title: 'W',
          family: 'custom',
          source_id: sourceId,
          target: 'list',
          target_type: 'segment',
          mode: 'full',
          natural_key: ['code'],
          mapping: [{ source_column: 'code', target_field: 'code' }],
          query,
        })
      ).error?.details[0];
    expect(await wrong('delete from stock')).toEqual({ field: 'query', message: 'The query must begin with SELECT.' });
    expect(await wrong('select 5--2; drop table stock')).toEqual({
      field: 'query',
      message: 'Only one statement is allowed here.',
    });
    expect(await wrong('select 1 /*! into @a */')).toMatchObject({ field: 'query' });
  });

  it('is used without encryption only if that is configured', async () => {
    expect((await test({ ...maria.source, ssl: 'off' })).ok).toBe(true);
    expect((await test({ ...maria.source, ssl: 'prefer' })).ok).toBe(true);
  });
});

describe('SQL Server, simulated by its protocol', () => {
  let server: FakeSqlServer;
  const HEAD = [
    { name: 'code', type: 'nvarchar' as const },
    { name: 'price', type: 'decimal' as const },
    { name: 'at', type: 'datetime2' as const },
    { name: 'qty', type: 'int' as const },
  ];
  const AS_TEXT = HEAD.map(({ name, type }) => ({ name, type: type === 'int' ? type : ('nvarchar' as const) }));
  beforeAll(async () => {
    server = await fakeSqlServer((sql) => {
      if (sql.includes('information_schema'))
        return { columns: [{ name: 'name', type: 'nvarchar' }], rows: [['stock'], ['old.sales']] };
      if (sql.includes('from missing')) return { error: { number: 208, message: "Invalid object name 'missing'." } };
      if (sql.includes('from slow')) return 'silence';
      if (sql.includes('top 0')) return { columns: HEAD };
      if (sql.includes('from many'))
        return { columns: AS_TEXT, rows: Array.from({ length: 11_000 }, (_, at) => [`C${at}`, '1.00', null, at]) };
      return {
        columns: AS_TEXT,
        rows: [
          ['A1', '99999999999999.99', '2026-05-01T10:00:00.25', 7],
          ['தமிழ்', null, null, null],
        ],
      };
    });
  });
  afterAll(() => server?.stop());

  it('shows its tables, and is opened read-only', async () => {
    expect(await test(server.source)).toEqual({ ok: true, tables: ['stock', 'old.sales'] });
    expect(server.readOnly()).toBe(true);
  });

  it('reads rows exactly, with exact texts from the server', async () => {
    const job = await makeJob(await makeSource(server.source), ['code', 'price', 'at', 'qty'], {
      mode: 'incremental',
      cursor_column: 'at',
      query: 'select code, price, at, qty from stock',
    });
    expect(await run(job.id)).toMatchObject({
      state: 'succeeded',
      read: 2,
      inserted: 2,
      cursor_to: '2026-05-01T10:00:00.25',
    });
    expect(await job.rows()).toEqual([
      { code: 'A1', price: '99999999999999.99', at: '2026-05-01T10:00:00.25', qty: 7 },
      { code: 'தமிழ்', price: null, at: null, qty: null },
    ]);
    expect(await acme.sql('select source_columns from {s}.sync_job where id = $1', [job.id])).toEqual([
      {
        source_columns: [
          { name: 'code', type: 'nvarchar' },
          { name: 'price', type: 'decimal' },
          { name: 'at', type: 'datetime2' },
          { name: 'qty', type: 'int' },
        ],
      },
    ]);
    server.asked.length = 0;
    await run(job.id);
    expect(server.asked).toEqual([
      'select top 0 * from (select code, price, at, qty from stock\n) as source',
      "select [code], convert(varchar(50), [price]) as [price], convert(varchar(30), [at], 126) as [at], [qty] from (select code, price, at, qty from stock\n) as source where [at] >= dateadd(minute, -10, convert(datetime2, '2026-05-01T10:00:00.25', 126)) order by [at]",
    ]);
  });

  it('many rows arrive in batches', async () => {
    const job = await makeJob(await makeSource(server.source), ['code', 'qty'], {
      query: 'select code, price, at, qty from many',
    });
    expect(await run(job.id)).toMatchObject({ state: 'succeeded', read: 11_000, inserted: 11_000 });
  });

  it('explains refusals in words, and has a time limit', async () => {
    expect((await test({ ...server.source, password: 'wrong' })).error).toContain(
      'does not accept this user name and password',
    );
    expect((await test({ ...server.source, database_name: 'other' })).error).toContain('There is no database "other"');
    expect((await test({ ...server.source, ssl: 'require' })).error).toContain(
      'The server does not support encryption.',
    );
    expect(
      await run((await makeJob(await makeSource(server.source), ['code'], { query: 'select code from missing' })).id),
    ).toMatchObject({ state: 'failed', error: "Invalid object name 'missing'." });
    number++;
    const slow = await makeSource({ ...server.source, statement_timeout_s: 1 });
    expect(await run((await makeJob(slow, ['code'], { query: 'select code from slow' })).id)).toMatchObject({
      state: 'failed',
      error: expect.stringContaining('longer than the time-out') as string,
    });
  });

  it('cannot redirect us into the network', async () => {
    server.routeTo('10.1.2.3');
    expect((await test({ ...server.source, private_network: false })).error).toContain('This is an internal address.');
  });
});

describe('a folder on an SFTP server', () => {
  let ssh: SshServer;
  beforeAll(async () => {
    ssh = await startSsh();
    ssh.put('stock_1.csv', 'code,name\nS0,Older\n', 60);
    ssh.put('stock_2.csv', 'code,name\nS1,சேலை\nS2,Ring\n', 5);
    ssh.put('other.csv', 'code,name\nO1,Other\n', 1);
    ssh.put('notes.txt', 'nothing', 0);
  });
  afterAll(() => ssh?.stop());

  it('shows its files, newest first', async () => {
    expect(await test(ssh.source)).toEqual({
      ok: true,
      tables: ['notes.txt', 'other.csv', 'stock_2.csv', 'stock_1.csv'],
    });
  });

  it('the newest matching file is read, and named in the log', async () => {
    const job = await makeJob(await makeSource(ssh.source), ['code', 'name'], { file_pattern: 'stock_*.csv' });
    expect((await call('GET', `/tapi/sync_job/${job.id}`)).data).toMatchObject({
      source_kind: 'sftp_file',
      file_pattern: 'stock_*.csv',
    });
    const first = await run(job.id);
    expect(first).toMatchObject({
      state: 'succeeded',
      read: 2,
      inserted: 2,
      log: expect.stringContaining('File stock_2.csv') as string,
    });
    expect(await job.rows()).toEqual([
      { code: 'S1', name: 'சேலை' },
      { code: 'S2', name: 'Ring' },
    ]);
    const book = XLSX.utils.book_new();
    XLSX.utils.book_append_sheet(
      book,
      XLSX.utils.aoa_to_sheet([
        ['code', 'name'],
        ['S3', 'Bangle'],
      ]),
    );
    ssh.put('stock_3.csv', XLSX.write(book, { type: 'buffer', bookType: 'xlsx' }) as Buffer, 1);
    expect(await run(job.id)).toMatchObject({ state: 'succeeded', read: 1, inserted: 1 });
  });

  it('a job names a file that exists and is not too large', async () => {
    const source = await makeSource(ssh.source);
    const wanted = {
      code: `P${number}`,
      title: 'P',
      family: 'custom',
      source_id: source,
      target: 'list',
      target_type: 'segment',
      mode: 'full',
      natural_key: ['code'],
      mapping: [{ source_column: 'code', target_field: 'code' }],
    };
    expect((await post('/tapi/sync_job', wanted)).error.details).toMatchObject([{ field: 'file_pattern' }]);
    expect((await post('/tapi/sync_job', { ...wanted, file_pattern: '../secret.csv' })).error.details).toMatchObject([
      { field: 'file_pattern' },
    ]);
    expect((await run((await makeJob(source, ['code'], { file_pattern: 'sales_*.csv' })).id)).error).toContain(
      'There is no file like "sales_*.csv" in the folder',
    );
    number++;
    ssh.put('large.csv', Buffer.alloc(26 * 1024 * 1024, 'a'), 0);
    expect((await run((await makeJob(source, ['code'], { file_pattern: 'large.csv' })).id)).error).toContain(
      'has more than 25 MB',
    );
    expect((await test({ ...ssh.source, folder: '/nowhere' })).error).toContain(
      'The folder "/nowhere" cannot be read: there is none.',
    );
  });

  it('a server is not used before its key is known, and a changed key is refused', async () => {
    const unknown = (await test({ ...ssh.source, host_key: null })).error!;
    expect(unknown).toContain(`The key of the server is ${ssh.source.host_key}.`);
    expect((await test({ ...ssh.source, private_key: null, password: 'wrong' })).error).toContain(
      'does not accept this user name with this password or key',
    );
    expect((await test({ ...ssh.source, private_key: 'no key at all' })).error).toContain(
      'The private key cannot be read',
    );
    // Entered in a field of one line, a key has lost its line ends.
    expect((await test({ ...ssh.source, private_key: ssh.source.private_key.replaceAll('\n', '') })).ok).toBe(true);
    const changed = await ssh.withAnotherKey();
    const refused = (await test(ssh.source)).error!;
    expect(refused).toContain(`another key than the one entered: ${changed}`);
    expect((await test({ ...ssh.source, host_key: changed })).ok).toBe(true);
  });

  it('its key is never revealed', async () => {
    const id = await makeSource(ssh.source);
    const { data } = await call('GET', `/tapi/sync_source/${id}`);
    expect(data).toMatchObject({ private_key__set: true });
    expect(JSON.stringify(data)).not.toContain('PRIVATE KEY');
    expect(JSON.stringify(await acme.sql('select * from {s}.sync_source where id = $1', [id]))).not.toContain(
      'PRIVATE KEY',
    );
  });
});

it('an Oracle server that redirects is not followed', async () => {
  let followed = 0;
  const there = createServer(() => followed++);
  await new Promise<void>((done) => there.listen(0, '127.0.0.1', done));
  const address = Buffer.from(
    `(DESCRIPTION=(ADDRESS=(PROTOCOL=tcp)(HOST=127.0.0.1)(PORT=${(there.address() as AddressInfo).port})))`,
  );
  // A packet of the kind 5: its length, two bytes of no use, the kind, three more, the length of the address.
  const redirect = Buffer.concat([Buffer.from([0, 10 + address.length, 0, 0, 5, 0, 0, 0, 0, address.length]), address]);
  const listener = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.write(redirect));
  });
  await new Promise<void>((done) => listener.listen(0, '127.0.0.1', done));
  expect(
    (
      await test({
        kind: 'oracle',
        host: '127.0.0.1',
        port: (listener.address() as AddressInfo).port,
        database_name: 'SHOP',
        username: 'reader',
        password: 'Kettle-5',
        ssl: 'off',
      })
    ).error,
  ).toContain('The server sends connections on to 127.0.0.1. Enter that server itself.');
  expect(followed).toBe(0);
  for (const server of [listener, there]) await new Promise((done) => server.close(done));
});

const open = new Set<Socket>();
/** A server that says this to whoever comes, once it was asked or at once; null = nothing, ever. */
async function door(
  greeting: string | null,
  onceAsked: boolean,
): Promise<{ port: number; close: () => Promise<void> }> {
  const server = createServer((socket) => {
    open.add(socket);
    socket.on('error', () => undefined);
    if (greeting === null) return;
    if (onceAsked) socket.once('data', () => socket.end(greeting));
    else socket.end(greeting);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      for (const socket of open) socket.destroy();
      await new Promise((done) => server.close(done));
    },
  };
}
const elsewhere = (kind: string) => ({
  kind,
  host: '127.0.0.1',
  database_name: 'shop',
  username: 'reader',
  password: 'Kettle-5',
  ssl: 'off',
  host_key: `SHA256:${'a'.repeat(43)}`,
});
const KINDS = ['mysql', 'mssql', 'oracle', 'sftp_file'];

it('a port that never answers times out after ten seconds', async () => {
  const silent = await door(null, false);
  const said = await Promise.all(KINDS.map((kind) => test({ ...elsewhere(kind), port: silent.port })));
  for (const { error } of said) expect(error).toMatch(/Nothing answered at 127\.0\.0\.1, port \d+ within 10 s\./);
  await silent.close();
});

describe.each(KINDS)('%s', (kind) => {
  it('at a port without a server', async () => {
    expect((await test({ ...elsewhere(kind), port: await freePort() })).error).toMatch(
      /Nothing listens at 127\.0\.0\.1, port \d+\. Check server, port and firewall\./,
    );
  });

  it('with a different service', async () => {
    const other = await door(
      'HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n',
      kind === 'mssql' || kind === 'oracle',
    );
    expect((await test({ ...elsewhere(kind), port: other.port })).error).toContain(
      kind === 'sftp_file' ? 'No SSH server answered' : 'ended the connection.',
    );
    await other.close();
  });

  it('inside the network, without permission', async () => {
    const inside = { ...elsewhere(kind), name: `Inside ${kind}`, host: '10.1.2.3' };
    expect((await post('/tapi/sync_source', inside)).error.details).toMatchObject([
      { field: 'host', message: expect.stringContaining('an internal address') as string },
    ]);
    expect((await post('/tapi/sync_source', { ...inside, private_network: true })).status).toBe(201);
  });
});

it('another kind of server has its own port', async () => {
  const id = await makeSource({ ...elsewhere('postgres'), port: 5432 });
  const { data } = await call('GET', `/tapi/sync_source/${id}`);
  expect((await call('PUT', `/tapi/sync_source/${id}`, { version: data.version, kind: 'mysql' })).data).toMatchObject({
    kind: 'mysql',
    port: null,
  });
  const job = await makeJob(id, ['code'], { query: 'select `a` as code' });
  const again = await call('GET', `/tapi/sync_source/${id}`);
  await call('PUT', `/tapi/sync_source/${id}`, { version: again.data.version, kind: 'mssql', port: 1434 });
  expect((await call('GET', `/tapi/sync_source/${id}`)).data).toMatchObject({ port: 1434 });
  expect((await call('GET', `/tapi/sync_job/${job.id}`)).data).toMatchObject({ source_kind: 'mssql' });
});
