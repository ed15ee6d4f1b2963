import { defineHooks } from '../../engine/records/hooks.ts';
import { decimalErrors, unitsOf } from './unit_decimals.ts';

/** Figures from other systems have no more decimals than their KPI either (performance.md §10). */
export default defineHooks({
  async check(session, { kpi_id: kpi, value }) {
    return decimalErrors((await unitsOf(session, [kpi])).get(kpi as number), [{ field: 'value', value }]);
  },
});
