import type { Field } from '../../../descriptor/types.ts';
import type { ReportRow } from '../../../domain/report.ts';
import type { Statement } from '../../db/database.ts';
import { quoted } from '../../db/names.ts';
import { preparedStatement } from '../../db/sql_text.ts';
import { childTable } from '../../db/tables.ts';

/** The types whose rows define the colours of columns. */
export const colouringTypes = (columns: readonly Field[]): string[] =>
  columns.flatMap(({ coloursOf }) => coloursOf?.type ?? []);

/** Rows with the colour of each text that has one: `<column>__colour`. A text that has several colours has none. */
export async function withColours(
  rows: readonly ReportRow[],
  columns: readonly Field[],
  schema: string,
  run: (statement: Statement) => Promise<Record<string, unknown>[]>,
): Promise<ReportRow[]> {
  let coloured = [...rows];
  for (const { name, coloursOf } of columns) {
    if (!coloursOf || rows.length === 0) continue;
    const { type, rows: table, value, colour } = coloursOf;
    const found = await run(
      preparedStatement(
        `select ${quoted(value)} as value, min(${quoted(colour)}) as colour from ${childTable(schema, type, table)}
         where ${quoted(value)} = any($1::text[]) group by 1 having count(distinct coalesce(${quoted(colour)}, '')) = 1`,
        [[...new Set(rows.map((row) => row[name]).filter((text) => typeof text === 'string'))]],
      ),
    );
    const colours = new Map(found.map((one) => [one.value, one.colour]));
    coloured = coloured.map((row) => {
      const own = colours.get(row[name]);
      return typeof own === 'string' ? { ...row, [`${name}__colour`]: own } : row;
    });
  }
  return coloured;
}
