import type { Job } from '../../../engine/modules.ts';
import { dayIn, placeOf } from '../../../services/clock/client_day.ts';
import type { CalculatedUpdate } from '../calculated_figure.ts';
import { storeFigures } from '../calculated_figure.ts';

const UPDATES_PER_STEP = 200;

/** An update whose figure another system has. */
interface Update extends CalculatedUpdate {
  ends_on: string;
  imported: string | null;
}

/** The latest figure that was imported for the owner, the KPI and the month of an update. */
const IMPORTED = `select i.value::text from {kpi_import} i where i.active and i.entity_id = a.entity_id and i.kpi_id = a.kpi_id and i.month = a.month
    and i.employee_id is not distinct from a.employee_id
    and (a.employee_id is not null or (
      i.department_id is not distinct from (case when a.owner_kind = 'department' then a.department_id end)
      and i.branch_id is not distinct from (case when a.owner_kind = 'branch' then a.branch_id end)
      and i.store_id is not distinct from (case when a.owner_kind = 'store' then a.store_id end)
      and i.board_unit_id is not distinct from a.board_unit_id))
  order by i.updated_at desc, i.id desc limit 1`;

/** Takes imported figures over into the updates of their KPIs, until these are frozen. */
export const takeImports: Job = {
  elevated: true,
  async run({ company, actor, each }) {
    const today = dayIn(placeOf({ ...actor, entityId: company }).timezone);
    const read = await each<Update>(
      (unit, after) =>
        unit.query(
          `select a.id, a.ends_on::text, a.value::text, a.remark, a.counts, (${IMPORTED}) as imported from {kpi_actual} a
           where a.entity_id = $1 and a.active and a.source = 'import' and a.status <> 'frozen' and a.id > $2
           order by a.id limit ${UPDATES_PER_STEP}`,
          [company, after ?? 0],
        ),
      async (person, updates) => {
        const figures = updates.map((update) => ({
          update,
          value: update.imported,
          remark: update.imported === null ? 'Nothing was imported for this period.' : null,
          isFinal: update.ends_on < today,
        }));
        await storeFigures(
          person.elevated(),
          figures.filter(({ update, value, isFinal }) => value !== null || update.value !== null || isFinal),
        );
        return updates.at(-1)!.id;
      },
    );
    return `${read} figures looked up.`;
  },
};
