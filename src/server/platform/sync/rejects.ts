import type { Queryable } from '../../db/database.ts';
import { childTable, quoted } from '../../db/names.ts';
import type { Unit } from '../../engine/records/unit.ts';
import { cursorText } from './changed_rows.ts';
import type { Mapped } from './job.ts';

/** Rejected rows of a run that are kept to be corrected. */
const KEPT_REJECTS = 1_000;

/** What a rejected row is called: by its key, or where it stood. */
const rejectKey = ({ row, key }: Pick<Mapped, 'row' | 'key'>): string => key.slice(0, 250) || `Row ${row}`;

/** Keeps the rows that a run refused, and ends those that came again. `seen`: all rows of the run. */
export async function keepRejects(
  unit: Unit,
  run: { id: number; job_id: number; started_by: number | null },
  { rejected, seen }: { rejected: Mapped[]; seen: Mapped[] },
): Promise<void> {
  // What was refused before is settled when the same key came again, right or wrong.
  const settled = await unit.query<{ id: number }>(
    `select id from {sync_reject} where active and job_id = $1 and state = 'open' and lower(key) = any($2) order by id`,
    [run.job_id, seen.map((item) => rejectKey(item).toLowerCase())],
  );
  for (const { id } of settled) await unit.takeAuto('sync_reject', id, 'supersede');
  const kept = rejected.slice(0, KEPT_REJECTS);
  if (kept.length === 0) return;
  const rows = await unit.query<{ id: number; at: number }>(
    `with x as (select * from jsonb_to_recordset($4::jsonb) x(at int, row_no int, key text, error text) order by at)
     insert into {sync_reject} (job_id, run_id, state, row_no, key, error, created_by, updated_by) select $1, $2, 'open', x.row_no, x.key, x.error, $3, $3 from x returning id, row_no as at`,
    [
      run.job_id,
      run.id,
      run.started_by,
      JSON.stringify(
        kept.map(({ row, key, errors }, at) => ({
          at,
          row_no: row,
          key: rejectKey({ row, key }),
          error: errors.join(' ').slice(0, 2000),
        })),
      ),
    ],
  );
  const byRow = new Map(kept.map(({ row, cells }) => [row, cells]));
  const { db, schema } = unit.session.tenant;
  await writeCells(
    db,
    schema,
    rows.map(({ id, at }) => ({ id, cells: byRow.get(at) ?? {} })),
  );
}

/** Writes the cells of rejected rows as the source had them. */
export async function writeCells(
  tx: Queryable,
  schema: string,
  rejects: { id: number; cells: Record<string, unknown> }[],
): Promise<void> {
  const rows = rejects.flatMap(({ id, cells }) =>
    Object.entries(cells)
      .slice(0, 200)
      .map(([column, value], position) => ({
        id,
        position,
        column: column.slice(0, 100),
        value: cursorText(value)?.slice(0, 4000) ?? null,
      })),
  );
  if (rows.length === 0) return;
  await tx.query(
    `insert into ${childTable(schema, 'sync_reject', 'cells')} (parent_id, position, ${quoted('column')}, value)
     select x.id, x.position, x."column", x.value from jsonb_to_recordset($1::jsonb) x(id bigint, position int, "column" text, value text)`,
    [JSON.stringify(rows)],
  );
}
