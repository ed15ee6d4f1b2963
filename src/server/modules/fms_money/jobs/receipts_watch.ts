import type { Job } from '../../../engine/modules.ts';
import { todayOf } from '../open_period.ts';
import { accountsPeople } from '../people_notified.ts';

/**
 * Notifies accounts of cheques due tomorrow, receipts not paid in on time, and slips that do not clear; managers of
 * collectors of money that these should have paid in.
 */
export const receiptsWatch: Job = {
  async run({ each }) {
    let said = 'Nothing to report.';
    await each(
      async (unit, after) => (after === undefined || after === null ? [todayOf(unit)] : []),
      async (unit, [today]) => {
        const [counts] = await unit.query<{ due: number; unpaid: number; uncleared: number }>(
          `select
             (select count(*)::int from {receipt} r where r.entity_id = $1 and r.status = 'held' and r.instrument_on <= $2::date + 1) as due,
             (select count(*)::int from {receipt} r left join {payment_received_mstr} p on p.id = r.received_through_id
                where r.entity_id = $1 and r.status = 'approved' and r.must_deposit and $2::date - r.receipt_on > coalesce(p.deposit_within_days, 1)) as unpaid,
             (select count(*)::int from {deposit} d where d.entity_id = $1 and d.status = 'deposited' and $2::date - d.deposit_on > 7) as uncleared`,
          [unit.session.entityId, today],
        );
        const { due, unpaid, uncleared } = counts!;
        said = `${due} cheques due tomorrow, ${unpaid} receipts not paid in, ${uncleared} slips not cleared.`;
        const to = await accountsPeople(unit);
        if (to.length > 0 && due + unpaid + uncleared > 0)
          await unit.notify({
            event: 'fms.receipts_watch',
            to,
            entityId: unit.session.entityId,
            link: '/receipt',
            values: { due: String(due), unpaid: String(unpaid), uncleared: String(uncleared) },
          });
        const late = await unit.query<{ id: number; unpaid: number }>(
          `select u.id, count(*)::int as unpaid from {receipt} r left join {payment_received_mstr} p on p.id = r.received_through_id
           join {employee} e on e.id = r.collected_by_id join {employee} m on m.id = e.reporting_to_id join {users} u on u.id = m.user_id
           where r.entity_id = $1 and r.status = 'approved' and r.must_deposit and u.active and u.status = 'active'
             and $2::date - r.receipt_on > coalesce(p.deposit_within_days, 1) group by u.id order by u.id`,
          [unit.session.entityId, today],
        );
        for (const one of late)
          await unit.notify({
            event: 'fms.not_paid_in',
            to: [one.id],
            entityId: unit.session.entityId,
            link: '/receipt',
            values: { unpaid: String(one.unpaid) },
          });
        return today;
      },
    );
    return said;
  },
};
