import type { LightMyRequestResponse } from 'fastify';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import * as XLSX from 'xlsx';
import { upload } from '../multipart.ts';
import type { Caller, TestTenant, World } from '../world.ts';
import { startWorld } from '../world.ts';
import { untilIn } from '../import_end.ts';

let world: World;
let acme: TestTenant;
let admin: Caller;

beforeAll(async () => {
  world = await startWorld({ types: ['tax_rate'] });
  acme = await world.tenant({ companies: 2 });
  await acme.user('admin', { isAdmin: true, companies: [{ company: 1 }] });
  admin = await world.signIn(acme, 'admin');
});
afterAll(() => world.close());

interface Run {
  id: number;
  state: string;
  insert: number;
  update: number;
  unchanged: number;
  error_count: number;
  errors: { row: number; column: string; message: string }[];
  message: string | null;
  before?: { at: string; by: string } | null;
}

const bearer = (caller: Caller) => ({ host: acme.host, authorization: `Bearer ${caller.token}` });

function sheet(rows: unknown[][]): Buffer {
  const book = XLSX.utils.book_new();
  XLSX.utils.book_append_sheet(book, XLSX.utils.aoa_to_sheet(rows, { cellDates: true }), 'Sheet1');
  return XLSX.write(book, { type: 'buffer', bookType: 'xlsx' }) as Buffer;
}

async function start(
  type: string,
  content: Buffer | string,
  name = 'rows.xlsx',
  mode = 'all_or_nothing',
): Promise<LightMyRequestResponse> {
  const { payload, headers } = upload(name, content);
  return world.inject({
    method: 'POST',
    url: `/tapi/${type}/import?mode=${mode}`,
    payload,
    headers: { ...bearer(admin), ...headers },
  });
}

function until(id: number, states: string[]): Promise<Run> {
  return untilIn(async () => (await admin.call('GET', `/tapi/import/${id}`)).json<{ data: Run }>().data, states);
}

async function check(type: string, content: Buffer | string, name?: string, mode?: string): Promise<Run> {
  const answer = await start(type, content, name, mode);
  expect(answer.statusCode).toBe(202);
  return until(answer.json<{ data: { id: number } }>().data.id, ['checked', 'failed']);
}

const rowsOf = async (type: string) =>
  (await admin.call('GET', `/tapi/${type}?size=100&columns=*`)).json<{ data: Record<string, unknown>[] }>().data;

