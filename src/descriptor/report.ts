import { COMPANY_FILTER } from '../domain/dashboard.ts';
import { BALANCE } from '../domain/report.ts';
import type { Measure, Period, Report, ReportDescriptor, RecordsGrouped } from '../domain/report.ts';
import type { SourceFile } from './compile.ts';
import { ExpressionSyntaxError, compileExpression } from './expression/compile_expression.ts';
import { compileFields } from './compile_fields.ts';
import { expand } from './fields.ts';
import { formatNumber } from './format.ts';
import { checkReferences, headOf, isFiguresFile, isWellFormed } from './figures_file.ts';
import { parseFilter } from './filter.ts';
import type { Narrowing } from './narrowing.ts';
import { narrowedNames, narrowedPath } from './narrowing.ts';
import { FIGURES, isDated, isDetail, isGrouped, isMeasured, isNarrowed } from './report_fields.ts';
import { didYouMean } from './source.ts';
import type { Source } from './source.ts';
import type { Field, FilterExpression, JsonSchema, Screen } from './types.ts';
import { checkAccess } from './words/access.ts';

type Path = (string | number)[];

/** Including the measures created by bands: up to the first edge, between each two, above the last. */
function withBands(from: RecordsGrouped): RecordsGrouped {
  const { bands, measures } = from;
  if (!bands) return from;
  const { of, edges, sum } = bands;
  const figure = sum === undefined ? { count: true as const } : { sum };
  const made = [...edges, null].map((edge, at): Measure => {
    const above = edges[at - 1];
    const parts: FilterExpression[] = [
      ...(above === undefined ? [] : [[of, 'gt', above] as FilterExpression]),
      ...(edge === null ? [] : [[of, 'lte', edge] as FilterExpression]),
    ];
    const title =
      above === undefined
        ? `Up to ${formatNumber(edge!)}`
        : edge === null
          ? `Above ${formatNumber(above)}`
          : `${formatNumber(above + 1)} to ${formatNumber(edge)}`;
    const filter = parts.length === 1 ? parts[0]! : (['and', ...parts] as FilterExpression);
    return { name: `band_${at + 1}`, title, ...figure, filter };
  });
  return { ...from, measures: [...measures, ...made] };
}

/** True for a file that describes a report. */
export function isReport(descriptor: unknown): boolean {
  return isFiguresFile('report', descriptor);
}

/**
 * Compiles a report file; null and a finding in `source` if it cannot be compiled. `screens`: the record types it may
 * use.
 */
export function compileReport(
  file: SourceFile,
  descriptor: ReportDescriptor,
  types: Record<string, JsonSchema>,
  screens: ReadonlyMap<string, Screen>,
  source: Source,
): Report | null {
  if (!isWellFormed('report', file, descriptor, source)) return null;
  return reportOf(file, descriptor, types, screens, source);
}

