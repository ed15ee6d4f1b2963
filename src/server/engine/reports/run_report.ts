import { COMPANY_FILTER } from '../../../domain/dashboard.ts';
import { reportPage } from '../../access/rights/pages.ts';
import type { OfCompanies } from '../dashboards/chosen_company.ts';
import { companyChoice, inChosenCompany } from '../dashboards/chosen_company.ts';
import { Exact } from '../../../descriptor/exact.ts';
import { formatValue } from '../../../descriptor/format.ts';
import { productScreen } from '../../../descriptor/overlay.ts';
import { withDetails } from './report_details.ts';
import { inOneUnit } from '../../../descriptor/same_unit.ts';
import { groupName } from '../../../descriptor/report.ts';
import type { Field, Screen } from '../../../descriptor/types.ts';
import { BALANCE_ROW } from '../../../domain/report.ts';
import { toneOf } from '../../../domain/tone.ts';
import type {
  ChartSeries,
  RecordsGrouped,
  Report,
  ReportAnswer,
  ReportColumn,
  ReportRow,
} from '../../../domain/report.ts';
import { dayIn, placeOf } from '../../services/clock/client_day.ts';
import type { Tenant } from '../../db/tenant.ts';
import { AppError } from '../../db/errors.ts';
import { rowScope } from '../../access/rights/scope.ts';
import type { LiveSession } from '../../access/sessions/session_store.ts';
import { colouringTypes } from './coloured_rows.ts';
import { chosenTexts } from './chosen_texts.ts';
import { groupedRecords, withFormulas } from './grouped_records.ts';
import { readParameters } from './parameters.ts';
import { readInTime } from './read_in_time.ts';
import { MAX_ROWS } from './report_source.ts';
import type { ReportCall, ReportRows, ReportSource } from './report_source.ts';

/** The maximum number of pivot columns. */
const MAX_PIVOT = 120;
/** The maximum number of lines of a chart. */
const MAX_LINES = 12;
/** Label of the empty value in a pivot. */
const NOTHING = '';

export interface ReportDeps {
  /** The time limit of a statement of a report. */
  seconds: number;
  sources: Readonly<Record<string, ReportSource>>;
  screens: (session: LiveSession) => Map<string, Screen>;
  ensure(tenant: Tenant, types: string[]): Promise<unknown>;
}

/** The request: parameters as in the address; for a report with levels, the rows of a level. */
export interface ReportQuery {
  parameters: Record<string, string | undefined>;
  /** A level; null = the first. */
  level: string | null;
  within: Record<string, unknown>;
  /** Rows of all levels at once, distinguished by all of them: for a sheet. */
  whole?: boolean;
}

/** A report with the companies of which it shows figures. */
export const ofCompanies = (report: Report): OfCompanies => ({ page: reportPage(report), companies: report.companies });

/** The parameters of a report's address: its own, and the choice of companies. */
export const takesParameter = ({ parameters, companies }: Report, name: string): boolean =>
  (companies !== undefined && name === COMPANY_FILTER) || parameters.some((field) => field.name === name);

