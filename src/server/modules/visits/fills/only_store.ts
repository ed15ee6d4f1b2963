import type { Fill } from '../../../engine/modules.ts';
import { dayOfRecord } from '../../../engine/records/day_of_record.ts';

/** The store of a branch that has only one. */
export const onlyStore: Fill = {
  async run({ unit, record }) {
    const stores = await unit.query<{ id: number }>(
      `select id from {store} where branch_id = $1 and active and (closed_on is null or closed_on >= $2) limit 2`,
      [record.branch_id, dayOfRecord(unit, record)],
    );
    return { store_id: stores.length === 1 ? stores[0]!.id : null };
  },
};
