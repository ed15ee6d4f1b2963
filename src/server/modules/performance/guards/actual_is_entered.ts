import type { FieldError } from '../../../../descriptor/types.ts';
import { formatDate } from '../../../../descriptor/format.ts';
import type { Guard } from '../../../engine/modules.ts';
import { dayOfRecord } from '../../../engine/records/day_of_record.ts';
import { entriesOf } from '../entries.ts';
import { numberOf } from '../sheet_lines.ts';

/** An update may be submitted from its first day, with a figure and the evidence and remark that its KPI requires. */
export const actualIsEntered: Guard = {
  elevated: true,
  async check({ unit: person, record }) {
    const unit = person.elevated();
    const errors: FieldError[] = [];
    const [kpi] = await unit.query<{ evidence: boolean; remark_below: string | null }>(
      'select evidence_required as evidence, comment_below_percent::text as remark_below from {kpi} where id = $1',
      [record.kpi_id],
    );
    const today = dayOfRecord(unit, record);
    if (typeof record.opens_on === 'string' && today < record.opens_on)
      errors.push({ field: 'month', message: `This period can be entered from ${record.opens_on} on.` });
    const [sheet] = await unit.query<{ waits: boolean }>(
      `select s.status = 'approved' and coalesce((select c.ack_required_for_actuals from {calc_settings} c
         where c.entity_id = s.entity_id order by c.id limit 1), false) as waits from {kpi_sheet} s where s.id = $1`,
      [record.sheet_id],
    );
    if (sheet?.waits) errors.push({ field: 'sheet_id', message: 'The member must acknowledge the KPI sheet first.' });
    const field = record.method === 'milestone' ? 'done_on' : record.method === 'binary' ? 'done' : 'value';
    if (record.not_applicable === true) {
      if (numberOf(record.remark) === null)
        errors.push({ field: 'remark', message: 'Enter why it is not applicable.' });
      return errors;
    }
    const missing = entriesOf(record).filter(({ value }) => numberOf(value) === null);
    if (missing.length > 0 && numberOf(record.remark) === null)
      errors.push({
        field: 'remark',
        message: `${missing.length} of ${entriesOf(record).length} figures are missing, the first of ${formatDate(missing[0]!.from_day)}. Enter them, or say why there are none.`,
      });
    if (field !== 'done_on' && numberOf(record[field]) === null)
      errors.push({ field, message: 'Enter the actual, or mark it as not applicable.' });
    if (kpi?.evidence && record.evidence === null)
      errors.push({ field: 'evidence', message: 'This KPI needs evidence. Attach a file.' });
    const below = kpi?.remark_below ?? null;
    const isBelow = below !== null && record.achievement !== null && Number(record.achievement) < Number(below);
    if (isBelow && numberOf(record.remark) === null)
      errors.push({ field: 'remark', message: `Below ${below} % a remark is required.` });
    return errors;
  },
};