/** The figures of a report, as this reader may see them. @throws AppError 422 with a parameter, 403 */
export async function runReport(
  { sources, screens, ensure, seconds }: ReportDeps,
  reader: LiveSession,
  asked: Report,
  query: ReportQuery,
): Promise<ReportAnswer> {
  const of = ofCompanies(asked);
  const company = await inChosenCompany(reader, of, query.parameters[COMPANY_FILTER]);
  const { session } = company;
  const choice = company.value === null ? null : await companyChoice(reader, of);
  const own = screens(session);
  const report = withDetails(asked, own, session);
  const parameters = readParameters(report, query.parameters);
  const levels = report.levels ?? [];
  const depth = query.level === null ? 0 : levels.indexOf(query.level);
  if (depth < 0) throw new AppError(400, 'bad_request', 'There is no such level.', { field: 'by' });
  for (const name of levels.slice(0, depth))
    if (!(name in query.within))
      throw new AppError(400, 'bad_request', 'Say which row is opened.', { field: 'within' });
  const source = report.source === null ? null : sources[report.source];
  if (report.source !== null && !source) throw new Error(`No function gives the rows of ${report.name}.`);
  await ensure(
    session.tenant,
    (source
      ? [...Object.keys(source.reads), ...(source.counts ?? [])]
      : [report.from!.type, ...report.columns.flatMap(({ ref }) => ref?.type ?? []), ...colouringTypes(report.columns)]
    ).filter((type) => own.has(type)),
  );
  const kept = source ? keptField(source, session, own) : null;
  const by = query.whole ? levels : levels.slice(0, depth + 1);
  const limit = { milliseconds: seconds * 1000, tooSlow: () => tooSlow(report, seconds) };
  const given: ReportRows = kept
    ? { rows: [], note: kept }
    : await readInTime(session, limit, (reading) => {
        const call: ReportCall = {
          session: reading,
          screens: own,
          parameters,
          today: dayIn(placeOf(session).timezone),
          by,
          within: query.whole
            ? {}
            : Object.fromEntries(levels.slice(0, depth).map((name) => [name, query.within[name]])),
          scoped: (type, alias, values) => rowScope(reading, own.get(type)!, own, alias, values),
        };
        return source ? source.rows(call) : groupedRecords(report, call);
      });
  const shown = report.columns.filter(
    ({ name, hidden }) => hidden === undefined && (!levels.includes(name) || by.includes(name)),
  );
  return {
    parameters: { ...parameters, ...(choice && { [COMPANY_FILTER]: company.value }) },
    chosen: [
      ...(choice?.options ?? [])
        .filter(({ value }) => value === company.value)
        .map(({ label: text }) => ({ title: choice!.title, text })),
      ...(await chosenTexts(session, own, report, parameters)),
    ],
    ...finish(report, shown, given),
    figures: given.figures ?? [],
    ...(given.timeline && given.timeline.bars.length > 0 && { timeline: given.timeline }),
    ...(given.note !== undefined && { note: given.note }),
    ...(kept !== null && { withheld: true }),
  };
}

/** The message of a report that was cancelled: how its reader can still get it. */
function tooSlow({ parameters }: Report, seconds: number): AppError {
  const days = parameters.filter(({ type }) => type === 'date' || type === 'month');
  const way =
    days.length > 1
      ? 'Choose a shorter period.'
      : parameters.length > 0
        ? 'Narrow it with the choices above.'
        : 'Ask your administrator to narrow it.';
  return new AppError(422, 'too_slow', `The report took longer than ${seconds} seconds and was ended. ${way}`);
}

/**
 * The message about a field used by the figures that the reader may not see; null = none. Fields that the client does
 * not use at all are not secret.
 */
export function keptField(
  { reads }: ReportSource,
  { rights }: LiveSession,
  own: ReadonlyMap<string, Screen>,
): string | null {
  for (const [type, names] of Object.entries(reads)) {
    const screen = own.get(type);
    if (!screen) continue;
    const roles = rights.fieldAccess(screen);
    const name = names.find(
      (one) =>
        ['hidden', 'masked'].includes(roles.get(one) ?? '') ||
        screen.fields.some((field) => field.name === one && field.masked),
    );
    if (name !== undefined)
      return `These figures would reveal “${productScreen(screen).fields.find((field) => field.name === name)?.title ?? name}” of ${screen.plural.toLowerCase()}, which you may not see.`;
  }
  return null;
}

