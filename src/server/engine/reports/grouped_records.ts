import { recordZoneSql } from '../../services/clock/zones.ts';
import { placeOf } from '../../services/clock/client_day.ts';
import { humanise } from '../../../descriptor/humanise.ts';
import { groupName } from '../../../descriptor/report.ts';
import { narrowedNames, narrowedPath } from '../../../descriptor/narrowing.ts';
import { yearSpan } from '../../../descriptor/financial_year.ts';
import { place } from '../../../descriptor/place.ts';
import { parseFilter } from '../../../descriptor/filter.ts';
import type { Field, FilterExpression, Screen } from '../../../descriptor/types.ts';
import { Exact } from '../../../descriptor/exact.ts';
import { compileExpression } from '../../../descriptor/expression/compile_expression.ts';
import { ExpressionError } from '../../../descriptor/expression/value.ts';
import { fieldType } from '../../../descriptor/fieldtypes/registry.ts';
import { scopeOf } from '../../../descriptor/validate.ts';
import type { Measure, Period, RecordsGrouped, Report } from '../../../domain/report.ts';
import { quoted, treeTable } from '../../db/names.ts';
import { AppError } from '../../db/errors.ts';
import { columnSql, labels } from '../../db/columns.ts';
import { filterCondition } from '../records/filter_sql.ts';
import { rowsOf } from '../records/rows_of.ts';
import { visibleTable } from '../records/visible_sql.ts';
import { SqlParams, preparedStatement } from '../../db/sql_text.ts';
import { authorize } from '../../access/rights/authorize.ts';
import type { Statement } from '../../db/database.ts';
import { withColours } from './coloured_rows.ts';
import { balanceOrder, broughtForward, withBalances } from './running_balance.ts';
import { MAX_ROWS } from './report_source.ts';
import type { ReportCall, ReportRows } from './report_source.ts';

const PERIODS: Record<Period, string> = {
  day: 'YYYY-MM-DD',
  week: 'IYYY "W"IW',
  month: 'YYYY-MM',
  quarter: 'YYYY "Q"Q',
  year: 'YYYY',
};

type Group = RecordsGrouped['group'][number];

const pathOf = (group: Group): string[] => (typeof group === 'string' ? group : group.field).split('.');

/** A field with the alias of its table. */
interface AtPath {
  field: Field;
  alias: string;
}

/** The records that groups refer to, each joined once. Records that the reader does not see have no values. */
class JoinedPaths {
  readonly joins: string[] = [];
  readonly #screen: Screen;
  readonly #call: ReportCall;
  readonly #joined = new Map<string, { screen: Screen; alias: string }>();

  constructor(screen: Screen, call: ReportCall) {
    this.#screen = screen;
    this.#call = call;
  }