/** Compiles a value with the shape of a report; null and a finding in `source` if it cannot be compiled. */
export function reportOf(
  file: Pick<SourceFile, 'name' | 'folder'>,
  descriptor: ReportDescriptor,
  types: Record<string, JsonSchema>,
  screens: ReadonlyMap<string, Screen>,
  source: Source,
): Report | null {
  if ((descriptor.source === undefined) === (descriptor.from === undefined)) {
    source.report(
      [],
      'Figures have either "from" or "source".',
      'Write "from" to group records of a type; "source" names a function of the server.',
    );
    return null;
  }
  const fieldsOf = (word: 'parameters' | 'columns') =>
    descriptor[word] ? compileFields(expand(descriptor[word], types, source, [word]), source, [word]) : [];
  const from = descriptor.from && withBands(descriptor.from);
  const screen = from && screens.get(from.type);
  if (from && !screen) {
    source.report(['from', 'type'], `There is no record type "${from.type}".`, didYouMean(from.type, screens.keys()));
    return null;
  }
  if (from && (descriptor.columns || descriptor.levels))
    source.report(
      [descriptor.columns ? 'columns' : 'levels'],
      'Of records in groups the groups and measures are the columns.',
      'Leave it out.',
    );
  if (!from && !descriptor.columns)
    source.report(
      ['columns'],
      'The columns are missing.',
      'Write "columns": { "properties": { "people": { "$ref": "types#integer" } } }.',
    );
  const columns = from ? groupColumns(from, screen!, screens, source) : fieldsOf('columns');
  const parameters = from
    ? [...(screen!.parameters ?? []), ...narrowing(from, screen!, screens, source)]
    : fieldsOf('parameters');
  checkReferences([...columns, ...parameters], screens, source, () => []);
  if (descriptor.companies && parameters.some(({ name }) => name === COMPANY_FILTER))
    source.report(
      ['companies'],
      `"companies" already has a parameter "${COMPANY_FILTER}".`,
      'Give the other parameter another name.',
    );
  checkDefaults(descriptor, parameters, source);
  checkColumns(descriptor, columns, source);
  const { access } = descriptor;
  checkAccess(access, source);
  const added = from
    ? from.measures
        .filter(({ count, sum }) => count || sum !== undefined)
        .map(({ name }) => name)
        .filter((name) => {
          const column = columns.find((one) => one.name === name);
          return column?.currencyFrom === undefined && column?.unitFrom === undefined;
        })
    : [];
  return {
    ...headOf('report', file, descriptor),
    source: descriptor.source ?? null,
    from: from ?? null,
    parameters,
    columns,
    ...(descriptor.companies && { companies: descriptor.companies }),
    ...(descriptor.defaults && { defaults: descriptor.defaults }),
    ...(descriptor.levels && { levels: descriptor.levels }),
    ...(descriptor.pivot && { pivot: descriptor.pivot }),
    totals: descriptor.totals ?? added,
    ...(descriptor.chart && { chart: descriptor.chart }),
    ...(descriptor.sort && { sort: descriptor.sort }),
    ...(descriptor.heat && { heat: descriptor.heat }),
    ...(descriptor.marks && { marks: descriptor.marks }),
    ...(descriptor.links && { links: descriptor.links }),
  };
}

/** The name of a group's column: a date by month becomes `<field>_month`, so that it can occur twice. */
export function groupName(group: RecordsGrouped['group'][number]): string {
  const name = (typeof group === 'string' ? group : group.field).replaceAll('.', '_');
  return typeof group === 'string' ? name : `${name}_${group.by}`;
}

/** The field at the end of a path over references; null and a finding if the path is invalid. */
function fieldAt(screen: Screen, path: string, screens: ReadonlyMap<string, Screen>, at: Path, source: Source) {
  const steps = path.split('.');
  const last = steps.pop()!;
  let here = screen;
  for (const step of steps) {
    const field = fieldOf(here, step, at, source);
    if (!field) return null;
    const target = field.type === 'ref' && !field.refBy && !field.masked ? screens.get(field.ref!.type) : undefined;
    if (!target || target.reads || (target.scope === 'platform') !== (screen.scope === 'platform')) {
      source.report(at, `"${step}" of ${here.name} leads to no one record.`, 'A path goes over references.');
      return null;
    }
    here = target;
  }
  return fieldOf(here, last, at, source);
}

