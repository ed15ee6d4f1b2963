import type { Screen } from '../../../descriptor/types.ts';
import type { Tenant } from '../../db/tenant.ts';
import { letPeopleWork } from './demo_people.ts';
import { requestsForParts } from './parts_at_work.ts';
import { purchases } from './purchases_at_work.ts';
import { quotationsOfParts } from './quotations_of_parts_at_work.ts';
import { adjustments, counts, extensions, openingStock } from './stock_at_work.ts';
import type { PeopleOn } from './stores_people.ts';
import { Stores } from './stores_people.ts';
import { indentsAndTransfers } from './transfers_at_work.ts';

/** The company with lifts, whose stores are filled. */
const COMPANY = 'ALP';
const FOLDERS = ['fms_stores', 'fms_requests'];

/**
 * Adds some months of work in the stores of the demo company. The documents use the engine's transitions, because only
 * postings write ledger, balances, values, reservations and serial numbers. Existing documents stay.
 */
export async function addStoresAtWork(
  tenant: Tenant,
  screens: ReadonlyMap<string, Screen>,
  today: string,
  dataDir: string,
): Promise<void> {
  if (!screens.has('stock_adjustment')) return;
  const types = {
    item_mstr: { by: 'item_code' },
    uom: { by: 'code' },
    vendor_mstr: { by: 'name' },
    mr_type: { by: 'code' },
    reason_for_requirement: { by: 'code' },
    root_cause_mstr: { by: 'code' },
    action_taken_mstr: { by: 'code' },
    branch: { by: 'code', ofCompany: true },
    stock_point: { by: 'code', ofCompany: true },
    bin_mstr: { by: 'code', ofCompany: true },
    employee: { by: 'empno', ofCompany: true },
    lift: { by: 'lift_no', ofCompany: true },
  } as const;
  await letPeopleWork(
    tenant,
    screens,
    today,
    { company: COMPANY, folders: FOLDERS, types, isDone: 'stock_move' },
    async (person) => {
      const on: PeopleOn = (daysAgo) => ({
        keeper: new Stores(...person(0, daysAgo)),
        manager: new Stores(...person(1, daysAgo)),
        engineer: new Stores(...person(2, daysAgo)),
      });
      await openingStock(on, today);
      await purchases(on);
      await indentsAndTransfers(on);
      await extensions(on);
      await quotationsOfParts(on);
      await requestsForParts(on, dataDir);
      await adjustments(on);
      await counts(on);
    },
  );
}
