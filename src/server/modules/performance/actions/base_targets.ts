import { Decimal } from 'decimal.js';
import { growthTarget } from '../../../../domain/performance/phasing.ts';
import type { Action } from '../../../engine/modules.ts';
import { baseKey, baseSettings, basesFor, ofOwner } from '../kpi_base.ts';
import { partKeyOf } from '../line_part.ts';
import { kpisOf, linesOf, needsNumber, numberOf } from '../sheet_lines.ts';

/** Fills the base and the annual target of lines: the base of the settings, and the growth expected on it (§5.10). */
export const baseTargets: Action = {
  async run({ unit, record, rows: selected }) {
    const lines = linesOf(record);
    const employee = typeof record?.employee_id === 'number' ? record.employee_id : null;
    const isUnit = (record?.owner_kind ?? 'employee') !== 'employee';
    if (!record?.financial_year || (employee === null && !isUnit))
      unit.refuse([{ field: 'financial_year', message: 'Choose the member and the financial year first.' }]);
    const kpis = await kpisOf(unit, lines);
    const settings = await baseSettings(unit);
    const bases = await basesFor(
      unit,
      String(record!.financial_year),
      { whose: ofOwner(unit, record!), kpis: [...kpis.keys()] },
      settings,
    );
    let filled = 0;
    const rows = lines.map((line, at) => {
      const kpi = kpis.get(line.kpi_id as number);
      const isMeant = selected.length === 0 || selected.includes(at);
      if (!kpi || !isMeant || !needsNumber(kpi)) return { ...line };
      const known = bases.get(baseKey(employee, kpi.id, partKeyOf(line)));
      const base = settings.base_method === 'entered' ? (numberOf(line.base_value) ?? known) : known;
      if (base === undefined || base === null) return { ...line };
      filled++;
      return {
        ...line,
        base_value: new Decimal(base).toDecimalPlaces(4, Decimal.ROUND_HALF_UP).toFixed(),
        year_target: new Decimal(growthTarget(base, settings.growth_default ?? 0))
          .toDecimalPlaces(kpi.decimals, Decimal.ROUND_HALF_UP)
          .toFixed(),
      };
    });
    if (filled === 0)
      unit.refuse([
        {
          field: 'lines',
          message:
            settings.base_method === 'entered'
              ? 'Enter the base of a KPI first, here or as a baseline: Base performance in Settings takes no other.'
              : 'These KPIs have no approved actuals in the base year. Enter the targets.',
        },
      ]);
    return { rows };
  },
};
