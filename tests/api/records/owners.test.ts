import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as XLSX from 'xlsx';
import { copySchemas } from '../schemas_with.ts';
import { upload } from '../multipart.ts';
import type { Caller, TestTenant, World } from '../world.ts';
import { startWorld } from '../world.ts';

const ERRAND = {
  $schema: '../meta/screen.schema.json',
  title: 'Errand',
  access: { screen: 'SCN_ERRAND', action: null },
  schema: {
    required: ['what', 'kept'],
    properties: {
      what: { $ref: 'types#text' },
      place: { $ref: 'types#text' },
      owner_id: { $ref: 'types#ref', 'x-ref': 'users', 'x-default': 'me', readOnly: true },
      runner_id: { $ref: 'types#ref', 'x-ref': 'users', 'x-default': 'me' },
      helper_ids: { $ref: 'types#refs', 'x-ref': 'users' },
      kept: { enum: ['private', 'helpers', 'shared'], default: 'shared' },
    },
  },
  label: ['what'],
  uniqueEmpty: [['place', 'what']],
  mine: ['runner_id', 'helper_ids'],
  personal: {
    owner: 'owner_id',
    when: { kept: 'private' },
    shared: { with: ['helper_ids'], when: { kept: 'helpers' } },
  },
  grid: ['what', 'place', 'owner_id', 'runner_id', 'kept'],
};

type Row = Record<string, unknown> & { id: number; version: number };

let schemasDir: string;
let world: World;
let acme: TestTenant;
let admin: Caller;
let asha: Caller;
let ravi: Caller;

beforeAll(async () => {
  schemasDir = mkdtempSync(join(tmpdir(), 'owners-'));
  copySchemas(schemasDir, ['quick_link']);
  writeFileSync(join(schemasDir, 'platform/errand.json'), JSON.stringify(ERRAND));
  world = await startWorld({ schemasDir });
  acme = await world.tenant();
  const role = await acme.role({
    modules: ['MASTERS'],
    screens: { SCN_ERRAND: ['landing', 'add_screen', 'edit_screen', 'view_screen'] },
    actions: ['IMPORT_DATA', 'EXPORT_DATA', 'DELETE_RECORDS'],
  });
  await acme.user('admin', { isAdmin: true });
  await acme.user('asha', { companies: [{ company: 1, roles: [role] }] });
  await acme.user('ravi', { companies: [{ company: 1, roles: [role] }] });
  [admin, asha, ravi] = await Promise.all([
    world.signIn(acme, 'admin'),
    world.signIn(acme, 'asha'),
    world.signIn(acme, 'ravi'),
  ]);
});
afterAll(async () => {
  await world.close();
  rmSync(schemasDir, { recursive: true, force: true });
});

const add = async (caller: Caller, record: object) => {
  const answer = await caller.call('POST', '/tapi/errand', record);
  expect(answer.statusCode, answer.body).toBe(201);
  return answer.json<{ data: Row }>().data;
};
const names = async (caller: Caller, query = '') =>
  (await caller.call('GET', `/tapi/errand?sort=what&${query}`)).json<{ data: Row[] }>().data.map(({ what }) => what);

