import { expect } from 'vitest';
import { branchWithMembers } from '../fms/branch_with_members.ts';
import type { Caller, TestTenant, World } from '../world.ts';
import { startWorld } from '../world.ts';

export type Row = Record<string, unknown>;
export type Doc = Row & { id: number; version: number; state: string; lines: Row[] };

/** A company with a central store, two branch stores and items, and how tests speak to it. */
export interface Stores {
  world: World;
  acme: TestTenant;
  admin: Caller;
  /** Another administrator: who writes a document does not approve it. */
  other: Caller;
  ids: Record<string, number>;
  /** One more administrator. */
  third(): Promise<Caller>;
  add(type: string, record: object): Promise<number>;
  read(type: string, id: number): Promise<Doc>;
  /** Takes a step; answers the record or, where `status` is not 200, the refusal's message. */
  step(by: Caller, type: string, id: number, name: string, more?: object): Promise<Doc>;
  refused(
    by: Caller,
    type: string,
    id: number,
    name: string,
    more?: object,
  ): Promise<{ status: number; message: string }>;
  /** Adds an item; `more`: tracking, shelf life … */
  item(code: string, more?: object): Promise<number>;
  /** Opening stock by an adjustment of today or of a day before. */
  opening(point: number, lines: object[], on?: string): Promise<Doc>;
  /** The value up to which nobody else approves adjustments and losses. */
  limit(value: string): Promise<void>;
  adjust(kind: string, point: number, lines: object[], more?: object): Promise<Doc>;
  /** Quantity on hand and reserved of an item at a point. */
  balance(item: number, point: number, condition?: string): Promise<{ on_hand: string; reserved: string }>;
  value(item: number, condition?: string): Promise<{ qty: string; value: string }>;
}

export const day = (offset: number) =>
  new Date(Date.now() + 5.5 * 3_600_000 + offset * 86_400_000).toISOString().slice(0, 10);

async function ok(answer: ReturnType<Caller['call']>, status = 200): Promise<Doc> {
  const got = await answer;
  expect(got.statusCode, got.body).toBe(status);
  return got.json<{ data: Doc }>().data;
}

