import type { Effect } from '../../../engine/modules.ts';
import { rowsOf } from '../appraisal_facts.ts';

/**
 * Undoes a push: deletes the sheets that it made, removes the KPIs that it added to drafts, and restores the weights.
 * Refused after a submission.
 */
export const undoPush: Effect = {
  elevated: true,
  async apply({ unit: person, record }) {
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
