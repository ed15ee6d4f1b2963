import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { forgetClientSettings } from '../../../src/server/services/settings/client_settings.ts';
import { openJson, wrongServiceAddress } from '../../../src/server/platform/sync/json_source.ts';
import { upload } from '../multipart.ts';
import type { Caller, TestTenant, World } from '../world.ts';
import { startWorld } from '../world.ts';
import type { OutsideDatabase } from './outside_database.ts';
import { outsideDatabase } from './outside_database.ts';

let world: World;
let outside: OutsideDatabase;
let acme: TestTenant;
let admin: Caller;
let integrator: Caller;
let sourceId: number;

beforeAll(async () => {
  world = await startWorld({ env: { SYNC_LOCAL_SOURCES: '1' }, alone: true, types: [] });
  outside = await outsideDatabase(world.database.databaseUrl);
  acme = await world.tenant({ products: ['ANALYTICS'], companies: 2 });
  await acme.user('admin', { isAdmin: true, companies: [{ company: 1 }, { company: 2 }] });
  const role = await acme.role({
    modules: ['SETTINGS'],
    screens: { SCN_ORO_TO_POSTGRES: ['landing', 'add_screen', 'edit_screen', 'view_screen'] },
    actions: ['MANAGE_INTEGRATIONS'],
  });
  await acme.user('ravi', { companies: [{ company: 1, roles: [role] }] });
  [admin, integrator] = await Promise.all([world.signIn(acme, 'admin'), world.signIn(acme, 'ravi')]);
  sourceId = (await post('/tapi/sync_source', { name: 'Outside', ...outside.source })).data.id;
});
afterAll(async () => {
  await outside?.close();
  await world?.close();
});

interface Answer {
  status: number;
  data: Record<string, unknown> & { id: number; version: number };
  run_id: number;
  error: { code: string; message: string; field: string | null; details: { field: string; message: string }[] };
}

async function call(method: string, url: string, body?: unknown, by: Caller = admin): Promise<Answer> {
  const answer = await by.call(method, url, body);
  return { status: answer.statusCode, ...(answer.body === '' ? {} : answer.json<object>()) } as Answer;
}
const post = (url: string, body: unknown = {}, by?: Caller) => call('POST', url, body, by);

let number = 0;
let table: string;
beforeEach(async () => {
  number++;
  table = `stock_${number}`;
  await outside.sql(`create table ${table} (code text, name text, qty int, at timestamptz default now())`);
});

/** Rows of the outside table, as "code name". */
async function put(...rows: string[]): Promise<void> {
  await outside.sql(`truncate ${table}`);
  for (const row of rows)
    await outside.sql(`insert into ${table} (code, name) values ($1, nullif($2, ''))`, [
      row.split(' ')[0],
      row.split(' ').slice(1).join(' '),
    ]);
}
/** A job that brings segments; the tests' records begin with a letter of their own. */
async function makeJob(more: Record<string, unknown> = {}): Promise<number> {
  const answer = await post('/tapi/sync_job', {
    code: `JOB${number}`,
    title: `Segments ${number}`,
    family: 'oro',
    source_id: sourceId,
    query: `select code, name from ${table} order by 1`,
    target: 'list',
    target_type: 'segment',
    mode: 'full',
    natural_key: ['code'],
    mapping: [
      { source_column: 'code', target_field: 'code', required: true },
      { source_column: 'name', target_field: 'name', required: true },
      { source_column: 'code', target_field: 'segment_type', transform: "if(value == null, null, 'market')" },
    ],
    on_missing: 'keep',
    delete_guard_percent: '20',
    reject_limit_percent: '20',
    ...more,
  });
  if (answer.status !== 201) throw new Error(JSON.stringify(answer));
  return answer.data.id;
}
/** What a step asks for is queued after it, and then done. */
async function drain(): Promise<number> {
  await world.app.deliveries.deliver(acme);
  return world.app.jobs.drain();
}
/** Takes a step of a run as it is now. */
async function step(run: number, name: string, body: object = {}): Promise<Answer> {
  const { version } = (await call('GET', `/tapi/sync_run/${run}`)).data;
  return post(`/tapi/sync_run/${run}/${name}`, { version, ...body });
}
async function runJob(id: number, how: 'run' | 'dry_run' = 'run'): Promise<Answer['data']> {
  const { status, run_id: run, error } = await post(`/tapi/sync_job/${id}/${how}`);
  expect([status, error]).toEqual([202, undefined]);
  await drain();
  return (await call('GET', `/tapi/sync_run/${run}`)).data;
}
const segments = async () =>
  (
    await acme.sql<{ code: string; name: string; active: boolean }>(
      'select code, name, active from {s}.segment order by code',
    )
  ).map(({ code, name, active }) => `${code} ${name}${active ? '' : ' off'}`);
const clear = () => acme.sql('delete from {s}.segment');

