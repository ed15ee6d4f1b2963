import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Screen } from '../../../src/descriptor/types.ts';
import { quoted } from '../../../src/server/db/names.ts';
import type { Tenant } from '../../../src/server/db/tenant.ts';
import { ensureTables, findTenant } from '../../../src/server/db/tenants.ts';
import { fillLarge } from '../../../src/server/platform/demo/large/fill_large.ts';
import type { TestDatabase } from '../postgres.ts';
import { demoDatabase } from '../postgres.ts';
import { productScreens } from '../world.ts';

// The large history of a lift company, made small: what its documents say of each other agrees.

let database: TestDatabase;
let screens: ReadonlyMap<string, Screen>;
let tenant: Tenant;
const SIZE = { lifts: 20, customers: 4, technicians: 18, years: 2, today: '2026-03-01' };

const rows = <T>(text: string) => tenant.db.owner.query<T>(text.replaceAll('{s}', quoted(tenant.schema)));
const keys = () =>
  rows<{ text: string }>(
    `select conrelid::regclass || ' ' || pg_get_constraintdef(oid) as text from pg_constraint where connamespace = '{s}'::regnamespace
     union all select indexdef from pg_indexes where schemaname = '${tenant.schema}' order by 1`,
  );

beforeAll(async () => {
  const loaded = await productScreens();
  ({ screens } = loaded);
  database = await demoDatabase(loaded);
  tenant = (await findTenant(database.directory, 'demo'))!;
  // Tables that are first used by it are made now.
  await ensureTables(tenant, screens, ['stock_ledger', 'stock_balance', 'stock_value', 'receipt', 'advance_use']);
});
afterAll(() => database.close());

describe('the large history', () => {
  it('fills a company once, and keeps keys and indexes', async () => {
    const none = await keys();
    await fillLarge(tenant, screens, SIZE);
    const made = await rows<{ count: number }>(
      `select count(*)::int as count from {s}.customer_dtl where customer_no like 'CUH/%'`,
    );
    expect(made[0]!.count).toBe(SIZE.customers);
    const inspected = await rows(
      `select count(*)::int as count from {s}.tis_inspection i join {s}.lift f on f.id = i.lift_id and f.building_id = i.building_id where f.lift_no like 'LH%'`,
    );
    expect(inspected).toEqual([{ count: (SIZE.lifts / 10) * SIZE.years }]);
    await expect(fillLarge(tenant, screens, SIZE)).rejects.toThrow('has the large history already');
    expect(await keys()).toEqual(none);
  });

  it('has bills whose tax, payments and plan agree to the paisa', async () => {
    const wrong = await rows(
      `select b.id from {s}.billing b
         left join (select billing_id, sum(cash) as cash from {s}.receipt__allocations group by 1) a on a.billing_id = b.id
         left join (select billing_id, sum(amount) as tds from {s}.receipt__deductions group by 1) d on d.billing_id = b.id
       where b.bill_no like 'HST/%' and (b.grand_total <> b.taxable_total + b.cgst_total + b.sgst_total + b.round_off
         or b.cgst_total <> (select sum(round(l.taxable * l.cgst_rate / 100, 2)) from {s}.billing__lines l where l.parent_id = b.id)
         or b.paid <> coalesce(a.cash, 0) or b.deducted <> coalesce(d.tds, 0) or b.outstanding <> b.grand_total - b.paid - b.deducted)
       union all
       select s.id from {s}.billing_schedule s where s.status = 'billed'
         and (select count(*) from {s}.billing__lines l where l.billing_schedule_id = s.id and l.parent_id = s.billing_id and l.taxable = s.amount) <> 1`,
    );
    expect(wrong).toEqual([]);
    const numbers = await rows(
      `select registration, left(bill_no, 9) from {s}.billing where bill_no like 'HST/%' group by 1, 2
       having max(right(bill_no, 5)::int) <> count(*) or min(right(bill_no, 5)::int) <> 1`,
    );
    expect(numbers).toEqual([]);
  });

  it('has stock equal to the sum of its movements and never negative', async () => {
    const below = await rows(
      `select 1 from (select sum(qty) over (partition by item_id, stock_point_id order by posting_at, id) as sum from {s}.stock_ledger) x where sum < 0`,
    );
    const other = await rows(
      `select b.id from {s}.stock_balance b where b.on_hand <> (select sum(l.qty) from {s}.stock_ledger l where l.item_id = b.item_id and l.stock_point_id = b.stock_point_id and l.condition = b.condition and l.batch_id is not distinct from b.batch_id)
       union all select v.id from {s}.stock_value v where (v.qty, v.value) <> (select sum(l.qty), sum(l.value_delta) from {s}.stock_ledger l where l.item_id = v.item_id and l.condition = v.condition)`,
    );
    expect([below, other]).toEqual([[], []]);
  });
});
