import type { Job } from '../../../engine/modules.ts';

const SHEETS_PER_STEP = 20;

/**
 * The sheets of a member who has left end on the last working day. Later updates without a decision go: at the freeze
 * they would count as missing. What was approved or frozen stays (performance.md §10).
 */
export const endSheets: Job = {
  elevated: true,
  async run({ args: { employee }, each }) {
    const sheets = await each<{ id: number; last_day: string; ends: boolean }>(
      (unit, after) =>
        unit.query(
          `select s.id, d.last_day::text, s.valid_from <= d.last_day as ends
           from {kpi_sheet} s join {employee} e on e.id = s.employee_id
           cross join lateral (select coalesce(e.last_working_day, e.date_of_leaving) as last_day) d
           where s.employee_id = $1 and s.active and s.status not in ('closed', 'cancelled') and e.status = 'left'
             and s.valid_to > d.last_day and s.id > $2 order by s.id limit ${SHEETS_PER_STEP}`,
          [employee, after ?? 0],
        ),
      async (person, some) => {
        const unit = person.elevated();
        for (const { id, last_day: lastDay, ends } of some) {
          const later = await unit.query<{ id: number }>(
            `select id from {kpi_actual} where sheet_id = $1 and active and month || '-01' > $2
               and (status in ('to_enter', 'returned') or source <> 'manual' and status <> 'frozen') order by id`,
            [id, lastDay],
          );
          await unit.removeMany(
            'kpi_actual',
            later.map((update) => update.id),
          );
          const scores = await unit.query<{ id: number }>(
            `select s.id from {kpi_score} s where s.sheet_id = $1 and s.active and not s.frozen and s.month || '-01' > $2
               and not exists (select 1 from {kpi_actual} a where a.sheet_id = $1 and a.month = s.month and a.active) order by s.id`,
            [id, lastDay],
          );
          await unit.removeMany(
            'kpi_score',
            scores.map((score) => score.id),
          );
          if (ends) await unit.update('kpi_sheet', id, { valid_to: lastDay });
        }
        return some.at(-1)!.id;
      },
    );
    return `${sheets} sheets ended.`;
  },
};