describe('a job', () => {
  it('counts as designed: 12 read, 3 new, 4 changed, 3 unchanged, 2 rejected, 1 removed', async () => {
    await clear();
    await put('S1 One', 'S2 Two', 'S3 Three', 'S4 Four', 'S5 Five', 'S6 Six', 'S7 Seven', 'X1 Old');
    const id = await makeJob({ on_missing: 'deactivate' });
    expect(await runJob(id)).toMatchObject({ state: 'succeeded', read: 8, inserted: 8 });
    await put(
      'S1 One',
      'S2 Two',
      'S3 Three',
      'S4 4',
      'S5 5',
      'S6 6',
      'S7 7',
      'S8 Eight',
      'S9 Nine',
      'S10 Ten',
      'S11 ',
      'S12 ',
    );
    const dry = await runJob(id, 'dry_run');
    const counts = { read: 12, inserted: 3, updated: 4, unchanged: 3, rejected: 2, deactivated: 1 };
    expect(dry).toMatchObject({ state: 'succeeded_with_rejects', trigger: 'dry', ...counts });
    expect((dry.differences as { op: string; key: string }[]).map(({ op, key }) => `${op} ${key}`)).toEqual([
      'insert S10',
      'insert S8',
      'insert S9',
      'update S4',
      'update S5',
      'update S6',
      'update S7',
      'deactivate x1',
    ]);
    expect(await segments()).toHaveLength(8);
    const run = await runJob(id);
    expect(run).toMatchObject({
      state: 'succeeded_with_rejects',
      trigger: 'manual',
      ...counts,
      log: expect.stringContaining('name is empty') as string,
    });
    expect(await segments()).toEqual([
      'S1 One',
      'S10 Ten',
      'S2 Two',
      'S3 Three',
      'S4 4',
      'S5 5',
      'S6 6',
      'S7 7',
      'S8 Eight',
      'S9 Nine',
      'X1 Old off',
    ]);
    expect((await call('GET', `/tapi/sync_job/${id}`)).data).toMatchObject({
      state: 'succeeded_with_rejects',
      runs: 2,
      rows_read: 20,
      rows_rejected: 2,
    });
    const [history] = await acme.sql<{ op: string; what: string }>(
      `select op, what from {s}.history where record_type = 'segment' order by id desc limit 1`,
    );
    expect(history).toEqual({ op: 'X', what: `sync ${run.id}` });
  });

  it('keeps rejected rows until they are corrected there', async () => {
    await clear();
    await put('A1 Good', 'A2 ', 'A3 Fine', 'A4 Right', 'A5 Sound');
    const run = await runJob(await makeJob());
    const rejects = (await call('GET', `/tapi/sync_run/${run.id}/rejects`)) as unknown as {
      data: (Answer['data'] & { cells: { column: string; value: string | null }[] })[];
    };
    expect(rejects.data).toMatchObject([{ key: 'A2', state: 'open', error: 'name is empty.', row_no: 2 }]);
    const { id } = rejects.data[0]!;
    expect(await post(`/tapi/sync_reject/${id}/retry`)).toMatchObject({
      status: 422,
      error: { message: 'name is empty.' },
    });
    expect(await post(`/tapi/sync_reject/${id}/retry`, { payload: { code: 'A2', name: 'Mended' } })).toMatchObject({
      status: 200,
      data: { state: 'fixed' },
    });
    expect(await segments()).toContain('A2 Mended');
    expect(await post(`/tapi/sync_reject/${id}/retry`)).toMatchObject({ status: 409 });
    expect((await call('GET', `/tapi/sync_reject/${id}`)).data).toMatchObject({
      state: 'fixed',
      cells: [
        { column: 'code', value: 'A2' },
        { column: 'name', value: 'Mended' },
      ],
    });
  });

  it('a rejected row that is valid in a later run needs no correction', async () => {
    await clear();
    await put('B1 Good', 'B2 ', 'B3 Fine', 'B4 Right', 'B5 Sound');
    const id = await makeJob();
    await runJob(id);
    await put('B1 Good', 'B2 Came', 'B3 Fine', 'B4 Right', 'B5 Sound');
    expect(await runJob(id)).toMatchObject({ state: 'succeeded', inserted: 1, unchanged: 4 });
    expect(await acme.sql('select state from {s}.sync_reject where job_id = $1', [id])).toEqual([
      { state: 'superseded' },
    ]);
  });

  it('rows without a key are kept by their position, once', async () => {
    await clear();
    await outside.sql(
      `insert into ${table} (code, name) values ('N1', 'One'), (null, 'Nameless'), ('N3', 'Three'), ('N4', 'Four'), ('N5', 'Five')`,
    );
    const id = await makeJob({ query: `select code, name from ${table} order by name = 'Nameless', 1` });
    await runJob(id);
    await runJob(id);
    expect(await acme.sql('select key, state from {s}.sync_reject where job_id = $1 order by id', [id])).toEqual([
      { key: 'Row 5', state: 'superseded' },
      { key: 'Row 5', state: 'open' },
    ]);
  });

  it('stops when too many rows would be removed, continues once with a reason, and notifies', async () => {
    await clear();
    const all = Array.from({ length: 10 }, (_, n) => `G${n} Group ${n}`);
    await put(...all);
    const id = await makeJob({ on_missing: 'deactivate', notify: [integrator.userId] });
    await runJob(id);
    await put(...all.slice(0, 8));
    expect(await runJob(id)).toMatchObject({ state: 'succeeded', deactivated: 2 });
    await put(...all.slice(0, 5));
    const stopped = await runJob(id);
    expect(stopped).toMatchObject({
      state: 'stopped_by_guard',
      read: 5,
      deactivated: 3,
      error: '3 of 8 records would be deactivated (37.5 %), more than the 20 % allowed. Nothing was written.',
    });
    expect((await segments()).filter((text) => text.endsWith('off'))).toHaveLength(2);
    expect(
      await acme.sql(`select title from {s}.notification where user_id = $1 order by id desc limit 1`, [
        integrator.userId,
      ]),
    ).toEqual([{ title: `The import job "Segments ${number}" was stopped` }]);
    expect(await step(stopped.id, 'approve', { reason: ' ' })).toMatchObject({
      status: 422,
      error: { field: 'reason' },
    });
    // More would go now than was seen when it was approved: it is asked again.
    await put(...all.slice(0, 3));
    await step(stopped.id, 'approve', { reason: 'Season change' });
    await drain();
    expect((await call('GET', `/tapi/sync_run/${stopped.id}`)).data).toMatchObject({
      state: 'stopped_by_guard',
      deactivated: 5,
    });
    await step(stopped.id, 'approve', { reason: 'Season change' });
    await drain();
    expect((await call('GET', `/tapi/sync_run/${stopped.id}`)).data).toMatchObject({
      state: 'succeeded',
      deactivated: 5,
      approved_by: admin.userId,
      approval_reason: 'Season change',
    });
    expect(await step(stopped.id, 'approve', { reason: 'Again' })).toMatchObject({ status: 409 });
  });

  it('stops before writing when too many rows are invalid', async () => {
    await clear();
    await put('R1 Good', 'R2 ', 'R3 Fine');
    expect(await runJob(await makeJob())).toMatchObject({
      state: 'stopped_by_guard',
      read: 3,
      rejected: 1,
      error: '1 of 3 rows are faulty (33.33 %), more than the 20 % allowed. Nothing was written.',
    });
    expect(await segments()).toEqual([]);
  });

  it('without its own limits uses the client’s', async () => {
    await clear();
    await put('L1 Good', ...Array.from({ length: 98 }, (_, n) => `L${n + 2} Row ${n}`), 'L100 ');
    const id = await makeJob({ reject_limit_percent: null });
    expect(await runJob(id)).toMatchObject({ state: 'succeeded_with_rejects', read: 100, rejected: 1 });
    await put('L1 Good', 'L2 ');
    expect((await runJob(id)).error).toContain('more than the 1 % allowed');
    const { data } = await call('GET', '/tapi/configuration/single');
    expect(
      (await call('PUT', '/tapi/configuration/single', { version: data.version, sync_reject_limit_percent: 60 }))
        .status,
    ).toBe(200);
    forgetClientSettings();
    expect(await runJob(id)).toMatchObject({ state: 'succeeded_with_rejects' });
    await clear();
  });

  it('runs one at a time, and a waiting run can be cancelled', async () => {
    await put('C1 One');
    const id = await makeJob();
    const { run_id: run } = await post(`/tapi/sync_job/${id}/run`, { dry: true });
    expect(await post(`/tapi/sync_job/${id}/run`)).toMatchObject({
      status: 409,
      error: { message: `Run ${run} is still running.` },
    });
    expect(await step(run, 'cancel')).toMatchObject({ status: 200, data: { state: 'cancelled' } });
    await drain();
    expect((await call('GET', `/tapi/sync_run/${run}`)).data).toMatchObject({ state: 'cancelled', read: 0 });
    expect(await step(run, 'cancel')).toMatchObject({ status: 409 });
  });

  it('is cancelled in the middle of a slow source', async () => {
    await put('K1 One');
    const id = await makeJob({ query: `select code, name from ${table}, pg_sleep(30)` });
    const { run_id: run } = await post(`/tapi/sync_job/${id}/run`);
    const drained = drain();
    await expect.poll(async () => (await call('GET', `/tapi/sync_run/${run}`)).data.state).toBe('running');
    expect(await step(run, 'cancel')).toMatchObject({ status: 200 });
    await drained;
    expect((await call('GET', `/tapi/sync_run/${run}`)).data).toMatchObject({ state: 'cancelled' });
    expect((await segments()).some((text) => text.startsWith('K1'))).toBe(false);
  });

  it('continues from the last committed row, with a small overlap', async () => {
    await clear();
    await put('I1 One', 'I2 Two');
    await outside.sql(`update ${table} set at = '2026-01-01 10:00+00'`);
    const id = await makeJob({
      mode: 'incremental',
      cursor_column: 'at',
      query: `select code, name, at from ${table}`,
    });
    expect(await runJob(id)).toMatchObject({
      read: 2,
      inserted: 2,
      cursor_from: null,
      cursor_to: '2026-01-01T10:00:00Z',
    });
    await outside.sql(
      `insert into ${table} values ('I3', 'Stamped during the run', 0, '2026-01-01 09:52+00'), ('I4', 'Long before', 0, '2026-01-01 09:00+00'), ('I5', 'Later', 0, '2026-01-02 09:00+00')`,
    );
    expect(await runJob(id)).toMatchObject({
      read: 4,
      inserted: 2,
      unchanged: 2,
      cursor_from: '2026-01-01T10:00:00Z',
      cursor_to: '2026-01-02T09:00:00Z',
    });
    expect(await segments()).toEqual(['I1 One', 'I2 Two', 'I3 Stamped during the run', 'I5 Later']);
  });

  it('leaves everything unchanged when the source fails in the middle', async () => {
    await clear();
    await outside.sql(
      `insert into ${table} select 'D' || n, 'Row ' || n || repeat(' x', 40), n, '2026-01-01'::timestamptz + n * interval '1 second' from generate_series(1, 12000) n`,
    );
    const id = await makeJob({
      mode: 'incremental',
      cursor_column: 'at',
      query: `select code, name, at from ${table}`,
      notify: [integrator.userId],
    });
    outside.cutAfter(900_000);
    const run = await runJob(id);
    outside.cutAfter(null);
    expect(run).toMatchObject({ state: 'failed', read: 5000, inserted: 0 });
    expect(run.error).toBeTruthy();
    expect(await segments()).toEqual([]);
    expect((await call('GET', `/tapi/sync_job/${id}`)).data).toMatchObject({
      state: 'failed',
      cursor_value: null,
      last_success_at: null,
    });
    expect(
      await acme.sql(`select title from {s}.notification where user_id = $1 order by id desc limit 1`, [
        integrator.userId,
      ]),
    ).toEqual([{ title: `The import job "Segments ${number}" failed` }]);
    expect(await runJob(id)).toMatchObject({ state: 'succeeded', read: 12000, inserted: 12000 });
    await clear();
  });

  it('stops before writing when a column is missing or changed its type, and notes a new one', async () => {
    await clear();
    await put('M1 One');
    const id = await makeJob({ query: `select * from ${table}` });
    await runJob(id);
    await outside.sql(`alter table ${table} add column colour text`);
    expect(await runJob(id)).toMatchObject({ state: 'succeeded', log: 'New column colour in the source.' });
    await outside.sql(`alter table ${table} alter column code type varchar(40)`);
    expect(await runJob(id)).toMatchObject({
      state: 'failed',
      error: 'Column code is character varying in the source now, it was text. Check the mapping and save the job.',
    });
    const { data } = await call('GET', `/tapi/sync_job/${id}`);
    await call('PUT', `/tapi/sync_job/${id}`, { version: data.version, title: `Seen ${number}` });
    expect(await runJob(id)).toMatchObject({ state: 'succeeded' });
    await outside.sql(`alter table ${table} rename column name to called`);
    await outside.sql(`update ${table} set code = 'M2'`);
    expect(await runJob(id)).toMatchObject({ state: 'failed', error: 'Column name is missing in the source' });
    expect(await segments()).toEqual(['M1 One']);
  });

  it('refuses a row with a duplicate second key, and accepts the rest', async () => {
    await clear();
    await acme.sql(`insert into {s}.segment (code, name, segment_type) values ('T9', 'Taken', 'market')`);
    await put('T1 One', 'T2 Taken', 'T3 Three', 'T4 Four', 'T5 Five', 'T1 Twice');
    const run = await runJob(await makeJob({ reject_limit_percent: '50' }));
    expect(run).toMatchObject({ state: 'succeeded_with_rejects', inserted: 4, rejected: 2 });
    expect(run.log).toMatch(/T2.*already|already.*T2/s);
    expect(run.log).toContain('Row 1 has the same key.');
  });

  it('finds references by name within its company', async () => {
    await clear();
    await acme.sql(`insert into {s}.segment (code, name, segment_type) values ('P0', 'Parent', 'market')`);
    await outside.sql(`alter table ${table} add column parent text`);
    await put('P1 Child', 'P2 Orphan');
    await outside.sql(`update ${table} set parent = case code when 'P1' then 'parent' else 'Nobody' end`);
    const mapping = [
      { source_column: 'code', target_field: 'code' },
      { source_column: 'name', target_field: 'name' },
      { source_column: 'parent', target_field: 'parent_segment_id' },
      { source_column: 'none', target_field: 'segment_type', default_value: 'product' },
    ];
    await outside.sql(`alter table ${table} add column none text`);
    const run = await runJob(await makeJob({ query: `select * from ${table}`, mapping, reject_limit_percent: '60' }));
    expect(run).toMatchObject({ inserted: 1, rejected: 1 });
    expect(run.log).toContain('"Nobody"');
    expect(
      await acme.sql(
        `select s.code, p.code as parent, s.segment_type from {s}.segment s join {s}.segment p on p.id = s.parent_segment_id`,
      ),
    ).toEqual([{ code: 'P1', parent: 'P0', segment_type: 'product' }]);
  });

  it('is checked by the list’s own rules, as forms are', async () => {
    await admin.call('GET', '/tapi/branch');
    const [place] = await acme.sql<{ city: string; state: string; country: string; state_id: number }>(
      'select c.name as city, s.name as state, o.name as country, s.id as state_id from {s}.city_mstr c join {s}.state_mstr s on s.id = c.state_id join {s}.country o on o.id = s.country_id limit 1',
    );
    await acme.sql(`update {s}.state_mstr set gst_code = '33' where id = $1`, [place!.state_id]);
    await outside.sql(`alter table ${table} add column gstin text, add column none text`);
    await put('BR1 Right', 'BR2 Wrong');
    await outside.sql(
      `update ${table} set gstin = case code when 'BR1' then '33AAACA1234B1ZP' else '29AAACA1234B1ZE' end`,
    );
    const constant = {
      branch_type: 'branch',
      address1: 'Road',
      pincode: '600001',
      city: place!.city,
      state_id: place!.state,
      country: place!.country,
    };
    const mapping = [
      ...['code', 'name', 'gstin'].map((name) => ({ source_column: name, target_field: name })),
      ...Object.entries(constant).map(([name, value]) => ({
        source_column: 'none',
        target_field: name,
        default_value: value,
      })),
    ];
    const run = await runJob(
      await makeJob({
        target_type: 'branch',
        company_id: acme.entityIds[0],
        query: `select * from ${table}`,
        mapping,
        reject_limit_percent: '60',
      }),
    );
    expect(run).toMatchObject({ inserted: 1, rejected: 1 });
    expect(run.log).toMatch(/begins with 33; this begins with 29/);
  });
});

