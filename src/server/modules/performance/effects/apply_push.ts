import type { Effect } from '../../../engine/modules.ts';
import type { Unit } from '../../../engine/records/unit.ts';
import { rowsOf } from '../appraisal_facts.ts';
import type { PushLine } from '../push_plan.ts';
import { pushPlan } from '../push_plan.ts';
import { startMonthOf } from '../sheet_lines.ts';
import { yearSpan } from '../../../../descriptor/financial_year.ts';

/**
 * Adds KPIs to drafts, and creates drafts: for members without a sheet, and in place of approved sheets, from the current
 * sheets.
 */
export const applyPush: Effect = {
  elevated: true,
  async apply({ unit: person, record }) {
    const unit = person.elevated();
    const year = String(record.financial_year);
    const span = yearSpan(Number(year.slice(0, 4)), await startMonthOf(unit));
    const plan = await pushPlan(unit, record);
    const done: PushLine[] = [];
    for (const lines of Map.groupBy(plan, ({ employee_id: id }) => id).values()) {
      const own = lines.filter(({ change }) => change === 'add' || change === 'change');
      const { employee_id: employee, sheet_id: of } = lines[0]!;
      if (own.length === 0) {
        done.push(...lines);
        continue;
      }
      const rows = own.map(({ kpi_id, weight, year_target, phasing_profile_id: profile }) => ({
        kpi_id,
        weight,
        year_target,
        ...(profile !== null && { phasing: 'profile', phasing_profile_id: profile }),
      }));
      const from = own[0]!.revise_from;
      const known = of !== null && from !== null ? await revision(unit, of, from) : of;
      if (known === null) {
        const made = await unit.create('kpi_sheet', {
          employee_id: employee,
          financial_year: year,
          valid_from: span.from,
          valid_to: span.to,
          lines: rows,
        });
        done.push(...lines.map((line) => ({ ...line, sheet_id: made.id, made_sheet: true })));
        continue;
      }
      const sheet = await unit.read('kpi_sheet', known, { lock: true });
      const stored = rowsOf(sheet, 'lines');
      const kept = record.mode === 'replace_drafts' ? [] : stored;
      const changed = kept.map((line) => {
        const other = rows.find(({ kpi_id: id }) => id === line.kpi_id);
        return other ? { ...line, weight: other.weight, year_target: other.year_target ?? line.year_target } : line;
      });
      const added = rows.filter(({ kpi_id: id }) => !kept.some((line) => line.kpi_id === id));
      await unit.update('kpi_sheet', known, { lines: [...changed, ...added] });
      const isMade = known !== of;
      done.push(...lines.map((line) => (isMade ? { ...line, sheet_id: known, made_sheet: true } : line)));
    }
    await unit.update('kpi_push', record.id, { lines: done });
  },
};

/** The draft that takes the place of an approved sheet from a day on. */
async function revision(unit: Unit, sheet: number, from: string): Promise<number> {
  await unit.transition('kpi_sheet', sheet, 'revise', { revise_from: from });
  const [made] = await unit.query<{ id: number }>(
    `select id from {kpi_sheet} where revises_id = $1 and active and status = 'draft' order by id desc limit 1`,
    [sheet],
  );
  return made!.id;
}
