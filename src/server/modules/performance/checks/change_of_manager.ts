import { dayFirst } from '../../../../descriptor/fieldtypes/written.ts';
import { existingTables } from '../../../db/existing_tables.ts';
import { tableName } from '../../../db/names.ts';
import { preparedStatement } from '../../../db/sql_text.ts';
import type { RecordCheck } from '../../../engine/modules.ts';

/** Changes that move a member in the tree or among the units whose figures add up. */
const MOVES = ['reporting_to_id', 'branch_id', 'department_id'];

/** A new manager, branch or department holds after the last frozen period of a member (performance.md §10). */
export const changeOfManager: RecordCheck = async (session, record) => {
  const { employee_id: id, effective_from: from, change } = record;
  const moves =
    change === 'manager' ||
    ((change === 'transfer' || change === 'promotion') && MOVES.some((name) => typeof record[name] === 'number'));
  if (!moves || typeof id !== 'number' || typeof from !== 'string') return [];
  const { db, schema } = session.tenant;
  if (!(await existingTables(db, schema)).has('kpi_actual')) return [];
  const [frozen] = await db.query<{ day: string | null }>(
    preparedStatement(
      `select (max(ends_on) + 1)::text as day from ${tableName(schema, 'kpi_actual')}
       where employee_id = $1 and active and status = 'frozen' and ends_on >= $2`,
      [id, from],
    ),
  );
  return frozen?.day
    ? [{ field: 'effective_from', message: `The change can start on ${dayFirst(frozen.day)} at the earliest.` }]
    : [];
};
