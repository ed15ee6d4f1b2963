import type { Guard } from '../../../engine/modules.ts';
import { documentsUsing, usedBy } from '../months_in_use.ts';

/** Closed sheets named in a message; the rest is counted. */
const NAMED = 3;

/** A month is not reopened while a released appraisal, an approved incentive run or a closed sheet uses it. */
export const periodIsUnused: Guard = {
  elevated: true,
  async check({ unit: person, record }) {
    const unit = person.elevated();
    const month = String(record.month);
    const department = typeof record.department_id === 'number' ? record.department_id : null;
    const used = await documentsUsing(unit, { from: month, to: month, department });
    if (used.length > 0) return [{ field: 'month', message: usedBy(used) }];
    const closed = await unit.query<{ number: string }>(
      `select sheet_no as number from {kpi_sheet} where entity_id = $1 and active and status = 'closed'
         and $2::text between to_char(valid_from, 'YYYY-MM') and to_char(valid_to, 'YYYY-MM')
         and ($3::bigint is null or department_id = $3) order by id`,
      [unit.session.entityId, month, department],
    );
    if (closed.length === 0) return [];
    const named = closed.slice(0, NAMED).map(({ number }) => number);
    const more = closed.length - named.length;
    const sheets = [...named, ...(more > 0 ? [`${more} more`] : [])].join(', ');
    return [
      {
        field: 'month',
        message: `The year of ${sheets} is closed. Reopen ${closed.length === 1 ? 'this sheet' : 'these sheets'} in Assign KPI first, then the month.`,
      },
    ];
  },
};
