import type { DueDate, FilterExpression, Screen } from '../../../descriptor/types.ts';
import { childTable, quoted, tableName } from '../../db/names.ts';
import { filterCondition } from '../../engine/records/filter_sql.ts';
import type { SqlParams } from '../../db/sql_text.ts';

/** Due records as their descriptor defines them: which, when, whose, and the condition for reminders. */
export interface EscalationSource extends DueDate {
  module: string;
  screen: Screen;
  /** Child rows with their own due dates; their columns are placeholders too. */
  rows?: string;
}

/** All due dates defined in the current descriptors. */
export function dueSources(screens: ReadonlyMap<string, Screen>): EscalationSource[] {
  return [...screens.values()].flatMap((screen) =>
    (screen.due ?? []).map((due) => {
      const [rows, column] = due.date.split('.');
      return { ...due, module: due.module ?? screen.name, screen, ...(column !== undefined && { rows: rows! }) };
    }),
  );
}

/** The source of a rule; undefined = there is no such due date. */
export function sourceOf(
  screens: ReadonlyMap<string, Screen>,
  module: unknown,
  event: unknown,
): EscalationSource | undefined {
  return dueSources(screens).find((one) => one.module === module && one.event === event);
}

/** The dates of a type for rules, as text; empty = none. */
export function datesOf(screens: ReadonlyMap<string, Screen>, module: unknown): EscalationSource[] {
  return dueSources(screens).filter((one) => one.module === module);
}

/** Work with a person responsible, as opposed to documents that merely expire. */
export function openSources(screens: ReadonlyMap<string, Screen>): EscalationSource[] {
  return dueSources(screens).filter(
    ({ event, people }) => (event === 'due' || event === 'overdue') && people.assignee !== undefined,
  );
}

/** SQL over a source's record `r` and, if there are rows, its row `w`. */
export interface SourceSql {
  from: string;
  date: string;
  row: string;
  open: string;
  /** A JSON object: an employee's id by part in the record. */
  people: string;
}

export function sourceSql(
  { screen, rows, date, open, openRows, people }: EscalationSource,
  screens: ReadonlyMap<string, Screen>,
  schema: string,
  values: SqlParams,
): SourceSql {
  const column = (path: string): string => {
    const [head = '', inner] = path.split('.');
    return inner === undefined ? `r.${quoted(head)}` : `w.${quoted(inner)}`;
  };
  const filter = (expression: FilterExpression | undefined, of: Screen, alias: string) =>
    expression ? [filterCondition(expression, of, new Map(screens), schema, alias, values)] : [];
  const columns = screen.fields.find(({ name }) => name === rows)?.rows ?? [];
  const employee = (path: string): string => {
    const [head, inner] = path.split('.');
    const field =
      inner === undefined
        ? screen.fields.find(({ name }) => name === head)
        : columns.find(({ name }) => name === inner);
    const direct = path === 'id' || field?.ref?.type === 'employee';
    return direct
      ? column(path)
      : `(select u.employee_id from ${tableName(schema, 'users')} u where u.id = ${column(path)})`;
  };
  return {
    from: `${tableName(schema, screen.name)} r${rows === undefined ? '' : ` join ${childTable(schema, screen.name, rows)} w on w.parent_id = r.id`}`,
    date: column(date),
    row: rows === undefined ? '0::bigint' : 'w.id',
    open: ['r.active', ...filter(open, screen, 'r'), ...filter(openRows, { ...screen, fields: columns }, 'w')].join(
      ' and ',
    ),
    people: `jsonb_build_object(${Object.entries(people)
      .map(([part, path]) => `'${part}', ${employee(path)}`)
      .join(', ')})`,
  };
}
