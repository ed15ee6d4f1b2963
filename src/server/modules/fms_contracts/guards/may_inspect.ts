import { existingTables } from '../../../db/existing_tables.ts';
import { dayOfRecord } from '../../../engine/records/day_of_record.ts';
import type { Guard } from '../../../engine/modules.ts';

/**
 * The surveyor, or the person who reviews, may inspect by the expertise level of their team. People in no team have the
 * right by their role alone.
 */
export const mayInspect: Guard = {
  elevated: true,
  args: {
    type: 'object',
    required: ['who'],
    additionalProperties: false,
    properties: { who: { enum: ['surveyor', 'reviewer'] } },
  },
  async check({ unit, record, args }) {
    const { db, schema } = unit.session.tenant;
    if (!(await existingTables(db, schema)).has('team')) return [];
    const isSurveyor = args.who === 'surveyor';
    const [found] = await unit.query<{ name: string; level: string; may: boolean }>(
      `select e.name, x.name as level, coalesce(x.may_inspect, false) as may
       from {employee} e join {team.members} m on m.employee_id = e.id join {team} t on t.id = m.parent_id and t.active
         join {expertise_level} x on x.id = m.expertise_level_id
       where ${isSurveyor ? 'e.id' : 'e.user_id'} = $1 and m."from" <= $2::date and coalesce(m."to", 'infinity') >= $2::date
       order by m.id desc limit 1`,
      [isSurveyor ? record.surveyor_id : unit.session.userId, dayOfRecord(unit, record)],
    );
    if (!found || found.may) return [];
    return [
      {
        field: isSurveyor ? 'surveyor_id' : '',
        message: `${found.name} has the level "${found.level}", which may not inspect. Another person must do it.`,
      },
    ];
  },
};
