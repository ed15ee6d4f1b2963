import type { Session } from '../../access/context.ts';
import type { Queryable } from '../../db/database.ts';
import { quoted } from '../../db/names.ts';
import { withChoices } from './column_choice.ts';
import type { ColumnChoice } from './sheet_columns.ts';

const table = (session: Session) => `${quoted(session.tenant.schema)}.import_columns`;

/** The person's column choices for earlier files of a record type, the latest last. */
export async function rememberedColumns(on: Queryable, session: Session, type: string): Promise<ColumnChoice[]> {
  const [row] = await on.query<{ columns: ColumnChoice[] }>(
    `select columns from ${table(session)} where record_type = $1 and user_id = $2`,
    [type, session.userId],
  );
  return row?.columns ?? [];
}

/** Stores the person's choices for the next file of the type. */
export async function rememberColumns(
  tx: Queryable,
  session: Session,
  type: string,
  chosen: ColumnChoice[],
): Promise<void> {
  const columns = withChoices(await rememberedColumns(tx, session, type), chosen);
  await tx.query(
    `insert into ${table(session)} (record_type, user_id, columns) values ($1, $2, $3)
     on conflict (record_type, user_id) do update set columns = excluded.columns`,
    [type, session.userId, JSON.stringify(columns)],
  );
}

/** Deletes the person's choices for a type. */
export async function forgetColumns(tx: Queryable, session: Session, type: string): Promise<void> {
  await tx.query(`delete from ${table(session)} where record_type = $1 and user_id = $2`, [type, session.userId]);
}
