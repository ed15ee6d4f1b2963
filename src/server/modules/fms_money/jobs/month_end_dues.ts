import type { Job } from '../../../engine/modules.ts';
import { duesOf } from '../dues.ts';
import { todayOf } from '../open_period.ts';

/** Stores the dues of each customer at the last month-end, and recalculates earlier months with later entries. */
export const monthEndDues: Job = {
  async run({ each }) {
    let kept = 0;
    await each(
      async (unit, after) => {
        if (after !== undefined && after !== null) return [];
        const today = todayOf(unit);
        const last = new Date(Date.parse(`${today.slice(0, 8)}01T00:00:00Z`) - 86_400_000).toISOString().slice(0, 10);
        return [last];
      },
      async (unit, [last]) => {
        const { entityId } = unit.session;
        const owed = `with ${duesOf(null)} select c.id as customer_id, coalesce(sum(d.outstanding), 0)::text as outstanding,
            coalesce(sum(d.outstanding) filter (where d.due_on < $2::date), 0)::text as overdue, coalesce(max(a.amount), 0)::text as advance
          from {customer_dtl} c left join dues d on d.customer_id = c.id left join advances a on a.customer_id = c.id
          where c.entity_id = $1 and (d.id is not null or a.amount <> 0) group by c.id`;
        const rows = await unit.query<{ customer_id: number; outstanding: string; overdue: string; advance: string }>(
          owed,
          [entityId, last],
        );
        const made = await unit.createMany(
          'outstanding_month',
          rows.map((row) => ({ ...row, month_end: last, outstanding_now: row.outstanding })),
          { skip: ['month_end', 'customer_id'] },
        );
        kept = made.length;
        const months = await unit.query<{ month_end: string }>(
          `select distinct month_end::text from {outstanding_month} where entity_id = $1 and month_end > $2::date - interval '6 months'`,
          [entityId, last],
        );
        for (const { month_end: day } of months)
          await unit.query(
            `with now as (${owed}) update {outstanding_month} m set outstanding_now = n.outstanding::numeric,
               difference = n.outstanding::numeric - m.outstanding, version = m.version + 1, updated_at = now()
             from now n where m.entity_id = $1 and m.month_end = $2::date and n.customer_id = m.customer_id
               and m.outstanding_now is distinct from n.outstanding::numeric`,
            [entityId, day],
          );
        return last;
      },
    );
    return `${kept} month-end balances saved.`;
  },
};
