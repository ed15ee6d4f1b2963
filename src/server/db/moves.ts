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

const ofLift = (s: string, column: string) =>
  `update ${s}.tis_inspection i set ${column} = f.${column} from ${s}.lift f where f.id = i.lift_id`;

/** SQL that fills a new column from what earlier releases stored instead, and the other table that it reads. */
const FILLED: Readonly<Record<string, { from: string; sql(schema: string): string }>> = {
  // Lift numbers are unique in a company. Inspections of other lifts keep their texts only.
  'tis_inspection.lift_id': {
    from: 'lift',
    sql: (s) =>
      `update ${s}.tis_inspection i set lift_id = f.id from ${s}.lift f
       where f.entity_id = i.entity_id and f.active and lower(f.lift_no) = lower(btrim(i.lift_no))`,
  },
  'tis_inspection.building_id': { from: 'lift', sql: (s) => ofLift(s, 'building_id') },
  'tis_inspection.customer_id': { from: 'lift', sql: (s) => ofLift(s, 'customer_id') },
};

/** The statement that fills a column added to a table with rows, if one is known. */
export function fillingSql(schema: string, type: string, column: string): string[] {
  const fill = FILLED[`${type}.${column}`];
  if (!fill) return [];
  // Tables are made when they are first used.
  const there = `to_regclass('${quoted(schema)}.${quoted(fill.from)}') is not null`;
  return [`do $do$ begin if ${there} then ${fill.sql(quoted(schema))}; end if; end $do$`];
}

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
