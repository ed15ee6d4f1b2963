import { DateTime } from 'luxon';
import { formatDate } from '../../../../descriptor/format.ts';
import type { Job } from '../../../engine/modules.ts';
import type { Unit } from '../../../engine/records/unit.ts';
import { orderRoute } from '../order_route.ts';
import { mostAhead, serviceRules } from '../service_policy.ts';

interface Released {
  id: number;
  route_id: number | null;
  day: string;
  building_type_id: number | null;
  branch_id: number | null;
}

/** Mails contacts of customers who get visits: one mail for each building. */
async function mailContacts(unit: Unit, visits: readonly number[], day: string): Promise<void> {
  const mails = await unit.query<{ name: string; email: string; building: string; lifts: string }>(
    `select k.name, k.email, b.name as building, string_agg(f.lift_no, ', ' order by f.lift_no) as lifts
     from {scheduled_ticket} v join {lift} f on f.id = v.lift_id join {building} b on b.id = v.building_id
     join {customer_dtl.contacts} k on k.parent_id = b.customer_id and 'visits' = any(k.gets) and k.email <> ''
     where v.id = any($1::bigint[]) group by b.id, b.name, k.id, k.name, k.email order by b.id, k.id`,
    [visits],
  );
  for (const { name, email, building, lifts } of mails)
    await unit.post({
      address: email,
      subject: `Visit of your lifts on ${formatDate(day)}`,
      text: `Dear ${name},\n\nour technicians will visit ${building} on ${formatDate(day)}. They maintain: ${lifts}.\n\nPlease make sure that they can reach the lifts and the machine room.`,
      prints: [],
      purpose: 'notification',
    });
}

/**
 * In the evening, releases the visits of the coming days within the policy, by route and day in the best order. Each
 * route is a step; a refused visit stays planned, and the leader sees the reason on it. Contacts of customers who get visits are mailed.
 */
export const releaseVisits: Job = {
  elevated: true,
  async run({ company, due, each }) {
    const today = due.slice(0, 10);
    let released = 0;
    let refused = 0;
    const candidates = `from {scheduled_ticket} v where v.entity_id = $1 and v.active and v.status = 'planned' and v.planned_on <= $2`;
    await each(
      async (unit, after) => {
        const last = DateTime.fromISO(today)
          .plus({ days: await mostAhead(unit) })
          .toISODate()!;
        const [route = -1, day = '0001-01-01'] = (after ?? []) as [number?, string?];
        return unit.query<{ route: number; day: string }>(
          `select coalesce(v.route_id, 0) as route, v.planned_on::text as day ${candidates}
           and (coalesce(v.route_id, 0), v.planned_on) > ($3, $4::date) group by 1, 2 order by 1, 2 limit 1`,
          [company, last, route, day],
        );
      },
      async (person, [one]) => {
        const unit = person.elevated();
        const { route, day } = one!;
        const rules = await serviceRules(unit, today);
        const visits = (
          await unit.query<Released>(
            `select v.id, v.route_id, v.planned_on::text as day, g.building_type_id, v.branch_id from {scheduled_ticket} v
             join {building} g on g.id = v.building_id
             where v.entity_id = $1 and v.active and v.status = 'planned' and v.planned_on = $2 and coalesce(v.route_id, 0) = $3 order by v.id`,
            [company, day, route],
          )
        ).filter((visit) => {
          const { release_days: ahead } = rules(visit);
          return day <= DateTime.fromISO(today).plus({ days: ahead }).toISODate()!;
        });
        if (visits.length > 0 && route !== 0) await orderRoute(unit, route, day);
        const done: number[] = [];
        for (const { id } of visits) {
          const refusal = await unit.attempt(async () => {
            await unit.transition('scheduled_ticket', id, 'release');
          });
          if (refusal) refused++;
          else done.push(id);
        }
        released += done.length;
        if (done.length > 0) await mailContacts(unit, done, day);
        return [route, day];
      },
    );
    return `${released} visits released${refused > 0 ? `, ${refused} not: their lift is shut down or their contract does not run` : ''}.`;
  },
};
