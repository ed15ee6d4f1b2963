import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as XLSX from 'xlsx';
import type { WireRecord } from '../../../src/descriptor/types.ts';
import { writeUserTypes } from '../../../src/server/platform/clients/user_types.ts';
import { storePassword } from '../../../src/server/access/people/accounts.ts';
import { hashPassword } from '../../../src/server/access/sessions/password.ts';
import { upload } from '../multipart.ts';
import type { Caller, TestTenant, World } from '../world.ts';
import { PASSWORD, startWorld } from '../world.ts';

interface Run {
  state: string;
  insert: number;
  update: number;
  unchanged: number;
  errors: { message: string }[];
}

/** What a sheet does not carry, or may not change, stays as it is stored: on the administration host as everywhere. */
describe('a sheet', () => {
  let world: World;
  let root: Caller;
  const mark = randomBytes(4).toString('hex').toUpperCase();
  const admin = { host: 'admin.localhost:3000' } as TestTenant;

  beforeAll(async () => {
    world = await startWorld({ types: [] });
    const { main } = world.database.directory;
    await writeUserTypes(main);
    const [made] = await main.query<{ id: number }>(
      `insert into public.common_user (username, name, email, user_type_id) select $1, $1, $2, id from public.user_type where code = 'SUPER' returning id`,
      [`sheet-${mark.toLowerCase()}`, `sheet-${mark}@mainstay.example`],
    );
    await storePassword(main, 'public', made!.id, await hashPassword(PASSWORD));
    root = await world.signIn(admin, `sheet-${mark.toLowerCase()}`);
  });
  afterAll(() => world.close());

  const ok = async (method: string, url: string, body?: unknown): Promise<WireRecord> => {
    const answer = await root.call(method, url, body);
    expect(answer.statusCode, `${method} ${url}: ${answer.body}`).toBeLessThan(300);
    return answer.json<{ data: WireRecord }>().data;
  };
  const until = async (id: number, states: string[]): Promise<Run> => {
    let run: Run | undefined;
    await expect
      .poll(async () => (run = (await root.call('GET', `/tapi/import/${id}`)).json<{ data: Run }>().data).state, {
        timeout: 60_000,
      })
      .toSatisfy((state: string) => states.includes(state));
    return run!;
  };
  async function bring(type: string, rows: unknown[][]): Promise<Run> {
    const book = XLSX.utils.book_new();
    XLSX.utils.book_append_sheet(book, XLSX.utils.aoa_to_sheet(rows), 'Sheet1');
    const { payload, headers } = upload('rows.xlsx', XLSX.write(book, { type: 'buffer', bookType: 'xlsx' }) as Buffer);
    const started = await world.inject({
      method: 'POST',
      url: `/tapi/${type}/import?mode=all_or_nothing`,
      payload,
      headers: { host: admin.host, authorization: `Bearer ${root.token}`, ...headers },
    });
    const { id } = started.json<{ data: { id: number } }>().data;
    const checked = await until(id, ['checked', 'failed']);
    if (checked.errors.length > 0 || checked.insert + checked.update === 0) return checked;
    await root.call('POST', `/tapi/import/${id}/commit`, {});
    return until(id, ['imported', 'failed']);
  }

  it('ignores totals over child rows and computes them from the stored rows', async () => {
    const steps = [
      { sequence_no: 1, name: 'Ask', hours: '1.500' },
      { sequence_no: 2, name: 'Answer', hours: '2.000' },
    ];
    const made = await ok('POST', '/tapi/process', { code: `C${mark}`, name: `Calls ${mark}`, steps });
    expect(made.total_hours).toBe('3.500');
    expect(
      await bring('process', [
        ['Code', 'Name'],
        [`C${mark}`, `Calls ${mark}`],
      ]),
    ).toMatchObject({ update: 0, unchanged: 1, errors: [] });
    expect(
      await bring('process', [
        ['Code', 'Name'],
        [`C${mark}`, `Called ${mark}`],
      ]),
    ).toMatchObject({ state: 'imported', update: 1 });
    expect(await ok('GET', `/tapi/process/${made.id}`)).toMatchObject({
      name: `Called ${mark}`,
      total_hours: '3.500',
      steps,
    });
  });

  it('applies rules over child rows to the stored rows', async () => {
    const kpis = [{ kpi: 'Uptime', unit: '%', direction: 'higher', weight: '100' }];
    const made = await ok('POST', '/tapi/kpiroles', { code: `K${mark}`, role_name: `Keeper ${mark}`, kpis });
    expect(
      await bring('kpiroles', [
        ['Code', 'Role'],
        [`K${mark}`, `Keepers ${mark}`],
      ]),
    ).toMatchObject({ state: 'imported', update: 1, errors: [] });
    expect(await ok('GET', `/tapi/kpiroles/${made.id}`)).toMatchObject({
      role_name: `Keepers ${mark}`,
      total_weight: '100.0000',
    });
  });

  it('does not change read-only fields', async () => {
    const product = await ok('POST', '/tapi/product', { code: `S${mark}`, name: `Sheet ${mark}` });
    const client = await ok('POST', '/tapi/client_account', {
      code: `L${mark}`,
      name: `Lifts ${mark}`,
      sub_domain: `l-${mark}`.toLowerCase(),
      legal_name: 'Lifts',
      plan: 'trial',
      licensed_users: 5,
      valid_from: '2026-04-01',
      valid_to: '2027-03-31',
      contact_name: 'R. Iyer',
      contact_email: 'it@acme.in',
      admin_name: 'Asha Rao',
      admin_email: 'asha@acme.in',
      admin_username: 'asha',
      products: [{ product_id: product.id }],
      companies: [{ code: 'ONE', name: 'One', legal_name: 'One Pvt Ltd', state: 'TN' }],
    });
    expect(
      await bring('client_account', [
        ['Code', 'State', 'Licensed users'],
        [`L${mark}`, 'Active', 9],
      ]),
    ).toMatchObject({ state: 'imported', update: 1 });
    expect(await ok('GET', `/tapi/client_account/${client.id}`)).toMatchObject({ state: 'draft', licensed_users: 9 });
  });
});
