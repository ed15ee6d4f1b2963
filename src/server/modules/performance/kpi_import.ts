import type { FieldError } from '../../../descriptor/types.ts';
import { monthTitle } from '../../../domain/month_names.ts';
import { defineHooks } from '../../engine/records/hooks.ts';
import { dayIn, placeOf } from '../../services/clock/client_day.ts';
import { decimalErrors, unitsOf } from './unit_decimals.ts';

/**
 * Figures from other systems have no more decimals than their KPI either, and are of months that have begun (performance.md
 * §10). Those of a frozen month wait until it is reopened.
 */
export default defineHooks({
  async check(session, { kpi_id: kpi, month, value }) {
    const errors: FieldError[] = decimalErrors((await unitsOf(session, [kpi])).get(kpi as number), [
      { field: 'value', value },
    ]);
    if (typeof month === 'string' && month > dayIn(placeOf(session).timezone).slice(0, 7))
      errors.push({ field: 'month', message: `${monthTitle(month)} has not started.` });
    return errors;
  },
});