describe('import', () => {
  test('the dry run saves nothing and names every invalid cell; the corrected file is imported with history', async () => {
    const wrong = await check(
      'employee_grade',
      sheet([
        ['Code *', 'Name *', 'rank_no', 'max_ctc', 'min_ctc'],
        ['G1', 'Directors', 1, '₹12,00,000.50', '10,00,000'],
        ['G2', '', 2, 'many', ''],
        ['g1', 'Again', 3, '', ''],
      ]),
    );
    expect(wrong.state).toBe('checked');
    expect(wrong.error_count).toBe(wrong.errors.length);
    expect(wrong.errors.map(({ row }) => row)).toEqual(expect.arrayContaining([3, 4]));
    expect(wrong.errors.map(({ message }) => message)).toEqual(
      expect.arrayContaining(['Name is required.', '"many" is not a number.', 'Row 2 has the same Code.']),
    );
    expect(await rowsOf('employee_grade')).toHaveLength(0);
    expect((await admin.call('POST', `/tapi/import/${wrong.id}/commit`)).statusCode).toBe(422);

    const errors = await world.inject({
      method: 'GET',
      url: `/tapi/import/${wrong.id}/errors.xlsx`,
      headers: bearer(admin),
    });
    const returned = XLSX.read(errors.rawPayload);
    expect(returned.SheetNames).toEqual(['Sheet1']);
    // The file itself, with a column more: what is right is as it was.
    const rows = XLSX.utils.sheet_to_json<unknown[]>(returned.Sheets.Sheet1!, { header: 1 });
    expect(rows[0]).toEqual(['Code *', 'Name *', 'rank_no', 'max_ctc', 'min_ctc', 'What is wrong']);
    expect(rows[1]).toEqual(['G1', 'Directors', 1, '₹12,00,000.50', '10,00,000']);
    expect(rows[2]!.at(-1)).toMatch(
      /^(Pay up to: "many" is not a number\. Name: Name is required\.|Name: Name is required\. Pay up to: "many" is not a number\.)$/,
    );
    expect(rows[3]!.at(-1)).toContain('Row 2 has the same Code.');
    // It can be corrected and imported as it is.
    expect(await check('employee_grade', errors.rawPayload)).toMatchObject({
      state: 'checked',
      error_count: wrong.error_count,
    });
  });

  test('new rows are inserted, known keys updated, other records unchanged; importing the export changes nothing', async () => {
    const first = await check(
      'zone',
      sheet([
        ['Code', 'Name', 'Country'],
        ['N', 'North', ''],
        ['S', 'South', ''],
      ]),
    );
    expect(first).toMatchObject({ state: 'checked', insert: 2, update: 0, error_count: 0 });
    await admin.call('POST', `/tapi/import/${first.id}/commit`);
    await until(first.id, ['imported']);
    expect((await rowsOf('zone')).map(({ code, name }) => [code, name])).toEqual([
      ['N', 'North'],
      ['S', 'South'],
    ]);

    const second = await check('zone', 'Code,Name\nn,Northern\nS,South\nE,East\n', 'rows.csv');
    expect(second).toMatchObject({ insert: 1, update: 1, unchanged: 1, error_count: 0 });
    await admin.call('POST', `/tapi/import/${second.id}/commit`);
    await until(second.id, ['imported']);
    // Two imports, two messages: never one a row.
    await vi.waitFor(
      async () => {
        const told = (await admin.call('GET', '/tapi/notifications'))
          .json<{ data: { event_code: string; title: string; link: string }[] }>()
          .data.filter(({ event_code: code }) => code === 'import.done');
        expect(told.map(({ title, link }) => `${title} ${link}`)).toEqual([
          'Import of Zones: 1 added, 1 changed, 1 as they were /zone/landing',
          'Import of Zones: 2 added, 0 changed /zone/landing',
        ]);
      },
      { timeout: 60_000 },
    );
    const north = (await rowsOf('zone')).find(({ name }) => name === 'Northern')!;
    const history = (await admin.call('GET', `/tapi/zone/${String(north.id)}/history`)).json<{
      data: { op: string; what: string; change: unknown }[];
    }>().data;
    expect(history[0]).toMatchObject({ op: 'U', what: `import ${second.id}`, change: { name: ['North', 'Northern'] } });
    expect(history[1]).toMatchObject({ op: 'I', what: `import ${first.id}` });

    const exported = await world.inject({ method: 'GET', url: '/tapi/zone/export.xlsx', headers: bearer(admin) });
    expect(exported.statusCode).toBe(200);
    const again = await check('zone', exported.rawPayload);
    expect(again).toMatchObject({ insert: 0, update: 0, unchanged: 3, error_count: 0 });
  });

  test('each of several checked files can be saved, even if its findings were dropped', async () => {
    const codes = ['FIRST', 'SECOND', 'THIRD', 'FOURTH'];
    const runs: Run[] = [];
    for (const code of codes)
      runs.push(
        await check(
          'zone',
          sheet([
            ['Code', 'Name'],
            [code, `Zone ${code}`],
          ]),
        ),
      );
    expect(runs.map(({ state, insert }) => [state, insert])).toEqual(codes.map(() => ['checked', 1]));
    for (const { id } of runs) expect((await admin.call('POST', `/tapi/import/${id}/commit`)).statusCode).toBe(202);
    for (const { id } of runs)
      expect(await until(id, ['imported', 'failed'])).toMatchObject({ state: 'imported', insert: 1 });
    expect((await rowsOf('zone')).map(({ code }) => code)).toEqual(expect.arrayContaining(codes));
  });

  test('valid rows only, on request', async () => {
    const run = await check(
      'skillsgroup',
      sheet([
        ['Code', 'Name'],
        ['A', 'Alpha'],
        ['B', ''],
      ]),
      'rows.xlsx',
      'good_rows',
    );
    expect(run).toMatchObject({ insert: 1, error_count: 1 });
    await admin.call('POST', `/tapi/import/${run.id}/commit`);
    await until(run.id, ['imported']);
    expect((await rowsOf('skillsgroup')).map(({ code }) => code)).toEqual(['A']);
  });

  test('an invalid cell is reported once, and an empty required one as such', async () => {
    const run = await check(
      'tax_rate',
      sheet([
        ['tax_id', 'cgst', 'sgst', 'igst', 'cgst_ledger', 'sgst_ledger', 'igst_ledger', 'valid_from'],
        ['Nowhere', 'nine', 9, 18, '', 'S', 'I', 'soon'],
        ['', 9, 9, 18, 'C', 'S', 'I', '01-04-2025'],
      ]),
    );
    expect(run.errors.map(({ row, column, message }) => `${row} ${column}: ${message}`).sort()).toEqual([
      '2 CGST ledger: CGST ledger is required.',
      '2 CGST: "nine" is not a number.',
      '2 Tax: Tax "Nowhere" is not in the list of taxes.',
      '2 Valid from: Enter a date as DD-MM-YYYY.',
      '3 Tax: Tax is required.',
    ]);
  });

  test('references by name or code; an unknown one is reported with its list', async () => {
    const run = await check(
      'region',
      sheet([
        ['Code', 'Name', 'Zone'],
        ['R1', 'One', 'South'],
        ['R2', 'Two', 'S'],
        ['R3', 'Three', 'Nowhere'],
      ]),
      'rows.xlsx',
      'good_rows',
    );
    expect(run.errors).toMatchObject([
      { row: 4, column: 'Zone', message: 'Zone "Nowhere" is not in the list of zones.', unknown: { name: 'Nowhere' } },
    ]);
    await admin.call('POST', `/tapi/import/${run.id}/commit`);
    await until(run.id, ['imported']);
    expect((await rowsOf('region')).map(({ zone_id__label }) => zone_id__label)).toEqual(['South', 'South']);
  });

  test('dates in human and spreadsheet formats; an impossible date is refused', async () => {
    const run = await check('holiday_like', sheet([['x']]), 'rows.xlsx').catch((error: unknown) => error);
    expect(run).toBeInstanceOf(Error);
    const dated = await check(
      'branch',
      sheet([
        ['Code', 'Name', 'Opened on'],
        ['X1', 'One', '31-02-2025'],
        ['X2', 'Two', new Date(Date.UTC(2025, 2, 31))],
      ]),
      'rows.xlsx',
      'good_rows',
    );
    expect(dated.errors.filter(({ column }) => column === 'Opened on')).toEqual([
      { row: 2, column: 'Opened on', message: '31-02-2025 is not a day of the calendar.' },
    ]);
  });

  test('a file that is no workbook, has macros, or no known headings is refused with instructions', async () => {
    expect((await check('zone', 'just words\nwithout columns')).message).toContain('Download the template');
    expect((await start('zone', sheet([['Code', 'Name']]), 'rows.xlsm')).statusCode).toBe(415);
    expect((await start('zone', '')).statusCode).toBe(422);
    expect((await start('zone', Buffer.from('%PDF-1.4\n%'), 'rows.xlsx')).body).toContain('This file is no workbook');
  });

  test('a cancelled run saves nothing, and nobody else sees or ends it', async () => {
    const run = await check(
      'zone',
      sheet([
        ['Code', 'Name'],
        ['W', 'West'],
      ]),
    );
    await acme.user('other', { isAdmin: true, companies: [{ company: 1 }] });
    const other = await world.signIn(acme, 'other');
    for (const [method, path] of [
      ['GET', ''],
      ['POST', '/commit'],
      ['POST', '/cancel'],
    ] as const)
      expect((await other.call(method, `/tapi/import/${run.id}${path}`)).statusCode).toBe(404);
    expect((await admin.call('POST', `/tapi/import/${run.id}/cancel`)).statusCode).toBe(202);
    expect((await admin.call('POST', `/tapi/import/${run.id}/commit`)).statusCode).toBe(409);
    expect((await rowsOf('zone')).some(({ code }) => code === 'W')).toBe(false);
  });

  test('importing needs the right to import', async () => {
    const role = await acme.role({
      modules: ['MASTERS'],
      screens: { SCN_ZONE: ['landing', 'add_screen', 'edit_screen'] },
      actions: ['CREATE_MASTERS'],
    });
    await acme.user('writer', { companies: [{ company: 1, roles: [role] }] });
    const writer = await world.signIn(acme, 'writer');
    const { payload, headers } = upload('rows.xlsx', sheet([['Code', 'Name']]));
    expect(
      (
        await world.inject({
          method: 'POST',
          url: '/tapi/zone/import',
          payload,
          headers: { ...bearer(writer), ...headers },
        })
      ).statusCode,
    ).toBe(403);
    expect((await writer.call('GET', '/tapi/zone/export.xlsx')).statusCode).toBe(403);
  });
});

