import { formatNumber } from '../../../descriptor/format.ts';
import { isRowsChange, rowsBefore } from '../../../descriptor/rows_change.ts';
import type { Screen } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import { quoted, tableName } from '../../db/names.ts';
import { AppError } from '../../db/errors.ts';
import { inUnit } from '../records/unit_of_work.ts';
import { underNamesOfNow } from '../records/history.ts';
import type { Engine } from '../records/engine.ts';
import { preparedStatement } from '../../db/sql_text.ts';

const HOURS = 24;

/** The effect of an import on one record. */
interface Done {
  id: number;
  op: 'I' | 'U';
  change: Record<string, unknown> | null;
  /** Nobody has changed or deleted it since. */
  same: boolean;
}

/**
 * Undoes an import: added records are deleted, changed ones restored. All or nothing, within a day, and only while
 * nobody has changed one of the records. @throws AppError 409
 */
export async function undoImport(
  engine: Engine,
  session: Session,
  screen: Screen,
  runId: number,
): Promise<{ removed: number; restored: number }> {
  const { schema } = session.tenant;
  const s = quoted(schema);
  return inUnit(session, async (unit) => {
    const tx = unit.session.tenant.db;
    const [run] = await tx.query<{ id: number }>(
      preparedStatement(
        `update ${s}.import_run set state = 'undone' where id = $1 and by = $2 and state = 'imported' and at > now() - make_interval(hours => ${HOURS}) returning id`,
        [runId, session.userId],
      ),
    );
    if (!run)
      throw new AppError(
        409,
        'bad_state',
        `Only an import that was written within the last ${HOURS} hours can be undone.`,
      );
    const done = await tx.query<Done>(
      preparedStatement(
        `select h.record_id as id, h.op, h.change, t.version is not distinct from h.version as same
         from ${s}.history h left join ${tableName(schema, screen.name)} t on t.id = h.record_id where h.record_type = $1 and h.what = $2 order by h.id`,
        [screen.name, `import ${runId}`],
      ),
    );
    // A record created with a transition has two history lines; the last one has its current values.
    const added = new Set(done.filter(({ op }) => op === 'I').map(({ id }) => id));
    const last = new Map(done.map((one) => [one.id, one]));
    const others = [...last.values()].filter(({ same }) => !same).length;
    if (others > 0)
      throw new AppError(
        409,
        'bad_state',
        `${others === 1 ? '1 record was' : `${formatNumber(others)} records were`} changed since. The import cannot be undone as a whole any more: correct what is wrong instead.`,
      );
    const [more] = await tx.query<{ n: number }>(
      preparedStatement(
        `select count(distinct record_id)::int as n from ${s}.effect_log where record_type = $1 and record_id = any($2::bigint[]) and undone_by is null`,
        [screen.name, [...added]],
      ),
    );
    if (more!.n > 0)
      throw new AppError(
        409,
        'bad_state',
        `${more!.n === 1 ? '1 record was' : `${formatNumber(more!.n)} records were`} opened by a step that did more than that. Take the steps that end them instead.`,
      );
    const what = `undo of import ${runId}`;
    const changes = done
      .filter(({ op, id }) => op === 'U' && !added.has(id))
      .map(({ id, change }) => ({
        id,
        set: Object.fromEntries(
          Object.entries(underNamesOfNow(screen.fields, change) ?? {}).flatMap(([name, values]) =>
            Array.isArray(values) ? [[name, values[0] as unknown]] : [],
          ),
        ) as Record<string, unknown>,
        rows: Object.entries(underNamesOfNow(screen.fields, change) ?? {}).flatMap(([name, values]) =>
          isRowsChange(values) && screen.fields.some((field) => field.name === name && field.rows)
            ? [[name, values] as const]
            : [],
        ),
      }));
    const [withRows, plain] = [true, false].map((are) => changes.filter(({ rows }) => rows.length > 0 === are)) as [
      typeof changes,
      typeof changes,
    ];
    await engine.updateMany(tx, session, screen, plain, what);
    for (const { id, set, rows } of withRows) {
      const now = await engine.read(unit.session, screen, id);
      for (const [name, change] of rows) {
        const after = (now[name] as Record<string, unknown>[] | null) ?? [];
        const there = new Set(after.map((row) => row.id));
        // Rows removed by the import are restored as new rows.
        set[name] = rowsBefore(change, after).map(({ id: row, ...own }) =>
          there.has(row)
            ? {
                id: row,
                ...known(
                  own,
                  after.find((one) => one.id === row),
                ),
              }
            : fresh(own),
        );
      }
      await engine.updateWithRows(tx, unit.session, screen, { id, before: now, set }, what);
    }
    await engine.removeMany(tx, session, screen, [...added], what);
    return { removed: added.size, restored: changes.length };
  });
}

const rowsOf = (value: unknown): Record<string, unknown>[] | null =>
  Array.isArray(value) && value.every((one) => one !== null && typeof one === 'object')
    ? (value as Record<string, unknown>[])
    : null;

/** A removed row, as a new one, with its own rows. */
const fresh = (row: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      rowsOf(value)?.map(({ id: _id, ...own }) => fresh(own)) ?? value,
    ]),
  );

/** An existing row, in which missing rows are added as new ones. */
const known = (row: Record<string, unknown>, now: Record<string, unknown> | undefined): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => {
      const there = new Set(rowsOf(now?.[name])?.map(({ id }) => id));
      return [name, rowsOf(value)?.map(({ id, ...own }) => (there.has(id) ? { id, ...own } : fresh(own))) ?? value];
    }),
  );
