import { dayFirst } from '../../../../descriptor/fieldtypes/written.ts';
import { existingTables } from '../../../db/existing_tables.ts';
import { tableName } from '../../../db/names.ts';
import { preparedStatement } from '../../../db/sql_text.ts';
import type { RecordCheck } from '../../../engine/modules.ts';

/** A new manager takes over after the last frozen period of a member (performance.md §10). */
export const changeOfManager: RecordCheck = async (session, record) => {
  const { employee_id: id, effective_from: from, change } = record;
  if (change !== 'manager' || typeof id !== 'number' || typeof from !== 'string') return [];
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