describe('export', () => {
  test('exactly the requested rows and columns, with Excel’s own types; text is never a formula', async () => {
    await admin.call('POST', '/tapi/segment', { code: 'EQ', name: '=1+1', segment_type: 'market' });
    const answer = await world.inject({
      method: 'GET',
      url: '/tapi/segment/export.xlsx?columns=name,code,segment_type',
      headers: bearer(admin),
    });
    const cells = XLSX.read(answer.rawPayload).Sheets.Sheet1!;
    expect(XLSX.utils.sheet_to_json(cells, { header: 1 })).toEqual([
      ['Name', 'Code', 'Segment type'],
      ['=1+1', 'EQ', 'Market'],
    ]);
    expect(cells.A2).toMatchObject({ t: 's' });
    expect(cells.A2.f).toBeUndefined();
  });

  test('as a background run with progress and a link; the filter applies', async () => {
    const started = await admin.call('POST', '/tapi/zone/export', {
      filter: ['name', 'starts', 'North'],
      columns: ['code'],
    });
    const { id } = started.json<{ data: { id: number } }>().data;
    await expect
      .poll(
        async () => (await admin.call('GET', `/tapi/export/${id}`)).json<{ data: { state: string } }>().data.state,
        { timeout: 60_000 },
      )
      .toBe('done');
    const { url } = (await admin.call('GET', `/tapi/export/${id}/link`)).json<{ url: string }>();
    const file = await world.inject({ method: 'GET', url, headers: { host: acme.host } });
    expect(XLSX.utils.sheet_to_json(XLSX.read(file.rawPayload).Sheets.Sheet1!, { header: 1 })).toEqual([
      ['Code'],
      ['N'],
    ]);
  });

  test('a person who waited gets no notification; others get one with the download link, or with the failure', async () => {
    const ready = async () =>
      (await admin.call('GET', '/tapi/notifications'))
        .json<{ data: { event_code: string; title: string; body: string; link: string; severity: string }[] }>()
        .data.filter(({ event_code: code }) => code === 'export.ready');
    const start = async (type: string, wish: object = {}) =>
      (await admin.call('POST', `/tapi/${type}/export`, wish)).json<{ data: { id: number } }>().data.id;
    expect(
      (await world.inject({ method: 'GET', url: '/tapi/segment/export.xlsx', headers: bearer(admin) })).statusCode,
    ).toBe(200);
    const watched = await start('skillsgroup');
    await expect
      .poll(
        async () => (await admin.call('GET', `/tapi/export/${watched}`)).json<{ data: { state: string } }>().data.state,
        { timeout: 60_000 },
      )
      .toBe('done');
    const left = await start('zone', { filter: ['name', 'starts', 'North'], columns: ['code'] });
    await start('zone', { filter: ['nothing', 'eq', 'North'] });
    await expect.poll(async () => (await ready()).length, { timeout: 60_000, interval: 200 }).toBe(2);
    const told = await ready();
    expect(told.find(({ title }) => title === 'Export of Zones is ready')).toMatchObject({
      link: `/zone/landing?export=${left}`,
      body: '1 row. Open this to save the file.',
      severity: 'success',
    });
    expect(told.find(({ title }) => title === 'Export of Zones failed')).toMatchObject({
      link: '/zone/landing',
      severity: 'error',
      body: expect.stringContaining('nothing') as string,
    });
    expect((await admin.call('GET', `/tapi/export/${left}/link`)).json<{ url: string }>().url).toMatch(/^\/files\//);
  });

  test('the template has headings, drop-downs and help', async () => {
    const answer = await world.inject({ method: 'GET', url: '/tapi/segment/template.xlsx', headers: bearer(admin) });
    const book = XLSX.read(answer.rawPayload);
    expect(book.SheetNames).toEqual(['Sheet1', 'Help', 'Lists']);
    const heads = (XLSX.utils.sheet_to_json(book.Sheets.Sheet1!, { header: 1 }) as string[][])[0];
    expect(heads).toEqual(expect.arrayContaining(['Code *', 'Name *', 'Segment type *']));
    const zip = XLSX.CFB.read(answer.rawPayload, { type: 'buffer' });
    expect(Buffer.from(XLSX.CFB.find(zip, '/xl/worksheets/sheet1.xml')!.content as Uint8Array).toString()).toContain(
      '<dataValidation type="list"',
    );
  });
});

test('a type’s own checks apply to sheets as to forms: nobody becomes an administrator by a sheet', async () => {
  const role = await acme.role({
    modules: ['USERS'],
    screens: { SCN_USERS: ['landing', 'view_screen', 'add_screen', 'edit_screen'] },
    actions: ['CREATE_USERS', 'IMPORT_DATA'],
  });
  await acme.user('keeper', { companies: [{ company: 1, roles: [role] }] });
  const keeper = await world.signIn(acme, 'keeper');
  const { payload, headers } = upload(
    'users.xlsx',
    sheet([
      ['User name', 'Name', 'Email', 'Administrator', 'Status'],
      ['keeper', 'Person keeper', 'keeper@example.in', 'Yes', 'Active'],
      ['chief', 'Chief', 'chief@example.in', 'Yes', 'Active'],
      ['asha', 'Asha', 'asha@example.in', 'No', 'Active'],
    ]),
  );
  const started = await keeper.call('POST', '/tapi/users/import?mode=good_rows', payload, headers);
  expect(started.statusCode, started.body).toBe(202);
  const at = `/tapi/import/${started.json<{ data: { id: number } }>().data.id}`;
  const run = async () => (await keeper.call('GET', at)).json<{ data: Run }>().data;
  await expect.poll(async () => (await run()).state, { timeout: 60_000 }).toBe('checked');
  expect(await run()).toMatchObject({
    insert: 1,
    update: 0,
    errors: [2, 3].map((row) => ({
      row,
      column: 'Administrator',
      message: 'Only an administrator may grant or remove this.',
    })),
  });
  await keeper.call('POST', `${at}/commit`);
  await expect.poll(async () => (await run()).state, { timeout: 60_000 }).toBe('imported');
  expect(
    await acme.sql(
      `select username, coalesce(is_admin, false) as is_admin from {s}.users where username in ('keeper', 'chief', 'asha') order by 1`,
    ),
  ).toEqual([
    { username: 'asha', is_admin: false },
    { username: 'keeper', is_admin: false },
  ]);
});

test('a file that was imported before is reported, and imported again only on request; an import can be undone until somebody changes its records', async () => {
  const content = sheet([
    ['Code', 'Name', 'Usual HSN or SAC code', 'Category'],
    ['UN1', 'Undone one', '8428', 'Trading'],
    ['UN2', 'Undone two', null, 'Trading'],
  ]);
  const commit = async (id: number, body?: object) => {
    const answer = await admin.call('POST', `/tapi/import/${id}/commit`, body);
    if (answer.statusCode === 202) await until(id, ['imported', 'failed']);
    return answer;
  };
  const undo = (id: number) => admin.call('POST', `/tapi/import/${id}/undo`);
  const names = async () => (await rowsOf('business_type')).map(({ code, name }) => `${String(code)} ${String(name)}`);
  await admin.call('POST', '/tapi/business_type', { code: 'UN2', name: 'As it was', category: 'service' });
  const first = await check('business_type', content);
  expect(first).toMatchObject({ insert: 1, update: 1, before: null });
  expect((await undo(first.id)).statusCode).toBe(409);
  await commit(first.id);
  expect(await names()).toEqual(expect.arrayContaining(['UN1 Undone one', 'UN2 Undone two']));
  expect((await undo(first.id)).json()).toEqual({ data: { removed: 1, restored: 1 } });
  expect(await names()).toContain('UN2 As it was');
  expect(await names()).not.toContain('UN1 Undone one');
  expect((await rowsOf('business_type')).find(({ code }) => code === 'UN2')).toMatchObject({ category: 'service' });
  expect((await undo(first.id)).statusCode).toBe(409);
  // What was undone may be imported without a question; what stands is told.
  const second = await check('business_type', content);
  expect(second).toMatchObject({ before: null });
  await commit(second.id);
  const third = await check('business_type', content);
  expect(third).toMatchObject({ before: { by: 'Person admin' } });
  const refused = await commit(third.id);
  expect(refused.statusCode).toBe(409);
  expect(refused.json<{ error: { message: string } }>().error.message).toMatch(
    /^This file was imported on \d\d-\d\d-\d{4} \d\d:\d\d by Person admin\. /,
  );
  const row = (await rowsOf('business_type')).find(({ code }) => code === 'UN1')!;
  await admin.call('PUT', `/tapi/business_type/${String(row.id)}`, { name: 'Renamed', version: row.version });
  expect((await undo(second.id)).json()).toMatchObject({
    error: { message: expect.stringMatching(/^1 record was changed since/) as string },
  });
  expect(await names()).toContain('UN1 Renamed');
  expect((await commit(third.id, { again: true })).statusCode).toBe(202);
});

test('a file checked in one company can be neither saved nor undone from another, nor by another person', async () => {
  await acme.user('both', { isAdmin: true, companies: [{ company: 1 }, { company: 2 }] });
  const both = await world.signIn(acme, 'both');
  const [here, there] = acme.entityIds.map((id) => ({ 'x-entity-id': String(id) }));
  const call = (path: string, company?: Record<string, string>) => both.call('POST', path, undefined, company);
  const { payload, headers } = upload('grades.csv', 'code,name,rank_no\nBOTH1,Both,41\n');
  const started = await world.inject({
    method: 'POST',
    url: '/tapi/employee_grade/import?mode=all_or_nothing',
    payload,
    headers: { ...bearer(both), ...here, ...headers },
  });
  expect(started.statusCode, started.body).toBe(202);
  const { id } = started.json<{ data: { id: number } }>().data;
  const state = async () => (await acme.sql<Run>('select state from {s}.import_run where id = $1', [id]))[0]!.state;
  await vi.waitFor(async () => expect(await state()).toBe('checked'), { timeout: 60_000 });

  const [company] = await acme.sql<{ name: string }>('select name from {s}.entity where id = $1', [acme.entityIds[0]]);
  const refusal = {
    error: {
      code: 'bad_state',
      message: `This file was uploaded for ${company!.name}. Change to that company, or upload the file again in this one.`,
    },
  };
  const elsewhere = await call(`/tapi/import/${id}/commit`, there);
  expect([elsewhere.statusCode, elsewhere.json()]).toMatchObject([409, refusal]);
  expect((await admin.call('POST', `/tapi/import/${id}/commit`)).statusCode).toBe(404);
  expect(await state()).toBe('checked');
  expect((await call(`/tapi/import/${id}/commit`, here)).statusCode).toBe(202);
  await vi.waitFor(async () => expect(await state()).toBe('imported'), { timeout: 60_000 });
  expect((await call(`/tapi/import/${id}/undo`, there)).json()).toMatchObject(refusal);
  expect(await state()).toBe('imported');
  expect((await call(`/tapi/import/${id}/undo`, here)).json()).toEqual({ data: { removed: 1, restored: 0 } });
});