describe('the author of a record', () => {
  it('is the owner by default, and cannot be forged', async () => {
    const own = await add(asha, { what: 'Stamps', owner_id: ravi.userId });
    expect([own.owner_id, own.runner_id, own.runner_id__label]).toEqual([asha.userId, asha.userId, 'Person asha']);
    const given = await add(asha, { what: 'Paint', runner_id: ravi.userId, helper_ids: [admin.userId] });
    expect([given.owner_id, given.runner_id]).toEqual([asha.userId, ravi.userId]);
    const changed = await asha.call('PUT', `/tapi/errand/${given.id}`, {
      owner_id: ravi.userId,
      place: 'Shop',
      version: given.version,
    });
    expect(changed.json<{ data: Row }>().data).toMatchObject({ owner_id: asha.userId, place: 'Shop' });
  });

  it('finds their own records by mine=1, in lists, counts and exports', async () => {
    expect(await names(asha, 'mine=1')).toEqual(['Stamps']);
    expect(await names(ravi, 'mine=1')).toEqual(['Paint']);
    expect(await names(admin, 'mine=1')).toEqual(['Paint']);
    expect((await asha.call('GET', '/tapi/errand/count?mine=1')).json()).toMatchObject({ count: 1 });
    const book = await ravi.call('GET', '/tapi/errand/export.xlsx?mine=1&columns=what');
    expect(XLSX.utils.sheet_to_json(XLSX.read(book.rawPayload).Sheets.Sheet1!)).toEqual([{ What: 'Paint' }]);
    expect((await asha.call('GET', '/tapi/errand?mine=2')).statusCode).toBe(400);
  });

  it('is set by an import too', async () => {
    const book = XLSX.utils.book_new();
    XLSX.utils.book_append_sheet(
      book,
      XLSX.utils.aoa_to_sheet([
        ['What', 'Place'],
        ['Ink', 'Bazaar'],
        ['Stamps', ''],
      ]),
      'Sheet1',
    );
    const { payload, headers } = upload(
      'errands.xlsx',
      XLSX.write(book, { type: 'buffer', bookType: 'xlsx' }) as Buffer,
    );
    const { data } = (await asha.call('POST', '/tapi/errand/import', payload, headers)).json<{
      data: { id: number };
    }>();
    const state = async () =>
      (await asha.call('GET', `/tapi/import/${data.id}`)).json<{
        data: { state: string; insert: number; unchanged: number; errors: unknown[] };
      }>().data;
    await expect.poll(async () => (await state()).state, { timeout: 60_000 }).toBe('checked');
    // A row without a place means the record without a place.
    expect(await state()).toMatchObject({ insert: 1, unchanged: 1, errors: [] });
    await asha.call('POST', `/tapi/import/${data.id}/commit`);
    await expect.poll(async () => (await state()).state, { timeout: 60_000 }).toBe('imported');
    expect(await acme.sql(`select owner_id, runner_id from {s}.errand where what = 'Ink'`)).toEqual([
      { owner_id: asha.userId, runner_id: asha.userId },
    ]);
  });
});

describe('personal records', () => {
  it('are visible to their owner only: no list, no search, no address, no administrator', async () => {
    const secret = await add(asha, { what: 'Gift for Ravi', kept: 'private', runner_id: ravi.userId });
    expect(await names(asha)).toContain('Gift for Ravi');
    for (const other of [ravi, admin]) {
      expect(await names(other)).not.toContain('Gift for Ravi');
      expect(await names(other, 'mine=1')).not.toContain('Gift for Ravi');
      expect((await other.call('GET', `/tapi/errand/${secret.id}`)).statusCode).toBe(404);
      expect((await other.call('GET', `/tapi/errand/${secret.id}/history`)).statusCode).toBe(404);
      // The card of a name that refers to it has nothing to show, which is no error.
      expect((await other.call('GET', `/tapi/errand/${secret.id}/facts`)).json()).toEqual({ data: null });
      expect(
        (await other.call('PUT', `/tapi/errand/${secret.id}`, { place: 'Here', version: secret.version })).statusCode,
      ).toBe(404);
      expect((await other.call('DELETE', `/tapi/errand/${secret.id}`)).statusCode).toBe(404);
      for (const path of [
        '/tapi/errand/options?q=gift',
        '/tapi/search?q=gift%20for',
        `/tapi/errand/options?ids=${secret.id}`,
      ])
        expect((await other.call('GET', path)).body).not.toContain('Gift');
    }
    expect(
      (await asha.call('PUT', `/tapi/errand/${secret.id}`, { kept: 'shared', version: secret.version })).statusCode,
    ).toBe(200);
    expect(await names(ravi)).toContain('Gift for Ravi');
  });

  it('are shared by name with the people in the record, also if a role shows own records only, and with nobody else', async () => {
    const own = await acme.role({
      modules: ['MASTERS'],
      screens: { SCN_ERRAND: { pages: ['landing', 'view_screen'], scope: 'own' } },
    });
    await acme.user('meena', { companies: [{ company: 1, roles: [own] }] });
    const meena = await world.signIn(acme, 'meena');
    const party = await add(asha, {
      what: 'Party',
      kept: 'helpers',
      helper_ids: [meena.userId],
      runner_id: ravi.userId,
    });
    expect(await names(meena)).toEqual(['Party']);
    for (const other of [ravi, admin])
      expect((await other.call('GET', `/tapi/errand/${party.id}`)).statusCode).toBe(404);
    expect(
      (await asha.call('PUT', `/tapi/errand/${party.id}`, { helper_ids: [ravi.userId], version: party.version }))
        .statusCode,
    ).toBe(200);
    expect(await names(meena)).toEqual([]);
    expect(await names(ravi)).toContain('Party');
  });
});