function groupColumns(
  from: RecordsGrouped,
  screen: Screen,
  screens: ReadonlyMap<string, Screen>,
  source: Source,
): Field[] {
  const groups = from.group.flatMap((group, index): Field[] => {
    const [name, by] = typeof group === 'string' ? [group, undefined] : [group.field, group.by];
    const field = fieldAt(screen, name, screens, ['from', 'group', index], source);
    if (!field) return [];
    const dated = isDated(field);
    if (!isGrouped(field) || (by !== undefined && !dated)) {
      source.report(
        ['from', 'group', index],
        `"${name}" makes no groups: it is of type ${field.type}.`,
        by === undefined ? 'Choose a field with one short value.' : 'Only dates and moments have periods.',
      );
      return [];
    }
    if (dated && by === undefined) {
      source.report(
        ['from', 'group', index],
        `"${name}" is a date: it needs a period.`,
        `Write { "field": "${name}", "by": "month" }.`,
      );
      return [];
    }
    return [
      by === undefined
        ? column(field, groupName(group), field.title)
        : { ...column(field, groupName(group), field.title), ...PERIODS[by] },
    ];
  });
  const details = (from.details ?? []).flatMap((path, index): Field[] => {
    const field = fieldAt(screen, path, screens, ['from', 'details', index], source);
    if (!field) return [];
    if (isDetail(field) && !groups.some(({ name }) => name === groupName(path))) return [detailColumn(field, path)];
    source.report(
      ['from', 'details', index],
      isDetail(field) ? `"${path}" is a group already.` : `"${path}" makes no column: it is of type ${field.type}.`,
      'Choose another field with one short value.',
    );
    return [];
  });
  const measures = from.measures.flatMap((measure, index) =>
    measureColumn(measure, ['from', 'measures', index], screen, from, source),
  );
  checkFilter(from.filter, ['from', 'filter'], screen, source);
  return [...groups, ...details, ...measures, ...balanceColumn(from, screen, measures, source)];
}

/** The column of a running balance, if the report has one. */
function balanceColumn(from: RecordsGrouped, screen: Screen, measures: Field[], source: Source): Field[] {
  const { running } = from;
  if (!running) return [];
  const path = ['from', 'running'];
  const { of, order, per = [], title = 'Balance' } = running;
  const figure = measures.find(({ name }) => name === of);
  const measure = from.measures.find(({ name }) => name === of);
  if (!figure || !measure) {
    source.report(
      [...path, 'of'],
      `There is no figure "${of}".`,
      didYouMean(
        of,
        measures.map(({ name }) => name),
      ),
    );
    return [];
  }
  if (!measure.count && measure.sum === undefined && measure.formula === undefined)
    source.report([...path, 'of'], `"${of}" cannot be added up.`, 'Choose a count, a sum or a formula of such.');
  const dated = from.group.some((group) => typeof group !== 'string' && group.field === order);
  if (!dated)
    source.report(
      [...path, 'order'],
      `"${order}" is not a date among the groups.`,
      `Add { "field": "${order}", "by": "day" } to "group".`,
    );
  else if (!screen.fields.some(({ name }) => name === order))
    source.report(
      [...path, 'order'],
      `"${order}" is not a date of ${screen.title}.`,
      'Choose a date of the type itself.',
    );
  per.forEach((name, index) => {
    if (!from.group.includes(name))
      source.report([...path, 'per', index], `"${name}" is not a group.`, 'Add it to "group".');
  });
  if (figure.currencyFrom !== undefined && !per.includes(figure.currencyFrom))
    source.report(
      [...path, 'per'],
      `"${of}" is in several currencies: they have no balance together.`,
      `Add "${figure.currencyFrom}" to "per".`,
    );
  return [{ ...figure, name: BALANCE, title }];
}

const text = (type: string, schema: JsonSchema = { type: 'string' }): Pick<Field, 'type' | 'schema'> => ({
  type,
  schema,
});
const PERIODS: Record<Period, Pick<Field, 'type' | 'schema'>> = {
  day: text('date'),
  week: text('text'),
  month: text('month'),
  quarter: text('text'),
  year: text('text'),
};

/** A measure computed from others of the group. */
function formulaColumn(measure: Measure, path: Path, from: RecordsGrouped, source: Source): Field[] {
  const { name, title, formula, count, filter } = measure;
  if (count || filter || FIGURES.some((word) => measure[word] !== undefined))
    source.report(path, `"${name}" is not one figure.`, 'A formula stands alone.');
  const others = from.measures.filter((one) => one.formula === undefined).map((one) => one.name);
  checkExpression(formula!, others, [...path, 'formula'], source);
  return [
    {
      name,
      type: 'decimal',
      precision: 2,
      title,
      required: false,
      schema: { type: 'string' },
      secret: false,
      readOnly: true,
    },
  ];
}

