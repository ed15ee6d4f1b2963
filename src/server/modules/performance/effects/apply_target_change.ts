import { Decimal } from 'decimal.js';
import type { Effect } from '../../../engine/modules.ts';
import type { SheetLine } from '../sheet_lines.ts';
import { startMonthOf, linesOf } from '../sheet_lines.ts';
import { WHOLE, intoParts, partKeyOf, placeKey } from '../line_part.ts';
import { monthsOfYear, targetColumn } from '../kpi_months.ts';
import { periodsOfLine, plannedTargets } from '../target_change.ts';
import { rollUpInto } from '../rolled_up.ts';
import { ownerOf } from '../sheet_owner.ts';
import { storeMonthScore } from './score_month.ts';

/** Gives the sheet and its updates the changed targets; scores of these months follow. */
export const applyTargetChange: Effect = {
  elevated: true,
  async apply({ unit: person, record }) {
    const unit = person.elevated();
    await unit.lock([{ type: 'kpi_sheet', id: Number(record.sheet_id) }]);
    const planned = await plannedTargets(unit, record);
    if ('wrong' in planned) return unit.refuse([{ field: planned.field ?? 'new_total', message: planned.wrong }]);
    const targets = new Map(planned.rows.map((row) => [row.month, row.new_target]));
    const sheet = await unit.read('kpi_sheet', Number(record.sheet_id));
    const months = monthsOfYear(String(sheet.financial_year), await startMonthOf(unit));
    const columns = Object.fromEntries(
      months.flatMap((month, place) => (targets.has(month) ? [[targetColumn(place), targets.get(month)!]] : [])),
    );
    const periods = await periodsOfLine(unit, record);
    const part = periods[0]!.part_key;
    const isChanged = (line: SheetLine) => line.kpi_id === record.kpi_id && partKeyOf(line) === part;
    await unit.update('kpi_sheet', sheet.id, {
      lines: linesOf(sheet).map((line) =>
        isChanged(line) ? { ...line, ...columns, year_target: record.new_total } : { ...line },
      ),
    });
    for (const { id, month, target } of periods) {
      const changed = targets.get(month);
      if (changed === undefined || (target !== null && new Decimal(changed).equals(target))) continue;
      await unit.update('kpi_actual', id, { target: changed });
      await storeMonthScore(unit, {
        ...ownerOf(sheet),
        sheet_id: sheet.id,
        month,
      });
    }
    const above = linesOf(sheet).find(isChanged)?.parent_sheet_id;
    if (typeof above === 'number') {
      const into = (await intoParts(unit, sheet.id)).get(placeKey(record.kpi_id, part)) ?? WHOLE;
      await rollUpInto(unit, { sheet_id: above, kpi_id: Number(record.kpi_id), part_key: into }, null);
    }
    await unit.update('kpi_target_change', record.id, { old_total: planned.old, periods: planned.rows });
  },
};
