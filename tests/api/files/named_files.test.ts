import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import * as XLSX from 'xlsx';
import { upload } from '../multipart.ts';
import type { Caller, TestTenant, World } from '../world.ts';
import { startWorld } from '../world.ts';

type Row = Record<string, unknown> & { id: number; version: number };

let world: World;
let acme: TestTenant;
/** Works in the first company, and may not see what the others keep. */
let clerk: Caller;
/** Works in the second company. */
let elsewhere: Caller;
let colleague: Caller;
/** Files of others that the clerk cannot open, and a number that nobody has. */
let theirs: number[];

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

async function uploaded(caller: Caller, field: string): Promise<number> {
  const { payload, headers } = upload(`secret of ${caller.userId}.png`, PNG);
  const answer = await world.inject({
    method: 'POST',
    url: `/tapi/files?for=${field}`,
    payload,
    headers: { host: acme.host, authorization: `Bearer ${caller.token}`, ...headers },
  });
  expect(answer.statusCode, answer.body).toBe(201);
  return answer.json<{ data: { id: number } }>().data.id;
}
const fields = (answer: { json<T>(): T }) =>
  answer.json<{ error: { details: { field: string }[] } }>().error.details.map(({ field }) => field);
const pages = ['landing', 'add_screen', 'edit_screen', 'view_screen'] as const;

beforeAll(async () => {
  world = await startWorld();
  acme = await world.tenant({ companies: 2, products: ['FMS'], everyTable: true });
  const role = await acme.role({
    modules: ['FMS', 'COMMON', 'SETTINGS'],
    screens: {
      SCN_FMS_LIFT_MAKE: { module: 'FMS', pages: [...pages] },
      SCN_FMS_INSTRUMENT: { module: 'FMS', pages: [...pages] },
      SCN_USERMANUAL: { module: 'COMMON', pages: [...pages] },
      SCN_CONFIGURATION: { module: 'SETTINGS', pages: [...pages] },
    },
    actions: ['CREATE_MASTERS', 'IMPORT_DATA', 'CONFIGURE_SYSTEM'],
  });
  await acme.user('clerk', { companies: [{ company: 1, roles: [role] }] });
  await acme.user('colleague', { companies: [{ company: 1, roles: [role] }] });
  await acme.user('elsewhere', { isAdmin: true, companies: [{ company: 2 }] });
  [clerk, colleague, elsewhere] = await Promise.all([
    world.signIn(acme, 'clerk'),
    world.signIn(acme, 'colleague'),
    world.signIn(acme, 'elsewhere'),
  ]);
  theirs = [
    await uploaded(elsewhere, 'lift_make_mstr.manual'),
    await uploaded(elsewhere, 'tis_inspection.signature'),
    await uploaded(colleague, 'lift_make_mstr.manual'),
    999_999,
  ];
});
afterAll(() => world.close());

let made = 0;
const make = (more: object = {}) => ({ code: `M${++made}`, name: `Make ${made}`, support: 'current', ...more });
const link = (id: number, caller = clerk) => caller.call('GET', `/tapi/files/${id}/link`);
async function added(type: string, record: object, caller = clerk): Promise<Row> {
  const answer = await caller.call('POST', `/tapi/${type}`, record);
  expect(answer.statusCode, answer.body).toBe(201);
  return answer.json<{ data: Row }>().data;
}

