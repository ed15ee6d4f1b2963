import type { Job } from '../../../engine/modules.ts';
import { dayIn, placeOf } from '../../../services/clock/client_day.ts';
import { daysAfter } from '../kpi_months.ts';
import { LOCK_OF_UPDATE } from '../period_lock.ts';

const UPDATES_PER_STEP = 100;
/** Days between the due day of an update and the end of its approval, if no setting tells. */
const APPROVAL_DAYS = 3;

interface Followed {
  id: number;
  counts: boolean;
}
interface Period {
  id: number;
  status: string;
  /** The last due day of the updates that are not frozen; null = all are. */
  due_on: string | null;
  approval_days: number | null;
}

/**
 * Updates follow the state of their period. Ended months get a period: it takes no entries after the days for approval,
 * and is frozen when all its updates are.
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
        for (const { id } of updates) await unit.takeAuto('kpi_actual', id, 'freeze');
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
        for (const { id, counts } of updates) await unit.takeAuto('kpi_actual', id, counts ? 'thaw' : 'thaw_empty');
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
          `select l.id, l.status,
             (select max(a.due_on)::text from {kpi_actual} a where a.entity_id = $1 and a.month = l.month and a.active and a.status <> 'frozen'
               and (l.department_id is null or a.department_id = l.department_id)) as due_on,
             (select s.approve_days - s.due_days from {kpi_settings} s
              where s.active and s.frequency = 'monthly' and s.kpi_type_id is null limit 1) as approval_days
           from {kpi_period_lock} l where l.entity_id = $1 and l.active and l.status in ('open', 'closing') and l.id > $2
             and l.month < left($3, 7) order by l.id limit 50`,
          [company, after ?? 0, today],
        ),
      async (person, periods) => {
        const unit = person.elevated();
        for (const { id, status, due_on: due, approval_days: days } of periods)
          if (due === null) await unit.takeAuto('kpi_period_lock', id, 'freeze');
          else if (status === 'open' && daysAfter(due, days ?? APPROVAL_DAYS) < today)
            await unit.takeAuto('kpi_period_lock', id, 'close');
        return periods.at(-1)!.id;
      },
    );
    return `${frozen} updates frozen, ${thawed} reopened.`;
  },
};