/** Columns, rows, totals and chart of a source's result. */
export function finish(
  report: Report,
  all: Field[],
  given: ReportRows,
): Pick<ReportAnswer, 'columns' | 'rows' | 'totals' | 'more' | 'chart'> {
  const columns = given.without ? all.filter(({ name }) => !given.without!.includes(name)) : all;
  const more = given.rows.length > MAX_ROWS;
  const kept = more ? given.rows.slice(0, MAX_ROWS) : given.rows;
  const made: { columns: ReportColumn[]; rows: ReportRow[] } = report.pivot
    ? pivoted(report, columns, kept, given.pivot)
    : { columns, rows: kept };
  const added = made.columns.filter((column) => report.totals.includes(column.of ?? column.name));
  const totals =
    more || (added.length === 0 && !given.totals) || made.rows.length === 0
      ? null
      : withComputed(report, { ...sums(made.rows, added), ...given.totals });
  const chart = given.chart ? inTones(given.chart, all) : chartOf(report, made.columns, made.rows, totals);
  return { ...made, more, totals, chart: chart && chart.x.length > 0 ? chart : null };
}

/** Totals of a table with the computed measures; for a pivot each cell has its own. */
const withComputed = (report: Report, totals: ReportRow): ReportRow =>
  report.pivot ? totals : withFormulas(report, totals);

/** The exact sum of each column; none of numbers in several units. */
function sums(rows: ReportRow[], columns: ReportColumn[]): ReportRow {
  const isKnown = (row: ReportRow, name: string) => row[name] !== null && row[name] !== undefined;
  const added = columns.filter((column) =>
    inOneUnit(
      column,
      rows.filter((row) => isKnown(row, column.name)),
    ),
  );
  return Object.fromEntries(
    added.map(({ name, type }) => {
      const total = rows.reduce(
        (sum, row) => (isKnown(row, name) ? sum.plus(row[name] as string | number) : sum),
        new Exact(0),
      );
      // Amounts keep their number of decimals.
      const decimals = Math.max(
        0,
        ...rows.map((row) => (typeof row[name] === 'string' ? (row[name].split('.')[1]?.length ?? 0) : 0)),
      );
      return [name, type === 'integer' || type === 'duration' ? total.toNumber() : total.toFixed(decimals)];
    }),
  );
}

const keyOf = (value: unknown) => (value === null || value === undefined ? NOTHING : String(value));

/** Long rows as wide ones: the values of one column as columns, each with its measures, and the totals of a row. */
function pivoted(
  { pivot, totals }: Report,
  columns: Field[],
  rows: ReportRow[],
  heads?: { value: string; title: string }[],
): { columns: ReportColumn[]; rows: ReportRow[] } {
  const { by, values } = pivot!;
  const byField = columns.find(({ name }) => name === by)!;
  const titles = new Map((heads ?? []).map(({ value, title }) => [value, title]));
  if (!heads) for (const row of rows) titles.set(keyOf(row[by]), titleOf(byField, row));
  if (titles.size > MAX_PIVOT)
    throw new AppError(
      422,
      'validation',
      `This would make ${titles.size} columns. Narrow the report: at most ${MAX_PIVOT} can be shown.`,
    );
  const order = heads ? [...titles.keys()] : inOrder(byField, titles);
  const keys = columns.filter(({ name }) => name !== by && !values.includes(name));
  const figures = values.map((name) => columns.find((column) => column.name === name)!);
  const wide = new Map<string, ReportRow>();
  for (const row of rows) {
    const key = JSON.stringify(keys.map(({ name }) => row[name] ?? null));
    let one = wide.get(key);
    if (!one)
      wide.set(
        key,
        (one = Object.fromEntries(
          Object.entries(row).filter(
            ([name]) => name !== by && name !== `${by}__label` && !values.includes(name.replace(/__to$/, '')),
          ),
        )),
      );
    for (const { name } of figures) {
      const cell = `${keyOf(row[by])}.${name}`;
      one[cell] = row[name] ?? null;
      if (row[`${name}__to`] !== undefined) one[`${cell}__to`] = row[`${name}__to`];
    }
  }
  const single = figures.length === 1;
  const spread = order.flatMap((value) =>
    figures.map((field): ReportColumn => ({
      ...field,
      name: `${value}.${field.name}`,
      title: single ? titles.get(value)! : field.title,
      of: field.name,
      ...(!single && { group: titles.get(value)! }),
    })),
  );
  const across = figures
    .filter(({ name, unitFrom }) => totals.includes(name) && unitFrom !== by)
    .map((field): ReportColumn => ({
      ...field,
      name: `.total.${field.name}`,
      title: single ? 'Total' : field.title,
      of: field.name,
      ...(!single && { group: 'Total' }),
    }));
  for (const one of wide.values()) {
    // The unit of a figure is among them.
    const ofRow = Object.fromEntries(keys.map(({ name }) => [name, one[name] ?? null]));
    for (const { name, of: figure } of across) {
      const parts = order
        .map((value) => `${value}.${figure}`)
        .filter((part) => one[part] !== null && one[part] !== undefined)
        .map((part) => ({ ...ofRow, [name]: one[part] }));
      Object.assign(one, sums(parts, [across.find((column) => column.name === name)!]));
    }
  }
  // Totals come before the possibly many columns.
  return { columns: [...keys, ...across, ...spread], rows: [...wide.values()] };
}

