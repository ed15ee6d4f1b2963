import type { Guard } from '../../../engine/modules.ts';
import { dayOfRecord } from '../../../engine/records/day_of_record.ts';
import { readableDay } from '../contract_lines.ts';
import { policyOf } from '../policies.ts';

/**
 * The effective day of a document about lines must be in an open period, and within the back-dating limit of the PERIOD
 * policy. `field`: its day.
 */
export const openDay: Guard = {
  args: { properties: { field: { type: 'string', 'x-field': true } }, required: ['field'] },
  async check({ unit, record, args }) {
    const field = String(args.field);
    const day = String(record[field] ?? '');
    const today = dayOfRecord(unit, record);
    if (day === '' || day >= today) return [];
    const period = await policyOf(unit, 'PERIOD', today, { branch_id: Number(record.branch_id) });
    const { locked_to: locked, backdate_days: back } = (period?.parameters ?? {}) as {
      locked_to?: string;
      backdate_days?: number;
    };
    if (locked && day <= locked)
      return [{ field, message: `The period up to ${readableDay(locked)} is closed. Use a later date.` }];
    if (unit.session.userId === 0 || unit.session.rights.refuseAction('FMS_BACKDATE') === null) return [];
    const days = Math.round((Date.parse(today) - Date.parse(day)) / 86_400_000);
    return back !== undefined && days > back
      ? [
          {
            field,
            message: `This is more than ${back} days ago. Use a later date, or ask somebody with the right to back-date.`,
          },
        ]
      : [];
  },
};
