import type { Effect } from '../../../engine/modules.ts';
import { planActuals } from './plan_actuals.ts';
import { rowsOf } from '../appraisal_facts.ts';

/**
 * Undoes a push: deletes the sheets that it made, so that the sheets which they replaced apply again, removes the KPIs that
 * it added to drafts, and restores the weights. Refused after a submission.
 */
export const undoPush: Effect = {
  elevated: true,
  async apply(call) {
    const { unit: person, record } = call;
    const unit = person.elevated();
    const lines = rowsOf(record, 'lines').filter(({ change }) => change === 'add' || change === 'change');
    // The reference is cleared first, because a sheet that a push names cannot be deleted.
    await unit.update('kpi_push', record.id, {
      lines: rowsOf(record, 'lines').map((line) => (line.made_sheet === true ? { ...line, sheet_id: null } : line)),
    });
    for (const [sheetId, own] of Map.groupBy(lines, ({ sheet_id: id }) => id as number)) {
      const sheet = await unit.read('kpi_sheet', sheetId, { lock: true });
      if (sheet.status !== 'draft')
        unit.refuse(
          [
            {
              field: 'lines',
              message: `${String(sheet.sheet_no)} has been submitted. A push can only be undone before that.`,
            },
          ],
          409,
        );
      if (own.some(({ made_sheet: isMade }) => isMade === true)) {
        await unit.remove('kpi_sheet', sheetId);
        if (typeof sheet.revises_id === 'number') {
          await unit.update('kpi_sheet', sheet.revises_id, { valid_to: sheet.valid_to, revise_from: null });
          const replaced = await unit.read('kpi_sheet', sheet.revises_id);
          await planActuals.apply({ ...call, type: 'kpi_sheet', record: replaced, before: replaced });
        }
        continue;
      }
      const before = new Map(own.map((line) => [line.kpi_id, line]));
      await unit.update('kpi_sheet', sheetId, {
        lines: rowsOf(sheet, 'lines').flatMap((line) => {
          const pushed = before.get(line.kpi_id);
          if (!pushed) return [line];
          return pushed.change === 'add' ? [] : [{ ...line, weight: pushed.weight_before }];
        }),
      });
    }
  },
};
