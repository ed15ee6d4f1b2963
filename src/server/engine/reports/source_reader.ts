import { tableName } from '../../db/names.ts';
import { SqlParams, preparedStatement } from '../../db/sql_text.ts';
import type { ReportCall } from './report_source.ts';

/** Reads rows for a tile: `{kpi}` is the table of that type, `seen` restricts it to what the reader may see. */
export class SourceReader {
  readonly #call: ReportCall;
  constructor(call: ReportCall) {
    this.#call = call;
  }

  query<Row extends object>(text: (values: SqlParams) => string): Promise<Row[]> {
    const values = new SqlParams();
    const { db, schema } = this.#call.session.tenant;
    const statement = text(values).replace(/\{(\w+)(?:\.(\w+))?\}/g, (_all, type: string, rows?: string) =>
      tableName(schema, rows === undefined ? type : `${type}__${rows}`),
    );
    return db.query<Row & Record<string, unknown>>(preparedStatement(statement, values.list));
  }

  seen(type: string, alias: string, values: SqlParams): string {
    return [`${alias}.active`, ...this.#call.scoped(type, alias, values)].join(' and ');
  }
}