export async function startStores(): Promise<Stores> {
  const world = await startWorld();
  const acme = await world.tenant();
  await acme.user('admin', { isAdmin: true, companies: [{ company: 1 }] });
  await acme.user('other', { isAdmin: true, companies: [{ company: 1 }] });
  const [admin, other] = await Promise.all([world.signIn(acme, 'admin'), world.signIn(acme, 'other')]);
  const ids: Record<string, number> = {};
  const add = async (type: string, record: object) => (await ok(admin.call('POST', `/tapi/${type}`, record), 201)).id;
  const read = (type: string, id: number) => ok(admin.call('GET', `/tapi/${type}/${id}`));
  const take = async (by: Caller, type: string, id: number, name: string, more: object = {}) =>
    by.call('POST', `/tapi/${type}/${id}/${name}`, { version: (await read(type, id)).version, ...more });
  const step = (by: Caller, type: string, id: number, name: string, more: object = {}) =>
    ok(take(by, type, id, name, more));
  const refused = async (by: Caller, type: string, id: number, name: string, more: object = {}) => {
    const got = await take(by, type, id, name, more);
    const { error } = got.json<{ error: { message: string; details?: { message: string }[] } }>();
    return { status: got.statusCode, message: error.details?.[0]?.message ?? error.message };
  };

  const [tn] = await acme.sql<{ id: number; city: number; country_id: number }>(
    `select s.id, s.country_id, (select c.id from {s}.city_mstr c where c.state_id = s.id order by c.id limit 1) as city from {s}.state_mstr s where s.gst_code = '33'`,
  );
  const { branch, member } = await branchWithMembers(
    add,
    { city: tn!.city, state_id: tn!.id, country: tn!.country_id },
    {
      branch: { code: 'CHN', gstin: '33AAFCM4821Q1Z6' },
      department: { code: 'D1', name: 'Stores' },
      designation: { code: 'S1', name: 'Storekeeper' },
    },
  );
  ids.branch = branch;
  ids.state = tn!.id;
  ids.keeper = await member('E10001');
  ids.technician = await member('E10002', { first_name: 'Arun', last_name: 'M' });
  ids.uom = await add('uom', { code: 'NUM', name: 'Numbers', decimals: 0, dimension: 'count', uqc: 'NOS' });
  ids.metre = await add('uom', { code: 'MTRX', name: 'Metres', decimals: 3, dimension: 'length', uqc: 'MTR' });
  ids.roll = await add('uom', {
    code: 'ROLLX',
    name: 'Rolls',
    decimals: 0,
    dimension: 'count',
    uqc: 'ROL',
    conversions: [{ to_uom_id: ids.metre, from_qty: '1', to_qty: '200' }],
  });
  ids.category = await add('item_category', { code: 'CRD', name: 'Cards', code_prefix: 'DRV' });
  ids.class = await add('item_class', { code: 'ELE', name: 'Electrical' });
  ids.type = await add('item_type', { code: 'SPR', name: 'Spare', kind: 'spare', stocked: true });
  const tax = await add('tax_category_mstr', { code: 'STD', name: 'Taxable', supply: 'both', treatment: 'taxable' });
  ids.tax = await add('tax', { code: 'GST18', name: 'GST 18 %', tax_category_id: tax, print_label: 'GST 18 %' });
  await add('tax_rate', {
    tax_id: ids.tax,
    notification: '1',
    cgst_ledger: 'C',
    sgst_ledger: 'S',
    utgst_ledger: 'U',
    igst_ledger: 'I',
    valid_from: '2017-07-01',
    cgst: '9',
    sgst: '9',
    utgst: '9',
    igst: '18',
  });
  ids.hsn = await add('hs_code', {
    code: '853710',
    kind: 'HSN',
    description: 'Control panels',
    rates: [{ valid_from: '2017-07-01', tax_id: ids.tax }],
  });
  ids.centre = await add('business_centre', {
    code: 'BC1',
    name: 'Tamil Nadu',
    branch_id: branch,
    state_id: tn!.id,
    gstin: '33AAFCM4821Q1Z6',
  });
  const site = async (code: string) => {
    const of = await add('site_mstr', {
      code,
      name: `Site ${code}`,
      branch_id: branch,
      business_centre_id: ids.centre,
      address: '1 Road',
      state_id: tn!.id,
      pin: '600002',
    });
    return add('storage_location', { code: 'MAIN', name: 'Main', site_id: of });
  };
  const [chennai, coimbatore] = [await site('CHN'), await site('CBE')];
  const point = (code: string, location: number, kind = 'store', more: object = {}) =>
    add('stock_point', { code, name: code, storage_location_id: location, kind, keeper_id: ids.keeper, ...more });
  ids.central = await point('CHN-CEN', chennai);
  ids.chennai = await point('CHN-STORE', chennai);
  ids.coimbatore = await point('CBE-STORE', coimbatore, 'store', { supply_from_id: ids.central });
  ids.location = chennai;
  const item = (code: string, more: object = {}) =>
    add('item_mstr', {
      item_code: code,
      name: `Part ${code}`,
      item_category_id: ids.category,
      item_class_id: ids.class,
      item_type_id: ids.type,
      hs_code_id: ids.hsn,
      stock_uom_id: ids.uom,
      tracking: 'none',
      ...more,
    });
  const adjust = async (kind: string, at: number, lines: object[], more: object = {}) => {
    const { id } = await ok(
      admin.call('POST', '/tapi/stock_adjustment', { kind, stock_point_id: at, reason: 'Test', lines, ...more }),
      201,
    );
    return step(admin, 'stock_adjustment', id, 'submit');
  };
  // Adjustments within the limit are posted when they are submitted.
  await add('fms_stores_setting', { adjustment_limit: '100000.00' });
  return {
    world,
    acme,
    admin,
    other,
    ids,
    third: async () => {
      await acme.user('third', { isAdmin: true, companies: [{ company: 1 }] });
      return world.signIn(acme, 'third');
    },
    add,
    read,
    step,
    refused,
    item,
    adjust,
    limit: async (to) => void (await acme.sql('update {s}.fms_stores_setting set adjustment_limit = $1', [to])),
    opening: (at, lines, on) => adjust('opening', at, lines, on === undefined ? {} : { adjusted_on: on }),
    async balance(of, at, condition = 'new') {
      const [row] = await acme.sql<{ on_hand: string; reserved: string }>(
        'select sum(on_hand)::text as on_hand, sum(reserved)::text as reserved from {s}.stock_balance where item_id = $1 and stock_point_id = $2 and condition = $3',
        [of, at, condition],
      );
      return { on_hand: String(Number(row?.on_hand ?? 0)), reserved: String(Number(row?.reserved ?? 0)) };
    },
    async value(of, condition = 'new') {
      const [row] = await acme.sql<{ qty: string; value: string }>(
        'select qty::text, value::text from {s}.stock_value where item_id = $1 and condition = $2',
        [of, condition],
      );
      return { qty: String(Number(row?.qty ?? 0)), value: row?.value ?? '0.00' };
    },
  };
}
