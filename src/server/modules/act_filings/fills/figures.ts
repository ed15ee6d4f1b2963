import type { Fill } from '../../../engine/modules.ts';
import { dayOfRecord } from '../../../engine/records/day_of_record.ts';
import { figuresOf } from '../figures_of.ts';
import { formOf } from '../filing_form.ts';

/** Days left, late fee, interest and points of a filing as of today. */
export const figures: Fill = {
  async run({ unit, record }) {
    const form = await formOf(unit, record.form_id);
    return form ? { ...figuresOf(record, form, dayOfRecord(unit, record)) } : {};
  },
};
