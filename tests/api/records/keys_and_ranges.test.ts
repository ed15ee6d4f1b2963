import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as XLSX from 'xlsx';
import { upload } from '../multipart.ts';
import type { Caller, TestTenant, World } from '../world.ts';
import { startWorld } from '../world.ts';

type Row = Record<string, unknown> & { id: number; version: number };

let world: World;
let acme: TestTenant;
let admin: Caller;

beforeAll(async () => {
  world = await startWorld({
    types: [
      'board_type',
      'board_unit',
      'currency_setting',
      'esclation_percentage_mstr',
      'expertise_level',
      'health_check_band',
      'kpi',
      'kpi_settings',
      'performance_rating',
      'policy_definition',
      'policy_type_mstr',
      'team',
      'walkin_age_group',
      'weight_range',
    ],
  });
  acme = await world.tenant({ products: ['FMS', 'PMS', 'PLANNING', 'WLK', 'CHCK', 'BOARD'] });
  await acme.user('admin', { isAdmin: true });
  admin = await world.signIn(acme, 'admin');
});
afterAll(() => world.close());

const post = (type: string, record: object) => admin.call('POST', `/tapi/${type}`, record);
const add = async (type: string, record: object): Promise<Row> => {
  const answer = await post(type, record);
  expect(answer.statusCode, answer.body).toBe(201);
  return answer.json<{ data: Row }>().data;
};
interface Refusal {
  error: { code: string; message: string; field?: string; details?: { field: string; message: string }[] };
}
const refused = async (answer: ReturnType<Caller['call']>, status: number): Promise<string> => {
  const given = await answer;
  expect(given.statusCode, given.body).toBe(status);
  const { error } = given.json<Refusal>();
  return error.details?.[0]?.message ?? error.message;
};
const atOnce = async (type: string, records: object[]): Promise<number[]> =>
  (await Promise.all(records.map((record) => post(type, record))))
    .map(({ statusCode }) => statusCode)
    .sort((a, b) => a - b);

async function imported(
  type: string,
  cells: unknown[][],
): Promise<{ state: string; message?: string; errors: { message: string }[] }> {
  const book = XLSX.utils.book_new();
  XLSX.utils.book_append_sheet(book, XLSX.utils.aoa_to_sheet(cells), 'Sheet1');
  const { payload, headers } = upload('rows.xlsx', XLSX.write(book, { type: 'buffer', bookType: 'xlsx' }) as Buffer);
  const { data } = (await admin.call('POST', `/tapi/${type}/import`, payload, headers)).json<{
    data: { id: number };
  }>();
  const state = async () =>
    (await admin.call('GET', `/tapi/import/${data.id}`)).json<{
      data: { state: string; message?: string; errors: { message: string }[] };
    }>().data;
  await expect.poll(async () => (await state()).state, { timeout: 60_000 }).toBe('checked');
  const checked = await state();
  if (checked.errors.length > 0) return checked;
  await admin.call('POST', `/tapi/import/${data.id}/commit`);
  await expect.poll(async () => (await state()).state, { timeout: 60_000 }).toMatch(/imported|failed/);
  return state();
}

describe('keys with a field that may be empty', () => {
  const increase = (code: string, from: string, to: string | null, more: object = {}) => ({
    code,
    name: code,
    valid_from: from,
    valid_to: to,
    round_to: '10',
    slabs: [{ age_from: 0, age_to: 99, percent: '5' }],
    ...more,
  });

  it('allow one range of dates at a time if an empty field means all, also for two simultaneous additions', async () => {
    const type = 'esclation_percentage_mstr';
    await add(type, increase('OLD', '2020-04-01', '2024-03-31'));
    const two = [increase('NEW', '2024-04-01', null), increase('NEWER', '2025-04-01', null)];
    expect(await atOnce(type, two)).toEqual([201, 422]);
    expect(await refused(post(type, increase('LATE', '2024-03-31', '2024-04-01')), 422)).toMatch(
      /^This overlaps with (OLD|NEW|NEWER).*for the same AMC type and client type\.$/,
    );
    // What is out of use does not compete, until it is back.
    const [last] = await acme.sql<Row>(`select id, version from {s}.${type} order by id desc limit 1`);
    expect(
      (await admin.call('POST', `/tapi/${type}/${last!.id}/deactivate`, { version: last!.version })).statusCode,
    ).toBe(200);
    await add(type, increase('NEXT', '2026-04-01', null));
    expect(
      await refused(admin.call('POST', `/tapi/${type}/${last!.id}/activate`, { version: last!.version + 1 }), 422),
    ).toMatch(/^This overlaps with NEXT/);
  });

  it('are unique if an empty field means all, also for two simultaneous additions', async () => {
    const setting = (name: string) => ({
      name,
      frequency: 'monthly',
      opens_days: 0,
      due_days: 1,
      approve_days: 2,
      freeze_days: 3,
    });
    expect(await atOnce('kpi_settings', [setting('One'), setting('Two')])).toEqual([201, 409]);
  });
});

