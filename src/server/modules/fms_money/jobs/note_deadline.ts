import type { Job } from '../../../engine/modules.ts';
import { todayOf } from '../open_period.ts';
import { accountsPeople } from '../people_notified.ts';

/**
 * In November, reminds accounts of open bills of the last financial year, because their GST can be credited until 30
 * November (C9).
 */
export const noteDeadline: Job = {
  async run({ each }) {
    let count = 0;
    await each(
      async (unit, after) => (after === undefined || after === null ? [todayOf(unit)] : []),
      async (unit, [today]) => {
        const [open] = await unit.query<{ count: number }>(
          `select count(*)::int as count from {billing} where entity_id = $1 and status = 'posted' and outstanding > 0
             and bill_kind = 'tax_invoice' and bill_date between make_date(extract(year from $2::date)::int - 1, 4, 1)
               and make_date(extract(year from $2::date)::int, 3, 31)`,
          [unit.session.entityId, today],
        );
        count = open!.count;
        const to = await accountsPeople(unit);
        if (count > 0 && to.length > 0)
          await unit.notify({
            event: 'fms.note_deadline',
            to,
            entityId: unit.session.entityId,
            link: '/billing',
            values: { bills: String(count), year: today!.slice(0, 4) },
          });
        return today;
      },
    );
    return `${count} open bills of the last financial year.`;
  },
};