function measureColumn(measure: Measure, path: Path, screen: Screen, from: RecordsGrouped, source: Source): Field[] {
  if (measure.formula !== undefined) return formulaColumn(measure, path, from, source);
  const figures = FIGURES.filter((word) => measure[word] !== undefined);
  if (figures.length + (measure.count ? 1 : 0) !== 1) {
    source.report(
      path,
      `"${measure.name}" is not one figure.`,
      'Write one of count, sum, average, lowest, highest, formula.',
    );
    return [];
  }
  checkFilter(measure.filter, [...path, 'filter'], screen, source);
  const [word] = figures;
  if (word === undefined)
    return [
      {
        name: measure.name,
        type: 'integer',
        title: measure.title,
        required: false,
        schema: { type: 'integer' },
        secret: false,
        readOnly: true,
      },
    ];
  const field = fieldOf(screen, measure[word]!, [...path, word], source);
  if (!field) return [];
  if (!isMeasured(field, word)) {
    source.report(
      [...path, word],
      `"${field.name}" has no ${word}: it is of type ${field.type}.`,
      'Choose a field with amounts or numbers.',
    );
    return [];
  }
  if (measure.decimals !== undefined && field.type !== 'decimal')
    source.report(
      [...path, 'decimals'],
      `"${field.name}" has its own decimals: it is of type ${field.type}.`,
      'Remove "decimals".',
    );
  const { currencyFrom, unitFrom } = field;
  if (unitFrom !== undefined && !from.group.includes(unitFrom) && !isNarrowedTo(from.filter, unitFrom)) {
    source.report(
      [...path, word],
      `"${field.name}" is in several units: it has no ${word} of them all.`,
      `Add "${unitFrom}" to "group".`,
    );
    return [];
  }
  if (currencyFrom !== undefined && !from.group.includes(currencyFrom)) {
    source.report(
      [...path, word],
      `"${field.name}" is in several currencies: it has no ${word} of them all.`,
      `Add "${currencyFrom}" to "group".`,
    );
    return [];
  }
  const average: Partial<Field> =
    word === 'average' && field.type === 'integer' ? { type: 'decimal', precision: 2, schema: { type: 'string' } } : {};
  return [
    {
      ...column(field, measure.name, measure.title),
      ...average,
      ...(measure.decimals !== undefined && { precision: measure.decimals }),
      ...(currencyFrom && { currencyFrom }),
      ...(unitFrom && { unitFrom }),
    },
  ];
}

/** Whether a filter leaves records with one value of a field only. */
function isNarrowedTo(filter: FilterExpression | undefined, name: string): boolean {
  if (!filter) return false;
  if (filter[0] === 'and') return filter.slice(1).some((part) => isNarrowedTo(part as FilterExpression, name));
  return filter[0] === name && filter[1] === 'eq';
}

/** The column of a field beside the groups. */
export const detailColumn = (field: Field, path: string): Field => column(field, groupName(path), field.title);

/** A field as a column: form words are removed. */
function column(
  { type, schema, options, coloursOf, ref, unit, precision, trim }: Field,
  name: string,
  title: string,
): Field {
  return {
    name,
    type,
    title,
    required: false,
    schema,
    ...(options && { options }),
    ...(coloursOf && { coloursOf }),
    ...(ref && { ref: { type: ref.type } }),
    ...(unit !== undefined && { unit }),
    ...(precision !== undefined && { precision }),
    ...(trim && { trim }),
    secret: false,
    readOnly: true,
  };
}

