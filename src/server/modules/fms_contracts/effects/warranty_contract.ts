import type { Effect } from '../../../engine/modules.ts';

/**
 * Drafts the warranty of a handed-over lift as a contract without charge, so that visits and cover start on the first
 * day.
 */
export const warrantyContract: Effect = {
  elevated: true,
  async apply({ unit, record }) {
    const product = unit.elevated();
    const [type] = await product.query<{ id: number }>(
      `select id from {amc_type_mstr} where coverage = 'warranty' and active order by id limit 1`,
    );
    const months = Number(record.warranty_months ?? 0);
    if (!type || months === 0) return;
    await product.create('contract', {
      contract_kind: 'warranty',
      amc_type_id: type.id,
      customer_id: record.customer_id,
      building_id: record.building_id,
      branch_id: record.branch_id,
      start_on: record.handed_over_on,
      months,
      lines: [{ lift_id: record.id, amc_type_id: type.id, rate: '0.00' }],
    });
  },
};