/** Values in order: references by name, choices in the order of the file, empty values last. */
function inOrder({ ref, options }: Field, titles: ReadonlyMap<string, string>): string[] {
  const place = (value: string) =>
    ref ? titles.get(value)! : options ? String(options.findIndex((option) => String(option.value) === value)) : value;
  return [...titles.keys()].sort(
    (a, b) =>
      Number(a === NOTHING) - Number(b === NOTHING) || place(a).localeCompare(place(b), 'en', { numeric: true }),
  );
}

function titleOf(field: Field, row: ReportRow): string {
  const label = row[`${field.name}__label`];
  const text = typeof label === 'string' ? label : formatValue(field, row[field.name], row);
  return text === '' ? 'None' : text;
}

const inTone = (field: Field, row: ReportRow): Pick<ChartSeries, 'tone'> => {
  const tone = toneOf(field, row);
  return tone === undefined ? {} : { tone };
};

/** The chart of a function: series called like the values of a column have their colours. */
function inTones(
  { series, ...chart }: NonNullable<ReportRows['chart']>,
  columns: readonly Field[],
): ReportRows['chart'] {
  const valueOf = ({ options = [] }: Field, title: string) => options.find(({ label }) => label === title)?.value;
  const of = columns.find((column) => series.every(({ title }) => valueOf(column, title) !== undefined));
  return {
    ...chart,
    series: of ? series.map((one) => ({ ...inTone(of, { [of.name]: valueOf(of, one.title) }), ...one })) : series,
  };
}

