import { defineHooks } from '../../engine/records/hooks.ts';
import { decimalErrors, unitsOf } from './unit_decimals.ts';

/** A target that is the same for all goes to sheets as it is: it has no more decimals than its KPI (performance.md §10). */
export default defineHooks({
  async check(session, { kpi_id: kpi, target_basis: basis, year_target: value }) {
    if (basis !== 'fixed') return [];
    return decimalErrors((await unitsOf(session, [kpi])).get(kpi as number), [{ field: 'year_target', value }]);
  },
});
