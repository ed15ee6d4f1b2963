import type { Job } from '../../../engine/modules.ts';

const RECORDS_PER_STEP = 100;

/** The change that gave a member the present manager. */
const MOVE = `select h.effective_from, coalesce(h.moves_open, false) as moves_open, h.reporting_to_id as manager
  from {employee_history} h join {employee} e on e.id = h.employee_id and e.reporting_to_id = h.reporting_to_id
  where h.employee_id = $1 and h.state = 'done' and h.active order by h.effective_from desc, h.id desc limit 1`;

/** Records of the member under the former manager: of periods that end from the change on, and what moves with it. */
const FOLLOWING = {
  kpi_actual: `r.status <> 'frozen'
    and (r.ends_on >= m.effective_from or (m.moves_open and r.status in ('to_enter', 'submitted', 'returned')))`,
  kpi_sheet: `r.status in ('draft', 'submitted', 'approved', 'acknowledged', 'disputed') and r.valid_to >= m.effective_from
    and (m.moves_open or r.status <> 'submitted')`,
} as const;

/** Sheets and updates of a member follow a new manager; what waits for the former one stays unless the change moves it. */
export const followManager: Job = {
  elevated: true,
  async run({ args: { employee }, each }) {
    let moved = 0;
    for (const [type, which] of Object.entries(FOLLOWING))
      moved += await each<{ id: number; manager: number }>(
        (unit, after) =>
          unit.query(
            `with m as (${MOVE}) select r.id, m.manager from {${type}} r cross join m
             where r.employee_id = $1 and r.active and r.manager_id is distinct from m.manager and ${which} and r.id > $2
             order by r.id limit ${RECORDS_PER_STEP}`,
            [employee, after ?? 0],
          ),
        async (person, records) => {
          for (const { id, manager } of records) await person.elevated().update(type, id, { manager_id: manager });
          return records.at(-1)!.id;
        },
      );
    return `${moved} records have the new manager.`;
  },
};