describe('a record names', () => {
  it('no file that its author could not open: added, changed or changed in bulk', async () => {
    const { id, version } = await added('lift_make_mstr', make());
    for (const file of theirs) {
      for (const answer of [
        await clerk.call('POST', '/tapi/lift_make_mstr', make({ manual: file })),
        await clerk.call('PUT', `/tapi/lift_make_mstr/${id}`, { version, manual: file }),
      ]) {
        expect(answer.statusCode, answer.body).toBe(422);
        expect(fields(answer)).toEqual(['manual']);
        expect(answer.body).not.toContain('secret of');
      }
      const bulk = await clerk.call('PUT', '/tapi/lift_make_mstr/bulk', { ids: [id], set: { manual: file } });
      expect(bulk.json()).toMatchObject({ data: { changed: [], errors: [{ id }] } });
      expect((await link(file)).statusCode).toBe(404);
    }
    expect((await clerk.call('GET', `/tapi/lift_make_mstr/${id}`)).json()).toMatchObject({
      data: { version, manual: null },
    });
  });

  it('nor in rows, formatted texts and settings', async () => {
    const manual = await added('user_manual', { manual_no: 1, version_no: 1, title: 'Lifts', language: 'en' });
    const chapter = (body: string) => ({ manual_id: manual.id, sequence_no: ++made, heading: 'One', body });
    for (const file of theirs) {
      const rows = await clerk.call('POST', '/tapi/instrument_type_mstr', {
        code: `I${++made}`,
        name: `Gauge ${made}`,
        measures: 'Length',
        instruments: [{ serial_no: '1' }, { serial_no: '2', certificate: file }],
      });
      expect(rows.statusCode, rows.body).toBe(422);
      expect(fields(rows)).toEqual(['instruments.1.certificate']);
      const text = await clerk.call('POST', '/tapi/user_manual_chapter', chapter(`See ![it](file:${file}).`));
      expect(text.statusCode, text.body).toBe(422);
      expect(fields(text)).toEqual(['body']);
    }
    for (const logo of theirs.slice(2)) {
      const { version } = (await elsewhere.call('GET', '/tapi/brand_setting/single')).json<{ data: Row }>().data;
      const brand = await elsewhere.call('PUT', '/tapi/brand_setting/single', { version, logo });
      expect(brand.statusCode, brand.body).toBe(422);
      expect(fields(brand)).toEqual(['logo']);
    }
  });

  it('nor by an import', async () => {
    const manual = await added('user_manual', { manual_no: 2, version_no: 1, title: 'Doors', language: 'en' });
    const book = XLSX.utils.book_new();
    const rows = [
      ['manual_id', 'sequence_no', 'heading', 'body'],
      [manual.full_title, 1, 'One', `See ![it](file:${theirs[0]}).`],
    ];
    XLSX.utils.book_append_sheet(book, XLSX.utils.aoa_to_sheet(rows), 'Sheet1');
    const { payload, headers } = upload('c.xlsx', XLSX.write(book, { type: 'buffer', bookType: 'xlsx' }) as Buffer);
    const answer = await world.inject({
      method: 'POST',
      url: '/tapi/user_manual_chapter/import',
      payload,
      headers: { host: acme.host, authorization: `Bearer ${clerk.token}`, ...headers },
    });
    expect(answer.statusCode, answer.body).toBe(202);
    const { id } = answer.json<{ data: { id: number } }>().data;
    const run = await vi.waitFor(
      async () => {
        const { data } = (await clerk.call('GET', `/tapi/import/${id}`)).json<{
          data: { state: string; insert: number; errors: { message: string }[] };
        }>();
        expect(['checked', 'failed']).toContain(data.state);
        return data;
      },
      { timeout: 60_000, interval: 100 },
    );
    expect(run.insert).toBe(0);
    expect(run.errors.map(({ message }) => message).join()).toContain('There is no file');
  });

  it('a file that was just uploaded, one that the author sees on another record, and one named before', async () => {
    const own = await uploaded(clerk, 'lift_make_mstr.manual');
    const { id } = await added('lift_make_mstr', make({ manual: own }));
    expect((await link(own, colleague)).statusCode).toBe(200);
    const copied = await added('lift_make_mstr', make({ manual: own }), colleague);
    const saved = await colleague.call('PUT', `/tapi/lift_make_mstr/${copied.id}`, {
      ...copied,
      version: copied.version,
      name: 'Another name',
    });
    expect(saved.statusCode, saved.body).toBe(200);
    expect((await clerk.call('GET', `/tapi/lift_make_mstr/${id}`)).json()).toMatchObject({ data: { manual: own } });
  });
});