describe('refused when a job is saved', () => {
  const wrong = async (more: Record<string, unknown>, by: Caller = admin) => {
    const answer = await post(
      '/tapi/sync_job',
      {
        code: `W${number}`,
        title: 'Wrong',
        family: 'oro',
        source_id: sourceId,
        query: 'select 1',
        target: 'list',
        target_type: 'segment',
        mode: 'full',
        natural_key: ['code'],
        mapping: [{ source_column: 'code', target_field: 'code' }],
        ...more,
      },
      by,
    );
    return [answer.status, answer.error?.details?.[0]?.field, answer.error?.details?.[0]?.message];
  };

  it.each([
    ['delete from stock', 'The query must begin with SELECT.'],
    ['select 1; drop table stock', 'Only one statement is allowed here.'],
    ['with gone as (delete from stock returning 1) select * from gone', 'The query may only read: take out DELETE.'],
    ['select * into copy from stock', 'The query may only read: take out INTO.'],
    ['select * from stock for update', 'The query may only read: take out UPDATE.'],
    ["select 'open", 'A quotation mark or a comment is not closed.'],
    ['', 'Enter one SELECT.'],
  ])('%s', async (query, message) => {
    expect(await wrong({ query })).toEqual([422, 'query', message]);
  });

  it('a SELECT with such words in texts and comments is allowed', async () => {
    expect(
      (
        await wrong({ query: `select 'a; delete from b' as code, "update" /* ; insert */ from stock -- for update\n;` })
      )[0],
    ).toBe(201);
  });

  it('a list that decides rights, unknown lists and fields, a missing company, an invalid schedule', async () => {
    expect(await wrong({ target_type: 'users' })).toEqual([
      422,
      'target_type',
      'Users cannot be filled by import jobs.',
    ]);
    expect(await wrong({ target_type: 'nothing' })).toEqual([
      422,
      'target_type',
      'There is no list "nothing". Its name is in its address.',
    ]);
    expect(
      await wrong({
        mapping: [
          { source_column: 'code', target_field: 'code' },
          { source_column: 'x', target_field: 'nope' },
        ],
      }),
    ).toEqual([422, 'mapping.1.target_field', 'Segments have no field "nope" that can be imported.']);
    expect(await wrong({ target_type: 'department' })).toEqual([
      422,
      'company_id',
      'Departments belong to one company: choose it.',
    ]);
    expect(await wrong({ natural_key: ['name'] })).toEqual([422, 'natural_key', 'No column is mapped to "name".']);
    expect((await wrong({ scheduled: true, schedule: 'daily' })).slice(0, 2)).toEqual([422, 'schedule']);
    expect(
      await wrong({ mapping: [{ source_column: 'code', target_field: 'code', transform: 'upper(' }] }).then((found) =>
        found.slice(0, 2),
      ),
    ).toEqual([422, 'mapping.0.transform']);
  });

  it('a list that its author may not import', async () => {
    expect(await wrong({}, integrator)).toEqual([
      422,
      'target_type',
      'You may not import Segments yourself, so a job of yours may not either. Ask your administrator.',
    ]);
  });
});