describe('keys with a condition', () => {
  const currency = (iso: string, more: object = {}) => ({
    iso_code: iso,
    name: iso,
    symbol: iso,
    decimals: 2,
    ...more,
  });

  it('allow one matching record, whatever call writes it', async () => {
    await acme.sql('update {s}.currency_setting set is_base = false');
    const two = [currency('XAA', { is_base: true }), currency('XAB', { is_base: true })];
    expect(await atOnce('currency_setting', two)).toEqual([201, 409]);
    const other = await add('currency_setting', currency('XAC'));
    const message = 'Another currency is the base currency. Change that one first: there is one.';
    const put = admin.call('PUT', `/tapi/currency_setting/${other.id}`, { is_base: true, version: other.version });
    expect(await refused(put, 409)).toBe(message);
    const bulk = await admin.call('PUT', '/tapi/currency_setting/bulk', { ids: [other.id], set: { is_base: true } });
    expect(bulk.json()).toMatchObject({ data: { changed: [], errors: [{ id: other.id, message }] } });
    const file = await imported('currency_setting', [
      ['Code', 'Name', 'Symbol', 'Decimals', 'Base currency'],
      ['XAD', 'XAD', 'D', 2, 'Yes'],
    ]);
    expect(file).toMatchObject({ state: 'failed', message });
    expect(await acme.sql('select 1 from {s}.currency_setting where is_base')).toHaveLength(1);
  });

  it('allow one default rating per kind of score, and one board per company at a time', async () => {
    const rating = (code: string, kind: string) => ({
      code,
      name: code,
      applies_to: kind,
      valid_from: '2026-04-01',
      is_default: true,
      bands: [
        { code: 'B', label: 'B', from_score: '0', to_score: '49.99', grade_points: '1' },
        { code: 'A', label: 'A', from_score: '50', to_score: '100', grade_points: '2' },
      ],
    });
    expect(await atOnce('performance_rating', [rating('K1', 'kpi'), rating('K2', 'kpi')])).toEqual([201, 409]);
    await add('performance_rating', rating('F1', 'feedback'));
    expect(await refused(post('performance_rating', rating('K3', 'kpi')), 409)).toMatch(/already the default/);

    const board = await add('board_type', { code: 'BD', name: 'Board of directors', kind: 'board' });
    const committee = await add('board_type', { code: 'CM', name: 'Audit committee', kind: 'committee' });
    const unit = (code: string, type: number) => ({
      code,
      name: code,
      board_type_id: type,
      constituted_on: '2020-04-01',
      state: 'constituted',
    });
    expect(await atOnce('board_unit', [unit('U1', board.id), unit('U2', board.id)])).toEqual([201, 409]);
    await add('board_unit', unit('U3', committee.id));
    const first = (await admin.call('GET', '/tapi/board_unit?columns=*')).json<{ data: Row[] }>().data;
    const { id, version } = first.find(({ board_type_id: type }) => type === board.id)!;
    const ended = { state: 'dissolved', dissolved_on: '2024-03-31', version };
    expect((await admin.call('PUT', `/tapi/board_unit/${id}`, ended)).statusCode).toBe(200);
    await add('board_unit', unit('U4', board.id));
    expect(await refused(post('board_unit', unit('U5', board.id)), 409)).toMatch(/has a board already/);
  });

  it('are reported together with missing and malformed fields, on adding, changing and checking', async () => {
    const one = await add('currency_setting', currency('XAE'));
    const other = await add('currency_setting', currency('XAF'));
    const wrong = { iso_code: 'XAE', name: '', decimals: 'two' };
    const fields = async (answer: ReturnType<Caller['call']>) => {
      const given = await answer;
      expect(given.statusCode, given.body).toBe(422);
      return given.json<Refusal>().error.details!.map(({ field }) => field);
    };
    const all = expect.arrayContaining(['iso_code', 'name', 'decimals']);
    expect(await fields(post('currency_setting', { ...wrong, symbol: 'E' }))).toEqual(all);
    expect(
      await fields(
        admin.call('PUT', `/tapi/currency_setting/${other.id}`, { ...wrong, name: null, version: other.version }),
      ),
    ).toEqual(all);
    const asked = async (id: number | null, values: object) => {
      const answer = await post('currency_setting/check', { id, values });
      expect(answer.statusCode, answer.body).toBe(200);
      return answer.json<{ data: { field: string; message: string }[] }>().data;
    };
    expect((await asked(null, wrong)).map(({ field }) => field)).toEqual(all);
    expect(await asked(other.id, { iso_code: 'XAE' })).toEqual([
      { field: 'iso_code', message: expect.stringMatching(/XAE already exists\.$/) as string },
    ]);
    // Nothing was written, and what is its own is not taken.
    expect(await asked(one.id, { iso_code: 'XAE' })).toEqual([]);
    expect(await acme.sql("select 1 from {s}.currency_setting where iso_code in ('XAE', 'XAF')")).toHaveLength(2);
  });
});

