import { formatDate } from '../../../../descriptor/format.ts';
import type { Job } from '../../../engine/modules.ts';
import { mailCustomers } from '../customer_mail.ts';

interface Expiring {
  lift: string;
  what: string;
  on: string;
}

/** The number of lifts that one notice names. */
const NAMED = 10;
/** The dates that are the customer's responsibility; oil changes are not. */
const OF_CUSTOMER = ['licence', 'insurance', 'inspection', 'ropes', 'rescue battery'];

/** The dates of lifts that matter. */
const DATES = `from {lift} f join {building} b on b.id = f.building_id join {state_mstr} s on s.id = b.state_id
  join {customer_dtl} c on c.id = f.customer_id
  left join {maindrive_make_mstr} o on o.id = f.main_drive_make_id left join {machgear_make_mstr} g on g.id = f.machine_gear_make_id
  cross join lateral (values ('licence', case when f.licence_needed is not false then f.licence_valid_to end), ('insurance', f.insurance_valid_to),
    ('inspection', (f.statutory_inspected_on + make_interval(months => s.inspection_months))::date),
    ('ropes', f.ropes_due_on), ('rescue battery', f.battery_due_on),
    (concat('oil change', ' (' || nullif(concat_ws(', ', o.oil_grade, trim_scale(g.oil_litres) || ' l'), '') || ')'),
      (f.oil_changed_on + make_interval(months => o.oil_change_months))::date)) d(what, day)`;
/** They are as many days away as the state of the building sets; `$1`: the company, `$2`: the days of the run. */
const NEAR = `f.entity_id = $1 and f.active and f.status <> 'decommissioned'
    and exists (select 1 from unnest($2::date[]) t(day) where d.day >= t.day and (d.day - t.day)::text = any(s.remind_days))`;

const named = (rows: readonly Expiring[]): string[] =>
  rows.slice(0, NAMED).map(({ lift, what, on }) => `${lift}: ${what} ${formatDate(on)}`);
const others = (rows: readonly Expiring[]): string[] =>
  rows.length > NAMED ? [`and ${rows.length - NAMED} more`] : [];

/**
 * At 08:00, notifies account managers of the licences and insurances of lifts that expire, and of the inspections by law,
 * ropes, rescue batteries and oil changes that are due, on the days before that the state of the building sets. Mails
 * customers the dates that are their responsibility.
 */
export const liftDates: Job = {
  elevated: true,
  async run({ company, days, each }) {
    let [notified, mailed] = [0, 0];
    await each(
      (unit, after) =>
        unit.query<Expiring & { account: number }>(
          `select u.id as account, f.lift_no || ' ' || b.name as lift, d.what, d.day::text as "on" ${DATES}
             join {users} u on u.employee_id = c.account_manager_id and u.active and u.status = 'active'
             where ${NEAR} and u.id > $3 order by u.id, d.day, f.lift_no`,
          [company, days, after ?? 0],
        ),
      async (unit, rows) => {
        for (const [account, all] of Map.groupBy(rows, (row) => row.account)) {
          await unit.notify({
            event: 'fms.lift_dates',
            to: [account],
            entityId: company,
            link: '/lift?sort=licence_valid_to',
            values: { count: String(all.length), lifts: [...named(all), ...others(all)].join(', ') },
          });
          notified += all.length;
        }
        return rows.at(-1)!.account;
      },
    );
    await each(
      (unit, after) =>
        unit.query<Expiring & { customer: number }>(
          `select c.id as customer, f.lift_no || ' ' || b.name as lift, d.what, d.day::text as "on" ${DATES}
             where ${NEAR} and d.what = any($4::text[]) and c.id > $3 order by c.id, d.day, f.lift_no`,
          [company, days, after ?? 0, OF_CUSTOMER],
        ),
      async (unit, rows) => {
        for (const [customer, all] of Map.groupBy(rows, (row) => row.customer))
          mailed += await mailCustomers(
            unit,
            [customer],
            'Dates of your lifts',
            () =>
              `these dates of your lifts are near:\n\n${[...named(all), ...others(all)].map((line) => `– ${line}`).join('\n')}\n\nWe will gladly help you with what has to be done.`,
          );
        return rows.at(-1)!.customer;
      },
    );
    return `${notified} dates of lifts notified, ${mailed} customers mailed.`;
  },
};
