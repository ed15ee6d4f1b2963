import type { Screen } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import type { Queryable } from '../../db/database.ts';
import { childTable, quoted, tableName } from '../../db/names.ts';
import { notFound } from '../../db/errors.ts';
import { changeOf } from './history.ts';
import { recordset } from './insert_statement.ts';
import { rowScope } from '../../access/rights/scope.ts';
import { SqlParams, preparedStatement } from '../../db/sql_text.ts';
import { refusalOf } from './uniqueness.ts';
import { updateStatement } from './write.ts';
import type { WriteContext } from './write_context.ts';

type Row = Record<string, unknown>;

/** Writes the child rows of records just inserted; `ids` and `records` are in the same order. */
export async function insertRows(
  tx: Queryable,
  { tenant }: Session,
  screen: Screen,
  ids: readonly number[],
  records: readonly Row[],
): Promise<void> {
  for (const field of screen.fields) {
    if (!field.rows || field.part) continue;
    const rows = records.flatMap((record, at) =>
      Array.isArray(record[field.name])
        ? (record[field.name] as Row[]).map((row, position) => ({ ...row, id: ids[at], position }))
        : [],
    );
    if (rows.length === 0) continue;
    const names = field.rows.map((column) => quoted(column.name));
    await tx.query(
      preparedStatement(
        `insert into ${childTable(tenant.schema, screen.name, field.name)} (parent_id, "position"${names.map((name) => `, ${name}`).join('')})
         select x.id, x."position"${names.map((name) => `, x.${name}`).join('')} from jsonb_to_recordset($1::jsonb) x(${recordset(field.rows)})`,
        [JSON.stringify(rows)],
      ),
    );
  }
}

/**
 * Changes a record whose checked values include child rows, within a transaction. `before` is the stored value of the
 * fields of `set`. @throws AppError 404 if the session may not see it
 */
export async function updateWithRows(
  tx: Queryable,
  context: Pick<WriteContext, 'session' | 'screen' | 'screens' | 'what'>,
  id: number,
  before: Row,
  set: Row,
): Promise<void> {
  const { session, screen, screens } = context;
  const fields = screen.fields.filter(({ name }) => name in set);
  const change = changeOf({ fields }, before, set);
  if (Object.keys(change).length === 0) return;
  const seen = new SqlParams();
  const where = [`t.id = ${seen.bind(id)}`, ...rowScope(session, screen, screens, 't', seen)];
  const [row] = await tx.query<{ version: number }>(
    preparedStatement(
      `select t.version from ${tableName(session.tenant.schema, screen.name)} t where ${where.join(' and ')} for update of t`,
      seen.list,
    ),
  );
  if (!row) throw notFound();
  const values = new SqlParams();
  const statement = updateStatement(context, id, row.version, set, change, null, values);
  await tx.query(preparedStatement(statement, values.list)).catch((error: unknown) => {
    throw refusalOf(error, screen, set);
  });
}