describe('bands', () => {
  const band = (name: string, from: string, to: string, key = 'goal') => ({
    name,
    applies_to: key,
    min_weight: from,
    max_weight: to,
    default_weight: from,
  });

  it('may not overlap, and name the overlapping one', async () => {
    const type = 'weight_range';
    const low = await add(type, band('Low', '0', '9.99'));
    await add(type, band('Medium', '10', '24.99'));
    await add(type, band('Low', '0', '50', 'action'));
    expect(await refused(post(type, band('Small', '5', '7')), 422)).toBe(
      'This overlaps with Low (0 % to 9.99 %), for the same applies to.',
    );
    const put = admin.call('PUT', `/tapi/${type}/${low.id}`, { max_weight: '10', version: low.version });
    expect(await refused(put, 422)).toMatch(/^This overlaps with Medium \(10 % to 24\.99 %\)/);
    const bulk = await admin.call('PUT', `/tapi/${type}/bulk`, { ids: [low.id], set: { max_weight: '12' } });
    expect(bulk.json<{ data: { errors: { message: string }[] } }>().data.errors[0]!.message).toMatch(/Medium/);
    expect(await refused(post(type, band('Turned', '60', '55')), 422)).toMatch(/must be above its start/);
    expect(await atOnce(type, [band('High', '50', '60'), band('Higher', '55', '70')])).toEqual([201, 422]);
  });

  it('report their gaps, also after a deletion', async () => {
    const type = 'walkin_age_group';
    for (const [code, from, to] of [
      ['A', 0, 17],
      ['B', 18, 24],
      ['C', 25, null],
    ] as const)
      await add(type, { code, name: `Group ${code}`, from_age: from, to_age: to });
    const gaps = async () => (await admin.call('GET', `/tapi/${type}/gaps`)).json<{ data: string[] }>().data;
    expect(await gaps()).toEqual([]);
    const [middle] = await acme.sql<Row>(`select id from {s}.${type} where code = 'B'`);
    await admin.call('DELETE', `/tapi/${type}/${middle!.id}`);
    expect(await gaps()).toEqual([
      'Between Group A and Group C there is a gap: nothing applies from 18 until Group C begins.',
    ]);
  });

  it('are changed together by a file, whose rows may not overlap either', async () => {
    const type = 'health_check_band';
    for (const [name, from, to] of [
      ['Weak', '0', '40'],
      ['Good', '40', '100'],
    ])
      await add(type, { name, from_score: from, to_score: to, colour: '#107c10' });
    const file = (rows: unknown[][]) => imported(type, [['Name', 'From', 'To below', 'Colour'], ...rows]);
    expect(
      await file([
        ['Weak', 0, 60, '#107c10'],
        ['Good', 60, 100, '#107c10'],
      ]),
    ).toMatchObject({ state: 'imported' });
    expect(await acme.sql(`select from_score::text from {s}.${type} order by from_score`)).toMatchObject([
      { from_score: '0.00' },
      { from_score: '60.00' },
    ]);
    const wrong = await file([
      ['Low', 100, 120, '#107c10'],
      ['Top', 50, 70, '#107c10'],
    ]);
    expect(wrong.errors.map(({ message }) => message)).toContainEqual(expect.stringMatching(/overlaps with Weak|Good/));
  });

  it('in the rows of a record are contiguous', async () => {
    const scheme = (bands: object[]) => ({
      code: 'S1',
      name: 'S1',
      applies_to: 'kpi',
      valid_from: '2026-04-01',
      bands,
    });
    const row = (code: string, from: string, to: string) => ({
      code,
      label: code,
      from_score: from,
      to_score: to,
      grade_points: '1',
    });
    const rows = (second: object) => post('performance_rating', scheme([second, row('A', '0', '49.99')]));
    expect(await refused(rows(row('B', '49.99', '100')), 422)).toBe('This overlaps with row 2 (0.00 to 49.99).');
    expect(await refused(rows(row('B', '51', '100')), 422)).toBe(
      'This leaves 50.00 to 50.99 uncovered, behind row 2 (0.00 to 49.99). Begin at 50.00.',
    );
    expect((await rows(row('B', '50', '100'))).statusCode).toBe(201);
  });
});

