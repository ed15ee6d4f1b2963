import type { Guard } from '../../../engine/modules.ts';
import { enteredFigures } from '../entries.ts';
import { decimalErrors, unitsOf } from '../unit_decimals.ts';

/** Figures have no more decimals than their KPI (§10). `field` is the figure that the step enters. */
export const figureFitsUnit: Guard = {
  args: { type: 'object', required: ['field'], properties: { field: { enum: ['value', 'own_value'] } } },
  async check({ unit: { session }, record, args }) {
    const units = await unitsOf(session, [record.kpi_id]);
    const figures =
      args.field === 'own_value' ? [{ field: 'own_value', value: record.own_value }] : enteredFigures(record);
    return decimalErrors(units.get(record.kpi_id as number), figures);
  },
};
