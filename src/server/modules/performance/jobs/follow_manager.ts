import type { Job } from '../../../engine/modules.ts';
import type { Unit } from '../../../engine/records/unit.ts';
import { handedOn } from '../handed_on_appraisal.ts';

const RECORDS_PER_STEP = 100;

/** The present manager of a member and the change that gave them; without a change they hold from the day of the run on. */
const MOVE = `select e.reporting_to_id as manager, coalesce(h.effective_from, $3::date) as effective_from,
    coalesce(h.moves_open, false) as moves_open
  from {employee} e left join lateral (
    select c.effective_from, c.moves_open from {employee_history} c
    where c.employee_id = e.id and c.reporting_to_id = e.reporting_to_id and c.state = 'done' and c.active
    order by c.effective_from desc, c.id desc limit 1) h on true
  where e.id = $1 and e.reporting_to_id is not null`;

/** Nothing waits for a former manager who has left. */
const OPEN_MOVES = `(m.moves_open or exists (select 1 from {employee} o where o.id = r.manager_id and o.status = 'left'))`;

/** Records of the member under the former manager: of periods that end from the change on, and what moves with it. */
const FOLLOWING = {
  kpi_actual: `r.status <> 'frozen'
    and (r.ends_on >= m.effective_from or (${OPEN_MOVES} and r.status in ('to_enter', 'submitted', 'returned')))`,
  kpi_sheet: `r.status in ('draft', 'submitted', 'approved', 'acknowledged', 'disputed') and r.valid_to >= m.effective_from
    and (${OPEN_MOVES} or r.status <> 'submitted')`,
  // The manager on the last day of the period rates; a rating that the former one has begun is an open approval.
  appraisal: `r.status in ('not_started', 'self_rating', 'manager_rating')
    and (${OPEN_MOVES} or (r.status <> 'manager_rating'
      and exists (select 1 from {appraisal_period} p where p.id = r.period_id and p.ends_on >= m.effective_from)))`,
} as const;

/** Records that have the manager of a person: their own, and those of the units that they answer for. */
const WHOSE = {
  kpi_actual: `(r.employee_id = $1 or (r.employee_id is null
    and r.sheet_id in (select s.id from {kpi_sheet} s where s.employee_id is null and s.responsible_id = $1)))`,
  kpi_sheet: '(r.employee_id = $1 or (r.employee_id is null and r.responsible_id = $1))',
  appraisal: 'r.employee_id = $1',
} as const;

/** A record and the manager whom it follows. */
interface Follower {
  id: number;
  manager: number;
  moves_open: boolean;
}

/** Gives the records of some types to a member's present manager. `more`: what else changes in a record. */
function following(
  types: readonly (keyof typeof FOLLOWING)[],
  more?: (unit: Unit, follower: Follower) => Promise<Record<string, unknown>>,
): Job {
  return {
    elevated: true,
    async run({ args: { employee }, due, each }) {
      let moved = 0;
      for (const type of types)
        moved += await each<Follower>(
          (unit, after) =>
            unit.query(
              `with m as (${MOVE}) select r.id, m.manager, m.moves_open from {${type}} r cross join m
               where ${WHOSE[type]} and r.active and r.manager_id is distinct from m.manager and ${FOLLOWING[type]}
                 and r.id > $2 order by r.id limit ${RECORDS_PER_STEP}`,
              [employee, after ?? 0, due.slice(0, 10)],
            ),
          async (person, records) => {
            const unit = person.elevated();
            for (const record of records)
              await unit.update(type, record.id, { manager_id: record.manager, ...(await more?.(unit, record)) });
            return records.at(-1)!.id;
          },
        );
      return `${moved} records have the new manager.`;
    },
  };
}

/** Sheets and updates of a member follow a new manager; what waits for the former one stays unless the change moves it. */
export const followManager = following(['kpi_sheet', 'kpi_actual']);

/** The same for open appraisals, with the reviewer above the new manager. */
export const followManagerInAppraisals = following(['appraisal'], async (unit, { id, manager, moves_open: moves }) =>
  handedOn(unit, await unit.read('appraisal', id, { lock: true }), { manager, isMoved: moves }),
);
