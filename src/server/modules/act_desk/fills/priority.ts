import type { Impact, Urgency } from '../../../../domain/act_desk/priority.ts';
import { ticketPriority } from '../../../../domain/act_desk/priority.ts';
import type { Fill } from '../../../engine/modules.ts';
import type { Unit } from '../../../engine/records/unit.ts';

/** The client's own priority matrix, by field of the settings; empty = the default one. */
export async function ownMatrix(unit: Unit): Promise<Record<string, unknown>> {
  const [row] = await unit.query<Record<string, unknown>>('select * from {desk_priority} order by id limit 1');
  return row ?? {};
}

/** The priority by impact and urgency; some grades raise it by one step. */
export const priority: Fill = {
  async run({ unit, record }) {
    const own = await ownMatrix(unit);
    const grades = (own.vip_grade_ids as number[] | null) ?? [];
    const [vip] =
      grades.length === 0
        ? []
        : await unit.query('select 1 from {employee} where id = $1 and grade_id = any($2::bigint[])', [
            record.on_behalf_of_id ?? record.requester_id ?? null,
            grades,
          ]);
    const impact = (record.impact ?? 'person') as Impact;
    const urgency = (record.urgency ?? 'this_week') as Urgency;
    return { priority: ticketPriority(impact, urgency, { vip: vip !== undefined, own }) };
  },
};
