import { monthTitle } from '../../../../domain/month_names.ts';
import type { Effect } from '../../../engine/modules.ts';
import { dayOfRecord } from '../../../engine/records/day_of_record.ts';
import { daysAfter, lastDay } from '../kpi_months.ts';
import { peopleOfHr } from '../people_of_hr.ts';
import { LOCK_ID_OF_UPDATE } from '../period_lock.ts';

/** Days after the usual freeze of a month until its period is history that was entered late: nobody is notified of it. */
const LATE_DAYS = 60;
/** Members named in a notice to HR; the others are counted. */
const NAMED = 10;

interface Owner extends Record<string, unknown> {
  member: string;
  user_id: number | null;
  /** Updates without what the step ends: a submission, or an approval. */
  open: number;
}

const updates = (count: number): string => (count === 1 ? '1 update' : `${count} updates`);

const SAYS = {
  closing: {
    own: (open: number) =>
      open === 0
        ? 'All your updates are entered.'
        : `${updates(open)} of yours can no longer be submitted. Ask HR to allow entries again.`,
    hr: (count: number, names: string) =>
      count === 0
        ? 'All updates are submitted. They can still be approved.'
        : `${updates(count)} were not submitted: ${names}.`,
  },
  frozen: {
    own: (open: number) =>
      open === 0
        ? 'Your figures and your score no longer change.'
        : `${updates(open)} of yours were not approved and count as missing.`,
    hr: (count: number, names: string) =>
      count === 0 ? 'All updates are approved.' : `${updates(count)} were not approved and count as missing: ${names}.`,
  },
} as const;

const named = (owners: readonly Owner[]): string => {
  const names = owners.slice(0, NAMED).map(({ member, open }) => `${member} (${open})`);
  return [...names, ...(owners.length > NAMED ? [`${owners.length - NAMED} more`] : [])].join(', ');
};

/** Notifies the owners of updates, and HR, once each, that entries of a period have ended or that it is frozen (§6). */
export const reportPeriod: Effect = {
  elevated: true,
  args: { type: 'object', required: ['as'], properties: { as: { enum: ['closing', 'frozen'] } } },
  async apply({ unit: person, record, before, args }) {
    const as = args.as as 'closing' | 'frozen';
    if (before?.[as === 'closing' ? 'entries_ended_at' : 'frozen_at']) return;
    const unit = person.elevated();
    const { entityId, userId } = unit.session;
    const month = String(record.month);
    const [calendar] = await unit.query<{ days: number }>(
      'select coalesce(max(freeze_days), 10)::int as days from {kpi_settings} where active',
    );
    if (dayOfRecord(unit, record) > daysAfter(lastDay(month), calendar!.days + LATE_DAYS)) return;
    const isOpen = as === 'closing' ? `a.source = 'manual' and a.status in ('to_enter', 'returned')` : 'not a.counts';
    const owners = await unit.query<Owner>(
      `select e.name as member, e.user_id, (count(*) filter (where ${isOpen}))::int as open
       from {kpi_actual} a join {employee} e on e.id = coalesce(a.responsible_id, a.employee_id)
       where a.entity_id = $1 and a.month = $2 and a.active and ${LOCK_ID_OF_UPDATE} = $3
       group by e.id, e.name, e.user_id order by e.name`,
      [entityId, month, record.id],
    );
    const notice = (to: readonly number[], says: string) => ({
      event: as === 'closing' ? 'kpi.period_closing' : 'kpi.period_frozen',
      to: to.filter((user) => user !== userId),
      entityId,
      link: '/actual_ViewLanding',
      record: { type: 'kpi_period_lock', id: record.id },
      values: { month: monthTitle(month), says },
    });
    const hr = entityId === null ? [] : await peopleOfHr(unit, entityId);
    const notified = owners.filter(({ user_id: user }) => user !== null && !hr.includes(Number(user)));
    const left = owners.filter(({ open }) => open > 0);
    const count = left.reduce((sum, { open }) => sum + open, 0);
    await unit.notifyMany([
      ...[...Map.groupBy(notified, ({ open }) => open)].map(([open, some]) =>
        notice(
          some.map(({ user_id: user }) => Number(user)),
          SAYS[as].own(open),
        ),
      ),
      notice(hr, SAYS[as].hr(count, named(left))),
    ]);
  },
};
