import { filingDates } from '../../../../domain/act_filings/due_rule.ts';
import type { Fill } from '../../../engine/modules.ts';
import { formOf } from '../filing_form.ts';
import { workingDaysAt } from '../working_days_at.ts';

/** The fields of a filing from its form, act and registration, and the planned working days (5.1). */
export const formFacts: Fill = {
  async run({ unit, record }) {
    const form = await formOf(unit, record.form_id);
    if (!form) return {};
    const [registered] = await unit.query<{ branch_id: number | null }>(
      'select branch_ids[1] as branch_id from {compliance_unit} where id = $1',
      [record.unit_id ?? null],
    );
    const branch = registered?.branch_id ?? null;
    const dueOn = typeof record.due_on === 'string' ? record.due_on : null;
    const dates = dueOn === null ? null : filingDates(dueOn, form, await workingDaysAt(unit, branch, dueOn));
    return {
      act_id: form.act_id,
      category: form.category,
      board_designation_id: form.board_designation_id,
      branch_id: branch,
      target_on: dates?.target_on ?? null,
      opens_on: dates?.opens_on ?? null,
    };
  },
};