describe('a source', () => {
  it('returns its tables in a test, and is read-only', async () => {
    const test = (await admin.call('POST', `/tapi/sync_source/${sourceId}/test`)).json<{
      ok: boolean;
      tables: string[];
      ms: number;
    }>();
    expect(test).toMatchObject({ ok: true });
    expect(test.tables).toContain(table);
    await outside.sql('create sequence if not exists counter');
    expect(
      await runJob(await makeJob({ query: `select nextval('counter')::text as code, 'N' as name` })),
    ).toMatchObject({ state: 'failed', error: 'The query may only read.' });
  });

  it('that exceeds its time-out is given up', async () => {
    const { data } = await post('/tapi/sync_source', { name: 'Slow', ...outside.source, statement_timeout_s: 1 });
    expect(
      await runJob(await makeJob({ source_id: data.id, query: `select 'a' as code, 'b' as name from pg_sleep(5)` })),
    ).toMatchObject({ state: 'failed', error: expect.stringContaining('longer than the time-out') as string });
  });

  it('inside the network is refused without permission, and never reveals its password', async () => {
    expect(await post('/tapi/sync_source', { name: 'Inside', ...outside.source, host: '10.1.2.3' })).toMatchObject({
      status: 422,
      error: { details: [{ field: 'host' }] },
    });
    const { data } = await post('/tapi/sync_source', {
      name: 'Inside',
      ...outside.source,
      host: '10.1.2.3',
      private_network: true,
      password: 'Kettle-9',
    });
    expect(data).toMatchObject({ host: '10.1.2.3', password__set: true });
    expect(JSON.stringify((await call('GET', `/tapi/sync_source/${data.id}`)).data)).not.toContain('Kettle-9');
    expect(await post('/tapi/sync_source/999999/test')).toMatchObject({ status: 404 });
  });

  it('can be a file: read by its headings, incrementally by its cursor', async () => {
    await clear();
    const file = upload('stock.csv', 'Code,Name,Changed\nF1,First,2026-05-01\nF2,Second,2026-05-03\n');
    const { data: stored } = (
      await admin.call('POST', '/tapi/files?for=sync_source.file', file.payload, file.headers)
    ).json<{ data: { id: number } }>();
    const { data: source } = await post('/tapi/sync_source', { name: 'File', kind: 'upload_file', file: stored.id });
    const id = await makeJob({
      source_id: source.id,
      query: null,
      mode: 'incremental',
      cursor_column: 'Changed',
      mapping: [
        { source_column: 'Code', target_field: 'code' },
        { source_column: 'Name', target_field: 'name' },
        { source_column: 'Code', target_field: 'segment_type', transform: "'customer'" },
      ],
    });
    expect(await runJob(id)).toMatchObject({ state: 'succeeded', read: 2, inserted: 2 });
    expect(await runJob(id)).toMatchObject({ state: 'succeeded', read: 1, unchanged: 1 });
    expect(await segments()).toEqual(['F1 First', 'F2 Second']);
  });
});

