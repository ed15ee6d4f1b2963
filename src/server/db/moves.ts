import type { Screen } from '../../descriptor/types.ts';
import type { Catalogue } from './catalogue.ts';
import type { Change } from './change.ts';
import { contractLines } from './contract_lines.ts';
import { inspectionAnswers } from './inspection_answers.ts';
import type { Move } from './move.ts';
import { bareTable, quoted } from './names.ts';

const MOVES: readonly Move[] = [inspectionAnswers, contractLines];

/** Columns that earlier releases computed from others of their row: dropping them loses nothing. */
const COMPUTED: ReadonlySet<string> = new Set(['employee_field_setting.name']);

/** Whether a column without a field contained only computed values. */
export const wasComputed = (type: string, column: string): boolean => COMPUTED.has(`${type}.${column}`);

/**
 * The move of a table of child rows without a field in the descriptor, including dropping the table; null = none is
 * known. `types`: those whose tables exist when it runs. It runs in the transaction that alters the tables: completely,
 * or not at all.
 */
export function plannedMove(
  schema: string,
  screen: Screen,
  table: string,
  current: Catalogue,
  types: readonly string[],
): Change[] | null {
  const move = MOVES.find((one) => one.type === screen.name && bareTable(one.type, one.rows) === table);
  const stored = current.tables.get(table);
  const isLeft = screen.fields.some(({ name, rows, part }) => name === move?.rows && (!rows || part));
  const isThere = move?.into === undefined || current.tables.has(move.into) || types.includes(move.into);
  if (!move || !stored || !isLeft || !isThere || !move.columns.every((name) => stored.columns.has(name))) return null;
  const moved: Change = {
    type: move.type,
    field: move.rows,
    table,
    what: move.name,
    sql: [],
    follow: (on) => move.run(on, schema),
  };
  const dropped: Change = {
    type: move.type,
    field: move.rows,
    table,
    what: `drop table ${table}`,
    sql: [`drop table ${quoted(schema)}.${quoted(table)}`],
    after: moved,
  };
  return [moved, dropped];
}