describe('rows of one person', () => {
  it('belong to one team per day, in whichever record they are', async () => {
    for (const type of ['team', 'employee', 'branch', 'expertise_level']) await admin.call('GET', `/tapi/${type}`);
    // A person and a branch of whom nothing else is known.
    await acme.sql(
      `do $$ declare c record; begin
         for c in select table_name, column_name from information_schema.columns where table_schema = '${acme.schema}' and table_name in ('employee', 'branch') and is_nullable = 'NO' and column_name not in ('id', 'entity_id', 'active', 'version')
         loop execute format('alter table "${acme.schema}".%I alter column %I drop not null', c.table_name, c.column_name); end loop; end $$`,
    );
    const [{ id: employee }] = (await acme.sql(
      `with b as (insert into {s}.branch (entity_id, code, name) values ($1, 'B1', 'Chennai') returning id)
       insert into {s}.employee (entity_id, empno, name, status, branch_id) select $1, 'E1', 'Kumar', 'active', b.id from b returning id`,
      [acme.entityIds[0]],
    )) as [{ id: number }];
    const level = await add('expertise_level', { code: 'T1', name: 'Technician', level: 1 });
    const [branch] = await acme.sql<{ id: number }>('select id from {s}.branch order by id limit 1');
    const team = (code: string, from: string, to: string | null) => ({
      code,
      name: code,
      branch_id: branch!.id,
      leader_id: employee,
      team_kind: 'route',
      members: [{ employee_id: employee, expertise_level_id: level.id, from, to }],
    });
    const first = await add('team', team('ONE', '2026-01-01', null));
    expect(await refused(post('team', team('TWO', '2026-06-01', null)), 422)).toMatch(/^This overlaps with ONE/);
    await admin.call('PUT', `/tapi/team/${first.id}`, {
      version: first.version,
      members: [{ ...(first.members as object[])[0], to: '2026-05-31' }],
    });
    expect(await atOnce('team', [team('TWO', '2026-06-01', null), team('SIX', '2026-06-15', null)])).toEqual([
      201, 422,
    ]);
  });
});

describe('a value with fields defined by another record', () => {
  it('is checked by that definition, with readable messages, and stored as JSON', async () => {
    const parameters = {
      type: 'object',
      properties: {
        notice_days: { type: 'integer', title: 'Notice, days', minimum: 0 },
        by: { enum: ['mail', 'call'] },
      },
      required: ['notice_days'],
    };
    const kind = await add('policy_type_mstr', { code: 'NTC', name: 'Notice', parameters });
    const shape = await admin.call('GET', `/tapi/policy_definition/shape/parameters/${kind.id}`);
    expect(shape.json()).toMatchObject({ data: parameters });
    expect((await admin.call('GET', `/tapi/policy_definition/shape/name/${kind.id}`)).statusCode).toBe(404);
    const policy = (values: unknown) => ({
      code: 'N1',
      name: 'Notice of customers',
      policy_type_id: kind.id,
      valid_from: '2026-04-01',
      parameters: values,
    });
    const answer = await post('policy_definition', policy({ by: 'fax' }));
    expect(answer.statusCode, answer.body).toBe(422);
    const { details } = answer.json<Refusal>().error;
    expect(details!.map(({ field }) => field).sort()).toEqual(['parameters.by', 'parameters.notice_days']);
    expect(details!.find(({ field }) => field === 'parameters.notice_days')!.message).toBe('Notice, days is required.');
    const made = await add('policy_definition', policy({ notice_days: 30, by: 'call' }));
    expect(made.parameters).toEqual({ notice_days: 30, by: 'call' });
    const put = (set: object) =>
      admin.call('PUT', `/tapi/policy_definition/${made.id}`, { ...set, version: made.version });
    expect(await refused(put({ parameters: { notice_days: -1 } }), 422)).toMatch(/^Notice, days/);
    // A description that came later does not stand in the way of other changes.
    await acme.sql(
      `update {s}.policy_type_mstr set parameters = '{"type": "object", "required": ["more"]}' where id = ${kind.id}`,
    );
    const renamed = await put({ name: 'Notice' });
    expect(renamed.statusCode, renamed.body).toBe(200);
  });

  it('needs a valid definition', async () => {
    const odd = (parameters: unknown) => post('policy_type_mstr', { code: 'ODD', name: 'Odd', parameters });
    const message = 'Parameters does not describe fields.';
    expect(await refused(odd({ properties: { a: { type: 'nonsense' } } }), 422)).toBe(message);
    expect(await refused(odd(['a']), 422)).toBe(message);
  });
});