/** The chart of the descriptor: measures of the rows, or the totals of a pivot. */
function chartOf(
  report: Report,
  columns: ReportColumn[],
  rows: ReportRow[],
  totals: ReportRow | null,
): ReportAnswer['chart'] {
  const { chart, pivot, from } = report;
  if (!chart || chart.kind === 'timeline' || rows.length === 0) return null;
  const number = (value: unknown) => (value === null || value === undefined ? null : Number(value));
  if (pivot && chart.x === pivot.by) {
    if (!totals) return null;
    const spread = columns.filter(({ name, of: figure }) => figure !== undefined && !name.startsWith('.total.'));
    const x = [...new Set(spread.map(({ group, title }) => group ?? title))];
    return {
      x,
      series: chart.y.map((name) => ({
        title: titleOfColumn(spread, name),
        values: spread.filter((column) => column.of === name).map((column) => number(totals[column.name])),
      })),
    };
  }
  const along = columns.find(({ name }) => name === chart.x) ?? columns.find(({ name }) => name === chart.other);
  if (!along) return null;
  const drawn = rows.filter((row) => row[BALANCE_ROW] === undefined);
  if (chart.kind === 'line' && from && !from.running && !pivot && repeats(drawn, along))
    return linesOf(chart.y, from, along, columns, drawn);
  // Rows may repeat a value on the axis: its bar is their sum. Averages and running balances have none.
  const isSum = (name: string) => from!.measures.some((one) => one.name === name && (one.count || one.sum));
  const bars =
    chart.kind !== 'line' && (!from || (!from.running && chart.y.every(isSum)))
      ? [...Map.groupBy(drawn, (row) => (from ? keyOf(row[along.name]) : titleOf(along, row))).values()]
      : drawn.map((row) => [row]);
  const sum = (values: (number | null)[]) =>
    values.reduce((all, one) => (one === null ? all : Number(new Exact(all ?? 0).plus(one))), null);
  const shown = chart.y.flatMap((name) =>
    pivot?.values.includes(name)
      ? columns.filter((one) => one.of === name && !one.name.startsWith('.total.')).map(({ name: cell }) => cell)
      : [name],
  );
  const series = shown.flatMap((name) => {
    const column = columns.find((one) => one.name === name);
    const title = [column?.group, column?.title].filter(Boolean).join(' · ');
    const value = column?.of === undefined ? undefined : name.slice(0, -column.of.length - 1);
    const tone =
      pivot && pivot.values.length === 1
        ? inTone(
            report.columns.find((one) => one.name === pivot.by)!,
            { [pivot.by]: value },
          )
        : {};
    return column ? [{ title, values: bars.map((of) => sum(of.map((row) => number(row[name])))), ...tone }] : [];
  });
  // Without a figure there is nothing to draw.
  if (series.every(({ values }) => values.every((value) => value === null))) return null;
  const x = bars.map(([row]) => titleOf(along, row!));
  const isTime = shown.every((name) => columns.find((one) => one.name === name)?.type === 'duration');
  return { ...(along.name !== chart.x && { along: along.title }), x, series, ...(isTime && { minutes: true }) };
}

const repeats = (rows: ReportRow[], { name }: Field) => new Set(rows.map((row) => keyOf(row[name]))).size < rows.length;

/** One line for each combination of the groups that are not on the axis; no chart if there are more than `MAX_LINES`. */
function linesOf(
  figures: string[],
  { group }: RecordsGrouped,
  along: Field,
  columns: ReportColumn[],
  rows: ReportRow[],
): ReportAnswer['chart'] {
  const names = new Set(group.map(groupName));
  const others = columns.filter(
    ({ name }) => names.has(name) && name !== along.name && new Set(rows.map((row) => keyOf(row[name]))).size > 1,
  );
  const lines = Map.groupBy(rows, (row) => JSON.stringify(others.map(({ name }) => row[name] ?? null)));
  if (lines.size * figures.length > MAX_LINES) return null;
  const titles = new Map(rows.map((row) => [keyOf(row[along.name]), titleOf(along, row)]));
  const order = inOrder(along, titles);
  const shown = columns.filter(({ name }) => figures.includes(name));
  return {
    x: order.map((value) => titles.get(value)!),
    series: [...lines.values()].flatMap((line) => {
      const at = new Map(line.map((row) => [keyOf(row[along.name]), row]));
      const known = others.filter(({ name }) => keyOf(line[0]![name]) !== NOTHING);
      const of = known.map((field) => titleOf(field, line[0]!)).join(' · ') || 'None';
      return shown.map(({ name, title }) => ({
        title: shown.length > 1 ? `${of} · ${title}` : of,
        ...(shown.length === 1 && known.length === 1 && inTone(known[0]!, line[0]!)),
        values: order.map((value) => {
          const figure = at.get(value)?.[name] ?? null;
          return figure === null ? null : Number(figure);
        }),
      }));
    }),
  };
}

function titleOfColumn(columns: ReportColumn[], figure: string): string {
  const column = columns.find((one) => one.of === figure);
  return column?.group === undefined ? 'Total' : column.title;
}