function narrowing(
  from: RecordsGrouped,
  screen: Screen,
  screens: ReadonlyMap<string, Screen>,
  source: Source,
): Field[] {
  return (from.filters ?? []).flatMap((one, index): Field[] => {
    const path = ['from', 'filters', index];
    const field = fieldAt(screen, narrowedPath(one), screens, path, source);
    if (!field) return [];
    const name = narrowedPath(one).replaceAll('.', '_');
    if (typeof one !== 'string') return narrowedBy(one, field, screens, path, source);
    const dated = field.type === 'date' || field.type === 'datetime';
    if (!isNarrowed(field) || (dated && one.includes('.'))) {
      source.report(
        path,
        `A report cannot be narrowed by "${one}": it is of type ${field.type}.`,
        'Choose a field with one short value.',
      );
      return [];
    }
    const chosen = { ...column(field, name, field.title), readOnly: false };
    if (!dated) return [chosen];
    return (['from', 'to'] as const).map((side) => ({
      ...chosen,
      ...text('date', { type: 'string', format: 'date' }),
      name: `${name}_${side}`,
      title: `${field.title}, ${side}`,
    }));
  });
}

/** The parameters of a month by year and period, and of people by somebody above them. */
function narrowedBy(
  one: Exclude<Narrowing, string>,
  field: Field,
  screens: ReadonlyMap<string, Screen>,
  path: Path,
  source: Source,
): Field[] {
  const [first = '', second = '', third = ''] = narrowedNames(one);
  const title = one.title ?? field.title;
  const chosen = (name: string, heading: string, words: Pick<Field, 'type' | 'schema'>): Field => ({
    ...column(field, name, heading),
    ...words,
    readOnly: false,
  });
  if (one.field.includes('.')) {
    source.report(path, `"${one.field}" is not a field of the type.`, 'Choose a field of the type itself.');
    return [];
  }
  if (one.by === 'period') {
    if (field.type === 'month')
      return [
        chosen(first, 'Financial year', text('financial_year')),
        chosen(second, `${title}, from`, text('month')),
        chosen(third, `${title}, to`, text('month')),
      ];
    source.report(path, `"${one.field}" is not a month: it is of type ${field.type}.`, 'Write its name alone.');
    return [];
  }
  if (field.type === 'ref' && screens.get(field.ref!.type)?.tree?.closure) {
    const { ref: _ref, ...direct } = chosen(second, 'Direct reports only', text('boolean', { type: 'boolean' }));
    const { type, schema } = field;
    return [chosen(first, title, { type, schema }), direct];
  }
  source.report(path, `The records of "${one.field}" have no tree.`, 'Choose a reference to people.');
  return [];
}

function fieldOf(screen: Screen, name: string, path: Path, source: Source): Field | null {
  const field = screen.fields.find((one) => one.name === name);
  if (!field)
    source.report(
      path,
      `${screen.title} has no field "${name}".`,
      didYouMean(
        name,
        screen.fields.map((one) => one.name),
      ),
    );
  else if (field.secret) source.report(path, `"${name}" is secret.`, 'Choose another field.');
  return field && !field.secret ? field : null;
}

export function checkFilter(filter: unknown, path: Path, screen: Screen, source: Source): void {
  if (filter === undefined) return;
  const found = parseFilter(filter, screen);
  if ('error' in found) source.report(path, found.error);
}

function checkDefaults({ defaults = {} }: ReportDescriptor, parameters: Field[], source: Source): void {
  for (const [name, expression] of Object.entries(defaults)) {
    if (!parameters.some((field) => field.name === name))
      source.report(
        ['defaults', name],
        `There is no parameter "${name}".`,
        didYouMean(
          name,
          parameters.map((field) => field.name),
        ),
      );
    checkExpression(expression, [], ['defaults', name], source);
  }
}