describe('a web service', () => {
  const asked: { url: string; key: string | undefined }[] = [];
  let service: Server;
  let base: string;
  let answers: (path: string) => { status?: number; body: unknown; location?: string };
  beforeAll(async () => {
    service = createServer((request, response) => {
      asked.push({ url: request.url!, key: request.headers['x-key'] as string | undefined });
      const { status = 200, body, location } = answers(request.url!);
      response
        .writeHead(status, { 'content-type': 'application/json', ...(location && { location }) })
        .end(typeof body === 'string' ? body : JSON.stringify(body));
    });
    await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
    base = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  });
  afterAll(
    () =>
      new Promise<void>((resolve) => {
        service.closeAllConnections();
        service.close(() => resolve());
      }),
  );
  const MAPPING = [
    { source_column: 'item.code', target_field: 'code', required: true },
    { source_column: 'name', target_field: 'name', required: true },
    { source_column: 'item.code', target_field: 'segment_type', transform: "'market'" },
  ];

  it('is read page by page with its key, from the last change on; the key is never revealed and sent nowhere else', async () => {
    await clear();
    const { data: source } = await post('/tapi/sync_source', {
      name: 'ERP',
      kind: 'http_json',
      private_network: true,
      url: `${base}/items?after={since}`,
      rows_at: 'data.items',
      next_at: 'links.next',
      headers: [{ name: 'X-Key', value: 'Kettle-7' }],
    });
    expect(JSON.stringify((await call('GET', `/tapi/sync_source/${source.id}`)).data)).not.toContain('Kettle-7');
    const row = (code: string, changed: string) => ({ item: { code }, name: `Item ${code}`, changed, tags: ['a'] });
    answers = (path) =>
      path.startsWith('/items?')
        ? { body: { data: { items: [row('W1', '2026-05-01T10:00:00Z')] }, links: { next: '/more' } } }
        : { body: { data: { items: [row('W2', '2026-05-02T10:00:00Z')] }, links: { next: null } } };
    expect((await admin.call('POST', `/tapi/sync_source/${source.id}/test`)).json()).toMatchObject({
      ok: true,
      tables: ['item.code', 'name', 'changed', 'tags'],
    });
    const id = await makeJob({
      source_id: source.id,
      query: null,
      mode: 'incremental',
      cursor_column: 'changed',
      mapping: MAPPING,
    });
    asked.length = 0;
    expect(await runJob(id)).toMatchObject({
      state: 'succeeded',
      read: 2,
      inserted: 2,
      cursor_to: '2026-05-02T10:00:00Z',
    });
    expect(asked).toEqual([
      { url: '/items?after=1970-01-01T00%3A00%3A00.000Z', key: 'Kettle-7' },
      { url: '/more', key: 'Kettle-7' },
    ]);
    expect(await runJob(id)).toMatchObject({ state: 'succeeded', read: 1, unchanged: 1 });
    expect(asked[2]!.url).toBe('/items?after=2026-05-02T09%3A50%3A00.000Z');
    expect(await segments()).toEqual(['W1 Item W1', 'W2 Item W2']);
    answers = () => ({ body: { data: { items: [] }, links: {} } });
    expect(await runJob(id)).toMatchObject({
      state: 'succeeded',
      read: 0,
      log: null,
      cursor_to: '2026-05-02T10:00:00Z',
    });
    const fails = async (answer: typeof answers) => {
      answers = answer;
      return (await runJob(id)).error;
    };
    expect(await fails(() => ({ body: { data: { items: [] }, links: { next: 'https://elsewhere.example/x' } } }))).toBe(
      'The next page is on another server; the keys of this one do not go there.',
    );
    expect(await fails(() => ({ body: { data: {} } }))).toBe('There is no list at "data.items" in the answer.');
    expect(await fails(() => ({ status: 302, body: '', location: 'http://127.0.0.1/' }))).toBe(
      'The service answered 302.',
    );
    expect(await fails(() => ({ status: 401, body: 'Who are you?' }))).toBe('The service answered 401.');
    expect(await fails(() => ({ body: '<html>' }))).toBe('The service did not answer in JSON.');
    expect(await fails(() => ({ body: { data: { items: [{ name: 'x', changed: 'y' }] } } }))).toBe(
      'Column item.code is missing in the source',
    );
  });

  it('has an encrypted address, or explicit permission for the network, and keeps secrets out of it', async () => {
    const made = (url: string, more: object = {}) =>
      post('/tapi/sync_source', { name: `S ${url}`, kind: 'http_json', url, ...more });
    expect(await made('ftp://erp.acme.in/x')).toMatchObject({ status: 422, error: { details: [{ field: 'url' }] } });
    expect(await made('https://asha:secret@erp.acme.in/x')).toMatchObject({
      status: 422,
      error: { details: [{ field: 'url', message: expect.stringContaining('as a header') }] },
    });
    expect(await made('https://erp.acme.in/x?after={since}')).toMatchObject({ status: 201 });
    expect(wrongServiceAddress('http://erp.acme.in/x', false)).toContain('begins with https://');
    await expect(
      openJson(
        {
          url: 'https://169.254.169.254/latest',
          rows_at: null,
          next_at: null,
          headers: [],
          statement_timeout_s: 1,
          private_network: true,
        },
        null,
        { reach: { privateNetwork: true, thisMachine: false }, maxRows: 10 },
      ),
    ).rejects.toThrow('the server of Mainstay itself');
    await expect(
      openJson(
        {
          url: 'https://10.1.2.3/x',
          rows_at: null,
          next_at: null,
          headers: [],
          statement_timeout_s: 1,
          private_network: false,
        },
        null,
        { reach: { privateNetwork: false, thisMachine: false }, maxRows: 10 },
      ),
    ).rejects.toThrow('an internal address');
  });
});

