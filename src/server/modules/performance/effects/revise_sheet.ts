import type { Effect } from '../../../engine/modules.ts';
import { daysAfter } from '../kpi_months.ts';
import { dropUpdates } from '../sheet_in_use.ts';
import { linesOf } from '../sheet_lines.ts';

/** Ends a sheet before a day, removes its later updates, and drafts the sheet that takes its place (§4). */
export const reviseSheet: Effect = {
  elevated: true,
  async apply({ unit: person, record }) {
    const unit = person.elevated();
    const from = String(record.revise_from);
    await dropUpdates(unit, record.id, from.slice(0, 7));
    await unit.update('kpi_sheet', record.id, { valid_to: daysAfter(from, -1) });
    const owner = [
      'owner_kind',
      'employee_id',
      'department_id',
      'branch_id',
      'store_id',
      'board_unit_id',
      'responsible_id',
    ] as const;
    const same = Object.fromEntries(owner.map((name) => [name, record[name] ?? null]));
    await unit.create('kpi_sheet', {
      ...same,
      financial_year: record.financial_year,
      valid_from: from,
      valid_to: record.valid_to,
      revision: Number(record.revision ?? 1) + 1,
      revises_id: record.id,
      lines: linesOf(record).map(({ id: _line, ...line }) => line),
    });
  },
};
