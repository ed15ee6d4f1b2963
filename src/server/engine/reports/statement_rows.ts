import { tableName } from '../../db/names.ts';
import type { SqlParams } from '../../db/sql_text.ts';
import { preparedStatement } from '../../db/sql_text.ts';
import type { ReportCall } from './report_source.ts';

/** Rows of a statement in which `{stock_ledger}` is the table of that type. */
export function rowsOf<T>({ session }: Pick<ReportCall, 'session'>, text: string, values: SqlParams): Promise<T[]> {
  const { db, schema } = session.tenant;
  const statement = text.replace(/\{(\w+)(?:\.(\w+))?\}/g, (_all, type: string, rows?: string) =>
    tableName(schema, rows === undefined ? type : `${type}__${rows}`),
  );
  return db.query<T>(preparedStatement(statement, values.list));
}
