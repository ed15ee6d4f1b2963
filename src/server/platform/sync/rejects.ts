import type { Queryable } from '../../db/database.ts';
import { childTable, quoted } from '../../db/names.ts';
import type { Unit } from '../../engine/records/unit.ts';
import { cursorText } from './changed_rows.ts';
import type { Mapped } from './job.ts';

/** The maximum number of rejected rows of a run stored for correction. */
const KEPT_REJECTS = 1_000;

/** The name of a rejected row: its key, or its position. */
const rejectKey = ({ row, key }: Pick<Mapped, 'row' | 'key'>): string => key.slice(0, 250) || `Row ${row}`;

/** Stores the rows refused by a run, and closes earlier ones that appeared again. `seen`: all rows of the run. */
export async function keepRejects(
  unit: Unit,
  run: { id: number; job_id: number; started_by: number | null },
  { rejected, seen }: { rejected: Mapped[]; seen: Mapped[] },
): Promise<void> {
  // An earlier rejection is closed when the same key appears again, valid or not.
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

/** Stores the original cells of rejected rows. */
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
