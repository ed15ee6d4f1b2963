import { Decimal } from 'decimal.js';
import type { FieldError } from '../../../../descriptor/types.ts';
import type { Guard } from '../../../engine/modules.ts';
import { entriesOf } from '../entries.ts';
import { numberOf } from '../sheet_lines.ts';

/** Figures have no more decimals than their KPI: pieces are whole (§10). `field` is the figure that the step enters. */
export const figureFitsUnit: Guard = {
  elevated: true,
  args: { type: 'object', required: ['field'], properties: { field: { enum: ['value', 'own_value'] } } },
  async check({ unit: person, record, args }) {
    const field = args.field as 'value' | 'own_value';
    const [kpi] = await person
      .elevated()
      .query<{ decimals: number; unit: string }>(
        'select coalesce(k.decimals, 0)::int as decimals, u.name as unit from {kpi} k join {uom} u on u.id = k.uom_id where k.id = $1',
        [record.kpi_id],
      );
    if (!kpi || (field === 'value' && record.not_applicable === true)) return [];
    const parts = Array.isArray(record.parts) ? (record.parts as Record<string, unknown>[]) : [];
    // A value that follows from its days, weeks or parts may be a mean.
    const below: [string, unknown][] = [
      ...entriesOf(record).map(({ value }): [string, unknown] => ['entries', value]),
      ...parts.map(({ value }): [string, unknown] => ['parts', value]),
    ];
    const figures: [string, unknown][] = field === 'value' && below.length > 0 ? below : [[field, record[field]]];
    return figures.flatMap(([name, value]): FieldError[] => {
      const figure = numberOf(value);
      if (figure === null || new Decimal(figure).decimalPlaces() <= kpi.decimals) return [];
      const takes =
        kpi.decimals === 0 ? 'takes whole numbers' : `takes ${kpi.decimals} decimal${kpi.decimals === 1 ? '' : 's'}`;
      return [{ field: name, message: `${kpi.unit} ${takes}. Correct ${new Decimal(figure).toString()}.` }];
    });
  },
};
