import { defineHooks } from '../../engine/records/hooks.ts';
import { targetColumn } from './kpi_months.ts';
import { linesOf } from './sheet_lines.ts';
import { decimalErrors, isOther, unitsOf } from './unit_decimals.ts';

const TARGETS = ['year_target', ...Array.from({ length: 12 }, (_month, place) => targetColumn(place))];

/**
 * Targets have no more decimals than their KPI (performance.md §10): those that were changed, because a KPI may have had
 * more once. A revision takes over the targets of its sheet as they are.
 */
export default defineHooks({
  async check(session, record, stored) {
    if (stored === null && typeof record.revises_id === 'number') return [];
    const before = new Map(linesOf(stored).map((line) => [line.kpi_id, line]));
    const changed = linesOf(record).map((line, at) => ({
      kpi: line.kpi_id as number,
      figures: TARGETS.filter((name) => isOther(line[name], before.get(line.kpi_id)?.[name])).map((name) => ({
        field: `lines.${at}.${name}`,
        value: line[name],
      })),
    }));
    const units = await unitsOf(
      session,
      changed.flatMap(({ kpi, figures }) => (figures.length > 0 ? [kpi] : [])),
    );
    return changed.flatMap(({ kpi, figures }) => decimalErrors(units.get(kpi), figures));
  },
});
