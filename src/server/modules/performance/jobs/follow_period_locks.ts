import type { Job } from '../../../engine/modules.ts';
import { dayIn, placeOf } from '../../../services/clock/client_day.ts';
import { daysAfter, lastDay } from '../kpi_months.ts';
import { IS_PERIOD_OF, LOCK_OF_UPDATE } from '../period_lock.ts';
import { calendarsOf } from '../update_calendar.ts';

const UPDATES_PER_STEP = 200;

interface Followed {
  id: number;
  counts: boolean;
}
interface Period {
  id: number;
  status: string;
  month: string;
  updates: number;
  /** The last due day of its updates that are not frozen; null = all are. */
  due_on: string | null;
}

/**
 * Updates follow the state of their period. Ended months get a period: it takes no entries after the days for approval,
 * and is frozen when all its updates are. A company's period does not wait for departments that have periods of their
 * own; one without updates is frozen on the freeze day.
 */
export const followPeriodLocks: Job = {
  elevated: true,
  async run({ company, actor, each }) {
    const today = dayIn(placeOf({ ...actor, entityId: company }).timezone);
    const frozen = await each<Followed>(
      (unit, after) =>
        unit.query(
          `select a.id, a.counts from {kpi_actual} a where a.entity_id = $1 and a.active and a.status <> 'frozen' and a.id > $2
             and ${LOCK_OF_UPDATE} = 'frozen' order by a.id limit ${UPDATES_PER_STEP}`,
          [company, after ?? 0],
        ),
      async (person, updates) => {
        const unit = person.elevated();
        await unit.takeAutoMany(
          'kpi_actual',
          updates.map(({ id }) => id),
          'freeze',
        );
        return updates.at(-1)!.id;
      },
    );
    const thawed = await each<Followed>(
      (unit, after) =>
        unit.query(
          `select a.id, a.counts from {kpi_actual} a where a.entity_id = $1 and a.active and a.status = 'frozen' and a.id > $2
             and ${LOCK_OF_UPDATE} = 'reopened' order by a.id limit ${UPDATES_PER_STEP}`,
          [company, after ?? 0],
        ),
      async (person, updates) => {
        const unit = person.elevated();
        for (const [counts, some] of Map.groupBy(updates, (one) => one.counts))
          await unit.takeAutoMany(
            'kpi_actual',
            some.map(({ id }) => id),
            counts ? 'thaw' : 'thaw_empty',
          );
        return updates.at(-1)!.id;
      },
    );
    await each<{ month: string }>(
      (unit, after) =>
        unit.query(
          `select distinct a.month from {kpi_actual} a where a.entity_id = $1 and a.active and a.ends_on < $2 and a.month > $3
             and not exists (select 1 from {kpi_period_lock} l where l.entity_id = $1 and l.month = a.month and l.department_id is null)
           order by a.month limit 50`,
          [company, today, after ?? ''],
        ),
      async (person, months) => {
        for (const { month } of months) await person.elevated().create('kpi_period_lock', { month });
        return months.at(-1)!.month;
      },
    );
    await each<Period>(
      (unit, after) =>
        unit.query(
          `select l.id, l.status, l.month, u.updates, u.due_on
           from {kpi_period_lock} l cross join lateral (
             select count(*)::int as updates, (max(a.due_on) filter (where a.status <> 'frozen'))::text as due_on
             from {kpi_actual} a where a.entity_id = $1 and a.month = l.month and a.active and ${IS_PERIOD_OF}) u
           where l.entity_id = $1 and l.active and l.status in ('open', 'closing') and l.id > $2
             and l.month < left($3, 7) order by l.id limit 50`,
          [company, after ?? 0, today],
        ),
      async (person, periods) => {
        const unit = person.elevated();
        const { due, approve, freeze } = (await calendarsOf(unit))('monthly', null);
        for (const { id, status, month, updates, due_on: lastDue } of periods) {
          const isOver = updates === 0 ? daysAfter(lastDay(month), freeze) <= today : lastDue === null;
          if (isOver) await unit.takeAuto('kpi_period_lock', id, 'freeze');
          else if (status === 'open' && lastDue !== null && daysAfter(lastDue, approve - due) < today)
            await unit.takeAuto('kpi_period_lock', id, 'close');
        }
        return periods.at(-1)!.id;
      },
    );
    return `${frozen} updates frozen, ${thawed} reopened.`;
  },
};