function checkExpression(text: string, names: string[], path: Path, source: Source): void {
  try {
    for (const name of compileExpression(text).names)
      if (!names.includes(name)) source.report(path, `There is no column "${name}".`, didYouMean(name, names));
  } catch (error) {
    if (!(error instanceof ExpressionSyntaxError)) throw error;
    source.report(path, error.message);
  }
}

/** The function of the report gives the bars of a timeline; its columns name the lane, the first and the last day. */
function checkTimeline({ chart, source: from }: ReportDescriptor, columns: Field[], source: Source): void {
  if (from === undefined)
    source.report(['chart', 'kind'], 'Only a report with a "source" has a timeline: its function gives the bars.');
  const isDate = (name: string) => columns.find((column) => column.name === name)?.type === 'date';
  if (chart!.y.length !== 2 || !chart!.y.every(isDate))
    source.report(['chart', 'y'], 'A timeline has two dates.', 'Name the columns of the first and the last day.');
}

/** Words that name columns. */
function checkColumns(descriptor: ReportDescriptor, columns: Field[], source: Source): void {
  const names = columns.map((field) => field.name);
  const known = (name: string, path: Path) =>
    names.includes(name) || source.report(path, `There is no column "${name}".`, didYouMean(name, names));
  names.forEach(
    (name, index) =>
      names.indexOf(name) < index &&
      source.report(
        descriptor.from ? ['from', 'measures'] : ['columns'],
        `Two columns are called "${name}".`,
        'Give each its own name.',
      ),
  );
  for (const word of ['levels', 'totals', 'heat'] as const)
    descriptor[word]?.forEach((name, index) => known(name, [word, index]));
  descriptor.totals?.forEach((name, index) => {
    if (columns.find((one) => one.name === name)?.currencyFrom !== undefined)
      source.report(['totals', index], `"${name}" is in several currencies: it has no total.`, 'Leave it out.');
    const unit = columns.find((one) => one.name === name)?.unitFrom;
    if (unit !== undefined && columns.every((one) => one.name !== unit))
      source.report(['totals', index], `There is no column "${unit}" with the unit of "${name}".`, 'Add it.');
  });
  if (descriptor.pivot) {
    if (descriptor.from?.running)
      source.report(['pivot'], 'A running balance has no pivot.', 'Leave out one of the two.');
    known(descriptor.pivot.by, ['pivot', 'by']);
    descriptor.pivot.values.forEach((name, index) => known(name, ['pivot', 'values', index]));
  }
  if (descriptor.chart) {
    known(descriptor.chart.x, ['chart', 'x']);
    if (descriptor.chart.other !== undefined) known(descriptor.chart.other, ['chart', 'other']);
    descriptor.chart.y.forEach((name, index) => known(name, ['chart', 'y', index]));
    if (descriptor.chart.kind === 'waterfall' && descriptor.chart.y.length > 1)
      source.report(['chart', 'y'], 'A waterfall draws one column.', 'Leave out the others.');
    if (descriptor.chart.kind === 'timeline') checkTimeline(descriptor, columns, source);
    if (descriptor.chart.kind === 'box' && descriptor.chart.y.length !== 5)
      source.report(
        ['chart', 'y'],
        'A box is drawn from five columns.',
        'Name the lowest value, the lower quartile, the median, the upper quartile and the highest value.',
      );
  }
  if (descriptor.sort) {
    known(descriptor.sort.by, ['sort', 'by']);
    if (!descriptor.from || descriptor.from.running || descriptor.pivot)
      source.report(
        ['sort'],
        'Only records in groups have an order of their own, without a pivot and without a balance.',
        'Leave it out.',
      );
  }
  descriptor.marks?.forEach(({ column: name, when }, index) => {
    known(name, ['marks', index, 'column']);
    checkExpression(when, names, ['marks', index, 'when'], source);
  });
  for (const [name, address] of Object.entries(descriptor.links ?? {})) {
    known(name, ['links', name]);
    for (const [, parameter = ''] of address.matchAll(/:(\w+)/g)) known(parameter, ['links', name]);
  }
}
