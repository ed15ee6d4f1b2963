import { DateTime } from 'luxon';
import type { Job } from '../../../engine/modules.ts';
import { countLiftMonths } from '../lift_month_count.ts';

const LIFTS_PER_STEP = 500;

/**
 * Counts the months of lifts under contract, whose days and price grow daily, and of lifts whose tickets, visits or parts used changed
 * since the day before: this month, the last one, and the changed ones. With `all`, every lift from its first ticket or visit.
 */
export const liftMonths: Job = {
  elevated: true,
  args: { type: 'object', properties: { all: { type: 'boolean' } }, additionalProperties: false },
  async run({ company, due, args, each }) {
    const since = args.all === true ? '1970-01-01' : DateTime.fromISO(due.slice(0, 10)).minus({ days: 2 }).toISODate()!;
    let months = 0;
    const lifts = await each(
      (unit, after) =>
        unit.query<{ id: number }>(
          `select l.id from {lift} l where l.entity_id = $1 and l.id > $3 and (
             l.updated_at >= $2::date
             or exists (select 1 from {fms_ticket} t where t.lift_id = l.id and t.updated_at >= $2::date)
             or exists (select 1 from {scheduled_ticket} v where v.lift_id = l.id and v.updated_at >= $2::date)
             or exists (select 1 from {mr_consumption} p where p.lift_id = l.id and p.updated_at >= $2::date)
             or exists (select 1 from {contract_line} c where c.lift_id = l.id and (c.updated_at >= $2::date
               or (c.line_status in ('active', 'held') and c.from_on <= $4::date and c.to_on >= $2::date))))
           order by l.id limit ${LIFTS_PER_STEP}`,
          [company, since, after ?? 0, due.slice(0, 10)],
        ),
      async (unit, batch) => {
        const ids = batch.map(({ id }) => id);
        months += await countLiftMonths(unit.elevated(), ids, since, due.slice(0, 10));
        return ids.at(-1)!;
      },
    );
    return `${months} months of ${lifts} lifts counted.`;
  },
};