describe('import into a collection', () => {
  it('keeps rows by key, with the branch they belong to', async () => {
    await acme
      .sql(
        `insert into {s}.branch (code, name, branch_type, entity_id, address1, city, state_id, country, pincode) select 'CHN', 'Chennai', 'branch', $1, 'x', c.id, s.id, n.id, '600001' from {s}.city_mstr c, {s}.state_mstr s, {s}.country n`,
        [acme.entityIds[0]],
      )
      .catch(() => undefined);
    const { data: collection } = await post('/tapi/analytics_collection', {
      code: `stock_${number}`,
      title: 'Stock',
      key_fields: ['code'],
    });
    await put('CHN Ring', 'MUM Chain', 'CHN ');
    const mapping = [
      { source_column: 'code', target_field: 'branch_code' },
      { source_column: 'name', target_field: 'design', required: true },
      { source_column: 'qty', target_field: 'pieces' },
    ];
    const id = await makeJob({
      target: 'collection',
      target_type: null,
      collection_id: collection.id,
      company_id: acme.entityIds[0],
      natural_key: ['branch_code', 'design'],
      mapping,
      query: `select code, name, qty from ${table}`,
      reject_limit_percent: '50',
      on_missing: 'deactivate',
      delete_guard_percent: '50',
    });
    expect(await runJob(id)).toMatchObject({ state: 'succeeded_with_rejects', read: 3, inserted: 2, rejected: 1 });
    await put('CHN Ring', 'CHN Bangle');
    await outside.sql(`update ${table} set qty = 5 where name = 'Ring'`);
    expect(await runJob(id, 'dry_run')).toMatchObject({ inserted: 1, updated: 1, deactivated: 1 });
    expect(await acme.sql('select key from {s}.collection_row where collection_id = $1', [collection.id])).toHaveLength(
      2,
    );
    expect(await runJob(id)).toMatchObject({ state: 'succeeded', inserted: 1, updated: 1, deactivated: 1 });
    expect(
      await acme.sql(
        'select key, entity_id, branch_id is not null as placed, data from {s}.collection_row where collection_id = $1 order by key',
        [collection.id],
      ),
    ).toEqual([
      {
        key: 'chn / bangle',
        entity_id: acme.entityIds[0],
        placed: true,
        data: { branch_code: 'CHN', design: 'Bangle', pieces: null },
      },
      {
        key: 'chn / ring',
        entity_id: acme.entityIds[0],
        placed: true,
        data: { branch_code: 'CHN', design: 'Ring', pieces: 5 },
      },
    ]);
    expect((await call('GET', `/tapi/analytics_collection/${collection.id}`)).data).toMatchObject({
      row_count: 2,
      state: 'idle',
    });
  });
});