  /**
   * The first field behind a reference that the reader may not see. @throws AppError 403 if they may not list a type
   */
  unseen(used: readonly Group[]): string | undefined {
    for (const one of used) {
      let here: Screen | undefined = this.#screen;
      for (const [at, name] of pathOf(one).entries()) {
        if (at > 0) authorize(this.#call.session, here, 'landing');
        const field: Field | undefined = here.fields.find((own) => own.name === name && !own.masked);
        if (!field) return name;
        here = field.ref ? this.#call.screens.get(field.ref.type) : undefined;
        if (!here) break;
      }
    }
    return undefined;
  }

  field(group: Group, values: SqlParams): AtPath {
    const { screen, alias, last } = this.record(pathOf(group), values);
    return { field: screen.fields.find(({ name }) => name === last)!, alias };
  }

  /** The joined record at the end of a path, and the field of it. */
  record(path: readonly string[], values: SqlParams): { screen: Screen; alias: string; last: string } {
    const steps = path.slice(0, -1);
    let here = { screen: this.#screen, alias: 't' };
    for (const [at, step] of steps.entries()) here = this.#join(here, step, steps.slice(0, at + 1).join('.'), values);
    return { ...here, last: path.at(-1)! };
  }

  #join(from: { screen: Screen; alias: string }, step: string, path: string, values: SqlParams) {
    const known = this.#joined.get(path);
    if (known) return known;
    const field = from.screen.fields.find(({ name }) => name === step)!;
    const screen = this.#call.screens.get(field.ref!.type)!;
    const alias = `p${this.#joined.size + 1}`;
    const sight = [`${alias}.id = ${columnSql(field, from.alias)}`, ...this.#call.scoped(screen.name, alias, values)];
    this.joins.push(
      ` left join ${visibleTable(this.#call.session, screen, this.#call.screens, alias, values)} on ${sight.join(' and ')}`,
    );
    const joined = { screen, alias };
    this.#joined.set(path, joined);
    return joined;
  }
}

/** Records of a type in groups, with their running balance. @throws AppError 403 if the reader may not list the type */
export async function groupedRecords(report: Report, call: ReportCall): Promise<ReportRows> {
  const given = await inGroups(report, call);
  const from = report.from!;
  if (!from.running) return given;
  const before = broughtForward(report, call.parameters);
  return withBalances(from, given.rows, before && (await inGroups(before, call)).rows);
}

/** Records in groups: one statement, over the rows that the reader may list. */
async function inGroups(report: Report, call: ReportCall): Promise<ReportRows> {
  const { session, screens, parameters } = call;
  const from = report.from!;
  const screen = screens.get(from.type)!;
  authorize(session, screen, 'landing');
  const paths = new JoinedPaths(screen, call);
  const unseen = unseenField(screen, from) ?? paths.unseen([...from.group, ...chosenPaths(from, parameters)]);
  if (unseen !== undefined)
    throw new AppError(403, 'forbidden', `This report uses "${humanise(unseen)}", which you may not see.`, {
      reason: 'field',
    });
  const { schema, db } = session.tenant;
  const values = new SqlParams();
  const condition = (filter: FilterExpression) => filterCondition(filter, screen, screens, schema, 't', values);
  let bound: string | undefined;
  const zone = () => (bound ??= recordZoneSql(screen, 't', placeOf(session).zones, values));
  const groups = [...from.group, ...(from.details ?? [])].map((group) => ({
    name: groupName(group),
    sql: groupSql(paths.field(group, values), group, zone),
  }));
  const measures = from.measures
    .filter(({ formula }) => formula === undefined)
    .map((measure) => ({
      name: measure.name,
      sql: measureSql(screen, measure, condition),
    }));
  // The total of averages is the average of all records: their sums and numbers are added up.
  const means = report.pivot || from.running ? [] : from.measures.filter(isMean(report));
  const parts = means.flatMap(({ name, average, filter }) =>
    (['sum', 'count'] as const).map((part) => ({
      name: `__${part}.${name}`,
      sql: partSql(screen, part, average!, filter, condition),
    })),
  );
  const where = [
    ...call.scoped(screen.name, 't', values),
    't.active',
    ...conditionsOf(from, screen, parameters).map(condition),
    ...chosenPaths(from, parameters).map((path) => {
      const { screen: of, alias, last } = paths.record(path.split('.'), values);
      return filterCondition([last, 'eq', parameters[path.replaceAll('.', '_')]], of, screens, schema, alias, values);
    }),
    ...belowSomebody(from, screen, schema, parameters, values),
  ];
  const picked = [...groups, ...measures, ...parts].map(({ name, sql }) => `${sql} as ${quoted(name)}`);
  const fields = report.columns.slice(0, groups.length).filter((field): field is Field => field.ref !== undefined);
  const labelled = labels(screens, schema, fields, 'g');
  const places = groups.map((_, index) => index + 1);
  // If rows are sorted by a measure, the database already decides which are shown if there are too many.
  const sortedBy = measures.findIndex(({ name }) => name === report.sort?.by);
  const wanted =
    sortedBy < 0 ? [] : [`${groups.length + sortedBy + 1} ${report.sort!.descending ? 'desc' : 'asc'} nulls last`];
  const together =
    places.length === 0
      ? ''
      : ` group by ${places.join(', ')} order by ${[...wanted, ...places.map((place) => `${place} nulls last`)].join(', ')}`;
  const grouped = `select ${picked.join(', ')} from ${rowsOf(session, screen, screens, 't', values, parameters)}${paths.joins.join('')} where ${where.join(' and ')}${together} limit ${MAX_ROWS + 1}`;
  const statement = preparedStatement(`select ${['g.*', ...labelled].join(', ')} from (${grouped}) g`, values.list);
  const run = (asked: Statement) => (call.run ? call.run(asked) : db.query<Record<string, unknown>>(asked));
  const rows = await withColours(await run(statement), report.columns.slice(0, groups.length), schema, run);
  const order = balanceOrder(from);
  const ordered = inOrder(
    rows,
    order.map((name) => report.columns.find((column) => column.name === name)!),
  );
  const totals = meansOf(means, ordered);
  const shown = ordered.map((row) => withFormulas(report, withoutParts(row, means)));
  return { rows: bySort(report, shown), ...(means.length > 0 && { totals }) };
}

/** Whether a measure is an average with a total. */
const isMean =
  ({ totals }: Report) =>
  ({ name, average }: Measure): boolean =>
    average !== undefined && totals.includes(name);

/** The average of all records behind some rows, by measure. */
function meansOf(means: readonly Measure[], rows: readonly Record<string, unknown>[]): Record<string, unknown> {
  const sum = (name: string) => rows.reduce((all, row) => all.plus((row[name] ?? 0) as string | number), new Exact(0));
  return Object.fromEntries(
    means.map(({ name }) => {
      const count = sum(`__count.${name}`);
      return [name, count.isZero() ? null : sum(`__sum.${name}`).dividedBy(count).toFixed(2)];
    }),
  );
}

const withoutParts = (row: Record<string, unknown>, means: readonly Measure[]): Record<string, unknown> =>
  means.length === 0 ? row : Object.fromEntries(Object.entries(row).filter(([name]) => !/^__(sum|count)\./.test(name)));

/** Rows sorted by the report's column; equal rows keep their order, empty values come last. */
function bySort({ sort, columns }: Report, rows: Record<string, unknown>[]): Record<string, unknown>[] {
  const column = columns.find(({ name }) => name === sort?.by);
  if (!column) return rows;
  const { name } = column;
  if (fieldType(column.type).filter !== 'number') {
    const ascending = inOrder(rows, [column]);
    return sort!.descending ? ascending.toReversed() : ascending;
  }
  const sign = sort!.descending ? -1 : 1;
  const isEmpty = (row: Record<string, unknown>) => row[name] === null || row[name] === undefined;
  const amount = (row: Record<string, unknown>) => new Exact(row[name] as string | number);
  return rows.toSorted((a, b) =>
    isEmpty(a) || isEmpty(b) ? Number(isEmpty(a)) - Number(isEmpty(b)) : sign * amount(a).cmp(amount(b)),
  );
}

/** A row of measures, or of their totals, with the computed ones; null for a division by zero. */
export function withFormulas({ from, columns }: Report, row: Record<string, unknown>): Record<string, unknown> {
  const computed = from?.measures.filter(({ formula }) => formula !== undefined) ?? [];
  if (computed.length === 0) return row;
  const scope = scopeOf(columns, row);
  const values = computed.map(({ name, formula }) => [name, amountOf(formula!, scope)]);
  return { ...row, ...(Object.fromEntries(values) as Record<string, unknown>) };
}

function amountOf(formula: string, scope: Parameters<ReturnType<typeof compileExpression>['evaluate']>[0]) {
  try {
    const value = compileExpression(formula).evaluate(scope);
    return value === null ? null : new Exact(String(value)).toFixed(2);
  } catch (error) {
    if (error instanceof ExpressionError) return null;
    throw error;
  }
}

/** The first field used by the measures that the reader may not see. */
export function unseenField(screen: Screen, from: RecordsGrouped): string | undefined {
  return usedFields(from).find((name) => !screen.fields.some((field) => field.name === name && !field.masked));
}

function usedFields({ group, measures, filters = [] }: RecordsGrouped): string[] {
  return [
    ...group.map((one) => pathOf(one)[0]!),
    ...measures.flatMap(({ sum, average, lowest, highest }) => sum ?? average ?? lowest ?? highest ?? []),
    ...filters.map((one) => narrowedPath(one).split('.')[0]!),
  ];
}

/** The fields of other records by which the reader has narrowed the report. */
const chosenPaths = ({ filters = [] }: RecordsGrouped, parameters: Record<string, unknown>): string[] =>
  filters.filter(
    (one): one is string =>
      typeof one === 'string' && one.includes('.') && (parameters[one.replaceAll('.', '_')] ?? null) !== null,
  );

/** Only records of those below the chosen person; that person's own are not among them. */
function belowSomebody(
  { filters = [] }: RecordsGrouped,
  screen: Screen,
  schema: string,
  parameters: Record<string, unknown>,
  values: SqlParams,
): string[] {
  return filters.flatMap((one) => {
    if (typeof one === 'string' || one.by !== 'above') return [];
    const [above = '', direct = ''] = narrowedNames(one);
    if ((parameters[above] ?? null) === null) return [];
    const field = screen.fields.find(({ name }) => name === one.field)!;
    return [
      `${columnSql(field, 't')} in (select descendant_id from ${treeTable(schema, field.ref!.type)}
        where ancestor_id = ${values.bind(parameters[above])} and depth ${parameters[direct] === true ? '= 1' : '> 0'})`,
    ];
  });
}

/** The months that the reader has chosen: of a financial year, from one to another. */
function chosenMonths(name: string, parameters: Record<string, unknown>): FilterExpression[] {
  const span = [parameters[`${name}_from`] ?? null, parameters[`${name}_to`] ?? null];
  const year = parameters[`${name}_year`];
  const own = typeof year === 'string' ? yearSpan(Number(year.slice(0, 4)), place().fyStartMonth) : null;
  return [
    ...(own ? [[name, 'between', [own.from.slice(0, 7), own.to.slice(0, 7)]] as FilterExpression] : []),
    ...(span.some((month) => month !== null) ? [[name, 'between', span] as FilterExpression] : []),
  ];
}

/** Groups in order: references by name, choices in the order of their list, all others by value; empty values last. */
function inOrder(rows: Record<string, unknown>[], groups: Field[]): Record<string, unknown>[] {
  const place = ({ name, ref, options }: Field, row: Record<string, unknown>) => {
    const value = ref ? row[`${name}__label`] : row[name];
    if (value === null || value === undefined) return null;
    return options
      ? String(options.findIndex((option) => option.value === value))
      : String(value as string | number | boolean);
  };
  const compare = (a: string | null, b: string | null) =>
    a === null || b === null ? Number(a === null) - Number(b === null) : a.localeCompare(b, 'en', { numeric: true });
  const keyed = rows.map((row) => ({ row, key: groups.map((field) => place(field, row)) }));
  keyed.sort((a, b) => a.key.reduce((found, one, at) => found || compare(one, b.key[at]!), 0));
  return keyed.map(({ row }) => row);
}

function groupSql({ field, alias }: AtPath, group: Group, zone: () => string): string {
  const column = columnSql(field, alias);
  if (typeof group === 'string') return column;
  return `to_char(${field.type === 'datetime' ? `${column} at time zone ${zone()}` : column}, '${PERIODS[group.by]}')`;
}

function partSql(
  screen: Screen,
  part: 'sum' | 'count',
  name: string,
  filter: FilterExpression | undefined,
  condition: (filter: FilterExpression) => string,
): string {
  const column = columnSql(
    screen.fields.find((field) => field.name === name)!,
    't',
  );
  return `${part}(${column})${filter ? ` filter (where ${condition(checked(filter, screen))})` : ''}`;
}

function measureSql(screen: Screen, measure: Measure, condition: (filter: FilterExpression) => string): string {
  const filter = measure.filter ? ` filter (where ${condition(checked(measure.filter, screen))})` : '';
  const column = (name: string) =>
    columnSql(
      screen.fields.find((field) => field.name === name)!,
      't',
    );
  if (measure.count) return `count(*)${filter}::int`;
  if (measure.sum !== undefined) return `coalesce(sum(${column(measure.sum)})${filter}, 0)`;
  if (measure.average !== undefined) return `round(avg(${column(measure.average)})${filter}, 2)`;
  return measure.lowest !== undefined
    ? `min(${column(measure.lowest)})${filter}`
    : `max(${column(measure.highest!)})${filter}`;
}

/** The report's own filter, and the reader's choices. */
function conditionsOf(from: RecordsGrouped, screen: Screen, parameters: Record<string, unknown>): FilterExpression[] {
  const chosen = (from.filters ?? []).flatMap((one): FilterExpression[] => {
    const name = narrowedPath(one);
    if (typeof one !== 'string') return one.by === 'period' ? chosenMonths(name, parameters) : [];
    if (name.includes('.')) return [];
    const field = screen.fields.find((one) => one.name === name)!;
    if (field.type === 'date' || field.type === 'datetime') {
      const span = [parameters[`${name}_from`] ?? null, parameters[`${name}_to`] ?? null];
      return span.some((day) => day !== null) ? [[name, 'between', span]] : [];
    }
    const value = parameters[name] ?? null;
    return value === null ? [] : [[name, 'eq', value]];
  });
  return [...(from.filter ? [checked(from.filter, screen)] : []), ...chosen];
}

/** A filter of the file, adapted to the person's current fields. */
function checked(filter: FilterExpression, screen: Screen): FilterExpression {
  const found = parseFilter(filter, screen);
  if ('error' in found)
    throw new AppError(403, 'forbidden', `This report cannot be made of what you may see. ${found.error}`, {
      reason: 'field',
    });
  return found.filter!;
}
