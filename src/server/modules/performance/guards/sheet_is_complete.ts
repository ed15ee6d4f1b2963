import { Decimal } from 'decimal.js';
import type { FieldError } from '../../../../descriptor/types.ts';
import type { Guard } from '../../../engine/modules.ts';
import { kpisOf, linesOf, needsNumber, numberOf, periodsOf, startMonthOf } from '../sheet_lines.ts';

const shown = (value: Decimal.Value): string => new Decimal(value).toString();

/**
 * A complete sheet has a KPI, weights of 100 in total within the limits of their types, and a target for each period
 * (§4).
 */
export const sheetIsComplete: Guard = {
  elevated: true,
  async check({ unit: person, record }) {
    const unit = person.elevated();
    const lines = linesOf(record);
    const kpis = await kpisOf(unit, lines);
    const startMonth = await startMonthOf(unit);
    const errors: FieldError[] = [];
    let total = new Decimal(0);
    let counted = 0;
    for (const line of lines) {
      const kpi = kpis.get(line.kpi_id as number);
      if (!kpi) continue;
      const weight = new Decimal(numberOf(line.weight) ?? 0);
      total = total.plus(weight);
      if (kpi.measure === 'metric') {
        if (!weight.isZero())
          errors.push({ field: 'lines', message: `${kpi.name} is a metric. It has no weight: enter 0.` });
      } else {
        counted++;
        if (weight.lessThan(kpi.weight_min) || weight.greaterThan(kpi.weight_max) || weight.isZero())
          errors.push({
            field: 'lines',
            message: `${kpi.name}: its type allows weights from ${shown(kpi.weight_min)} to ${shown(kpi.weight_max)}, above 0.`,
          });
      }
      const missing =
        kpi.achievement_method === 'milestone'
          ? numberOf(line.target_day) === null
          : kpi.achievement_method === 'range'
            ? numberOf(line.range_low) === null || numberOf(line.range_high) === null
            : needsNumber(kpi) &&
              periodsOf(record, kpi.frequency, startMonth).some(({ column }) => numberOf(line[column]) === null);
      if (missing && kpi.measure === 'kpi')
        errors.push({ field: 'lines', message: `${kpi.name} needs a target for each period. Enter it, or spread it.` });
      if (kpi.achievement_method === 'base_to_target' && numberOf(line.base_value) === null)
        errors.push({ field: 'lines', message: `${kpi.name} is measured from a base. Enter it.` });
    }
    if (counted === 0) errors.push({ field: 'lines', message: 'Add at least one KPI.' });
    else if (!total.equals(100))
      errors.push({ field: 'lines', message: `The weights add up to ${shown(total)}. They must add up to 100.` });
    return errors;
  },
};