describe('the schedule', () => {
  it('starts due jobs once, and not missed ones', async () => {
    await put('Z1 One');
    const id = await makeJob({ scheduled: true, schedule: '*/5 * * * *' });
    const tick = async () => {
      await world.app.jobs.enqueue('public', 'sync_schedule');
      await drain();
    };
    await tick();
    expect(await acme.sql('select 1 from {s}.sync_run where job_id = $1', [id])).toEqual([]);
    await acme.sql(`update {s}.sync_job set next_at = now() - interval '3 days' where id = $1`, [id]);
    await tick();
    await tick();
    expect(await acme.sql('select trigger, state from {s}.sync_run where job_id = $1', [id])).toEqual([
      { trigger: 'schedule', state: 'succeeded' },
    ]);
    const [job] = await acme.sql<{ next_at: string }>('select next_at from {s}.sync_job where id = $1', [id]);
    expect(Date.parse(job!.next_at)).toBeGreaterThan(Date.now());
  });

  it('warns of a job without success for two periods', async () => {
    const id = await makeJob({ scheduled: true, schedule: '*/5 * * * *', notify: [integrator.userId] });
    const watch = async () => {
      await world.app.jobs.enqueue('public', 'sync_watch');
      await drain();
      return acme.sql(`select title from {s}.notification where user_id = $1 and event_code = 'sync.late'`, [
        integrator.userId,
      ]);
    };
    expect(await watch()).toEqual([]);
    await acme.sql(`update {s}.sync_job set last_success_at = now() - interval '11 minutes' where id = $1`, [id]);
    expect(await watch()).toEqual([{ title: `The import job "Segments ${number}" has no fresh data` }]);
  });
});