describe('keys that treat empty values as equal', () => {
  it('accept one record without the field, and name it', async () => {
    await add(asha, { what: 'Keys', place: 'Gate' });
    await add(asha, { what: 'Keys' });
    const second = await ravi.call('POST', '/tapi/errand', { what: 'keys' });
    expect([second.statusCode, second.json<{ error: { message: string } }>().error.message]).toEqual([
      409,
      'Place (empty), What keys already exists.',
    ]);
    const moved = await add(asha, { what: 'Keys', place: 'Roof' });
    expect(
      (await asha.call('PUT', `/tapi/errand/${moved.id}`, { place: null, version: moved.version })).statusCode,
    ).toBe(409);
    await expect(acme.sql(`insert into {s}.errand (what, kept) values ('KEYS', 'shared')`)).rejects.toMatchObject({
      code: '23505',
    });
  });
});

describe('quick links', () => {
  const links = async (caller: Caller) =>
    (await caller.call('GET', '/tapi/quick_links')).json<{
      data: { id: number; title: string; url: string; own: boolean }[];
    }>().data;

  it('are kept by everybody for themselves, once per page', async () => {
    expect((await asha.call('GET', '/tapi/quick_link')).statusCode).toBe(403);
    const answer = await asha.call('POST', '/tapi/quick_links', { title: 'Errands', url: '/errand?mine=1' });
    expect(answer.statusCode, answer.body).toBe(201);
    expect((await asha.call('POST', '/tapi/quick_links', { title: 'Again', url: '/errand?mine=1' })).statusCode).toBe(
      200,
    );
    expect((await ravi.call('POST', '/tapi/quick_links', { title: 'Errands', url: '/errand?mine=1' })).statusCode).toBe(
      201,
    );
    const [own] = await links(asha);
    expect(own).toMatchObject({ title: 'Errands', url: '/errand?mine=1', own: true });
    expect((await ravi.call('DELETE', `/tapi/quick_links/${own!.id}`)).statusCode).toBe(404);
    expect((await admin.call('GET', '/tapi/quick_link')).body).not.toContain('/errand?mine=1');
    expect(
      (await asha.call('POST', '/tapi/quick_links', { title: 'Script', url: 'javascript:alert(1)' })).statusCode,
    ).toBe(422);
    expect((await asha.call('DELETE', `/tapi/quick_links/${own!.id}`)).json()).toEqual({ data: [] });
  });

  it('include those of the roles and of everybody beside one’s own', async () => {
    const [roles] = await acme.sql<{ id: number }>('select id from {s}.role order by id limit 1');
    for (const link of [
      { title: 'All', url: '/branch', audience: 'all' },
      { title: 'Runners', url: '/errand', audience: 'role', role_ids: [roles!.id] },
      { title: 'Admin’s', url: '/users', audience: 'me' },
    ])
      expect((await admin.call('POST', '/tapi/quick_link', link)).statusCode).toBe(201);
    const other = await acme.role({ modules: ['MASTERS'] });
    expect(
      (
        await admin.call('POST', '/tapi/quick_link', {
          title: 'Others',
          url: '/zone',
          audience: 'role',
          role_ids: [other],
        })
      ).statusCode,
    ).toBe(201);
    expect((await links(asha)).map(({ title, own }) => [title, own])).toEqual([
      ['All', false],
      ['Runners', false],
    ]);
    expect((await links(admin)).map(({ title }) => title)).toEqual(['Admin’s', 'All']);
  });
});
