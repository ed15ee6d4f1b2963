import { formatDate } from '../../../../descriptor/format.ts';
import type { Job } from '../../../engine/modules.ts';

interface Expiring {
  account: number;
  lift: string;
  what: string;
  on: string;
}

/** The number of lifts that one notice names. */
const NAMED = 10;

/**
 * At 08:00, tells account managers which licences and insurances of lifts expire, and which inspections by law and
 * changes of the machine's oil are due, on the days before that the state of the building sets.
 */
export const liftDates: Job = {
  elevated: true,
  async run({ company, days, each }) {
    let notified = 0;
    await each(
      (unit, after) =>
        unit.query<Expiring>(
          `select u.id as account, f.lift_no || ' ' || b.name as lift, d.what, d.day::text as "on"
           from {lift} f join {building} b on b.id = f.building_id join {state_mstr} s on s.id = b.state_id
           join {customer_dtl} c on c.id = f.customer_id join {users} u on u.employee_id = c.account_manager_id
           left join {maindrive_make_mstr} o on o.id = f.main_drive_make_id left join {machgear_make_mstr} g on g.id = f.machine_gear_make_id
           cross join lateral (values ('licence', case when f.licence_needed is not false then f.licence_valid_to end), ('insurance', f.insurance_valid_to),
             ('inspection', (f.statutory_inspected_on + make_interval(months => s.inspection_months))::date),
             (concat('oil change', ' (' || nullif(concat_ws(', ', o.oil_grade, trim_scale(g.oil_litres) || ' l'), '') || ')'),
               (f.oil_changed_on + make_interval(months => o.oil_change_months))::date)) d(what, day)
           where f.entity_id = $1 and f.active and f.status <> 'decommissioned' and u.active and u.status = 'active'
             and exists (select 1 from unnest($2::date[]) t(day) where d.day >= t.day and (d.day - t.day)::text = any(s.remind_days))
             and u.id > $3
           order by u.id, d.day, f.lift_no`,
          [company, days, after ?? 0],
        ),
      async (unit, rows) => {
        for (const [account, all] of Map.groupBy(rows, (row) => row.account)) {
          const lines = all.slice(0, NAMED).map(({ lift, what, on }) => `${lift}: ${what} ${formatDate(on)}`);
          await unit.notify({
            event: 'fms.lift_dates',
            to: [account],
            entityId: company,
            link: '/lift?sort=licence_valid_to',
            values: {
              count: String(all.length),
              lifts: [...lines, ...(all.length > NAMED ? [`and ${all.length - NAMED} more`] : [])].join(', '),
            },
          });
          notified += all.length;
        }
        return rows.at(-1)!.account;
      },
    );
    return `${notified} dates of lifts notified.`;
  },
};