describe('rights', () => {
  it('are for people with the screen and MANAGE_INTEGRATIONS', async () => {
    const role = await acme.role({
      modules: ['SETTINGS'],
      screens: { SCN_ORO_TO_POSTGRES: ['landing', 'view_screen'] },
    });
    await acme.user('reader', { companies: [{ company: 1, roles: [role] }] });
    const reader = await world.signIn(acme, 'reader');
    const id = await makeJob();
    expect((await call('GET', `/tapi/sync_job/${id}`, undefined, reader)).status).toBe(200);
    for (const url of [
      `/tapi/sync_job/${id}/run`,
      `/tapi/sync_job/${id}/dry_run`,
      '/tapi/sync_reject/1/retry',
      `/tapi/sync_source/${sourceId}/test`,
    ])
      expect([url, (await post(url, {}, reader)).status]).toEqual([url, 403]);
    for (const [state, step] of [
      ['queued', 'cancel'],
      ['stopped_by_guard', 'approve'],
    ]) {
      const [run] = await acme.sql<{ id: number; version: number }>(
        `insert into {s}.sync_run (name, job_id, trigger, state) values ('R', $1, 'manual', $2) returning id, version`,
        [id, state],
      );
      const asked = { version: run!.version, ...(step === 'approve' && { reason: 'It is right.' }) };
      expect([step, (await post(`/tapi/sync_run/${run!.id}/${step}`, asked, reader)).status]).toEqual([step, 403]);
      // Nobody sets the state itself, and nobody takes the steps of the product.
      const put = await call('PUT', `/tapi/sync_run/${run!.id}`, { version: run!.version, state: 'succeeded' });
      expect(put.status).toBe(422);
      expect((await post(`/tapi/sync_run/${run!.id}/succeed`, { version: run!.version })).status).toBe(404);
      await acme.sql('delete from {s}.sync_run where id = $1', [run!.id]);
    }
    expect((await post(`/tapi/sync_job/${id}/run`, {}, integrator)).status).toBe(202);
    await drain();
  });

  it('do not exist for clients without the product', async () => {
    const zenith = await world.tenant({ products: ['FMS'] });
    await zenith.user('boss', { isAdmin: true });
    const boss = await world.signIn(zenith, 'boss');
    expect((await boss.call('GET', '/tapi/sync_job')).statusCode).toBe(403);
    expect((await boss.call('POST', '/tapi/sync_job/1/run')).statusCode).toBe(403);
  });
});
