import { RELATIVE_DAYS, hoursAhead, isRelative } from '../domain/relative_days.ts';
import type { RelativeWord } from '../domain/relative_days.ts';
import { columnMisfit, isStorable } from './fieldtypes/column_range.ts';
import { fieldType } from './fieldtypes/registry.ts';
import { formatValue } from './format.ts';
import { RECORD_TITLES } from './record_fields.ts';
import { rowsReference } from './rows_reference.ts';
import type { Field, FilterExpression, FilterOperator, Screen } from './types.ts';

const MAX_DEPTH = 5;
const MAX_CONDITIONS = 50;

const OPERATORS: Record<string, FilterOperator[]> = {
  text: ['contains', 'starts', 'eq', 'ne', 'in', 'empty', 'notempty'],
  number: ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'between', 'in', 'empty', 'notempty'],
  date: ['eq', 'before', 'after', 'between', 'within', 'gt', 'gte', 'lt', 'lte', 'ne', 'empty', 'notempty'],
  enum: ['in', 'notin', 'eq', 'ne', 'empty', 'notempty'],
  boolean: ['eq', 'ne', 'empty', 'notempty'],
  ref: ['in', 'notin', 'eq', 'ne', 'contains', 'starts', 'empty', 'notempty'],
  refs: ['in', 'notin', 'eq', 'contains', 'empty', 'notempty'],
  none: ['empty', 'notempty'],
};

/** Columns of every record, as fields, so that lists can filter and sort by them too. */
const RECORD_FIELDS: Field[] = [
  {
    name: 'id',
    type: 'integer',
    title: 'Id',
    required: true,
    schema: { type: 'integer' },
    secret: false,
    readOnly: true,
  },
  ...Object.entries(RECORD_TITLES).map(([name, title]): Field => ({
    name,
    title,
    type: name.endsWith('_at') ? 'datetime' : 'ref',
    ...(name.endsWith('_by') && { ref: { type: 'users', acrossCompanies: true } }),
    required: false,
    schema: {},
    secret: false,
    readOnly: true,
  })),
];

/** The company of a record: lists of several companies can be limited to some of them. */
const COMPANY_FIELD: Field = {
  name: 'entity_id',
  type: 'ref',
  ref: { type: 'entity', acrossCompanies: true },
  title: 'Company',
  required: false,
  schema: {},
  secret: false,
  readOnly: true,
};

/** The company as a field of a company's records. */
export function companyField({ scope }: Screen, name: string): Field | undefined {
  return name === COMPANY_FIELD.name && scope === 'entity' ? COMPANY_FIELD : undefined;
}

/** The field named by a filter or sort: of the screen, a column of every record, or a count. */
export function listField(screen: Screen, name: string): Field | undefined {
  return (
    screen.fields.find((field) => field.name === name && field.hidden !== 'always') ??
    RECORD_FIELDS.find((field) => field.name === name) ??
    screen.counts?.find((field) => field.name === name)
  );
}

/**
 * The field named by a list condition: one of {@link listField}, the company, or a reference within child rows
 * ("rows_field.column"), which selects the records with a row that refers to one of several records.
 */
export function filterField(screen: Screen, name: string): Field | undefined {
  return listField(screen, name) ?? companyField(screen, name) ?? rowsReference(screen, name);
}

/** The operators that fit a field, the most useful first. */
export function operatorsFor(field: Field): FilterOperator[] {
  // A reference within child rows.
  if (field.name.includes('.')) return ['in'];
  if (field.secret || field.type === 'rows' || field.count) return [];
  if (field.type === 'tags') return ['contains', 'in', 'empty', 'notempty'];
  const all = OPERATORS[fieldType(field.type).filter] ?? [];
  return field.type === 'date' || field.type === 'datetime' ? all : all.filter((operator) => operator !== 'within');
}

/**
 * Validates an external filter; the result is safe to compile to SQL. `rows`: for a list, which may filter by
 * references within child rows.
 */
export function parseFilter(
  json: unknown,
  screen: Screen,
  { rows = false }: { rows?: boolean } = {},
): { filter: FilterExpression | null } | { error: string } {
  if (json === null || json === undefined || json === '') return { filter: null };
  let parsed: unknown = json;
  if (typeof json === 'string') {
    try {
      parsed = JSON.parse(json);
    } catch {
      return { error: 'The filter is not JSON.' };
    }
  }
  const state = { conditions: 0, fieldOf: rows ? filterField : listField };
  const error = findError(parsed, screen, 1, state);
  return error === null ? { filter: parsed as FilterExpression } : { error };
}

function findError(
  node: unknown,
  screen: Screen,
  depth: number,
  state: { conditions: number; fieldOf: typeof listField },
): string | null {
  if (!Array.isArray(node) || typeof node[0] !== 'string') return 'A filter is [field, operator, value] or ["and", …].';
  if (depth > MAX_DEPTH) return `A filter is at most ${MAX_DEPTH} levels deep.`;
  const [head, ...rest] = node as [string, ...unknown[]];
  if ((head === 'and' || head === 'or') && (rest.length === 0 || Array.isArray(rest[0]))) {
    for (const inner of rest) {
      const error = findError(inner, screen, depth + 1, state);
      if (error !== null) return error;
    }
    return null;
  }
  if (++state.conditions > MAX_CONDITIONS) return `A filter has at most ${MAX_CONDITIONS} conditions.`;
  const field = state.fieldOf(screen, head);
  const operators = field ? operatorsFor(field) : [];
  if (!field || operators.length === 0) return `There is no field "${head}" to filter by.`;
  const [operator, value] = rest as [FilterOperator, unknown];
  if (!operators.includes(operator))
    return `"${String(operator)}" does not fit ${field.title}. There are: ${operators.join(', ')}.`;
  return valueError(field, operator, value);
}

function valueError(field: Field, operator: FilterOperator, value: unknown): string | null {
  const given = Array.isArray(value) ? (value as unknown[]) : [value];
  const misfit =
    operator === 'contains' || operator === 'starts' || operator === 'within'
      ? null
      : (given.map((item) => columnMisfit(comparedAs(field), item)).find((found) => found !== null) ?? null);
  const wrong = `${field.title}: the value does not fit "${operator}".${misfit === null ? '' : ` ${field.title} ${misfit}.`}`;
  switch (operator) {
    case 'empty':
    case 'notempty':
      return null;
    case 'within':
      return typeof value === 'string' &&
        (isRelative(value) || (field.type === 'datetime' && hoursAhead(value) !== null))
        ? null
        : `${field.title}: there is no period "${String(value)}". There are: ${Object.keys(RELATIVE_DAYS).join(', ')}.`;
    case 'contains':
    case 'starts':
      return typeof value === 'string' && value.length > 0 && value.length <= 200 && isStorable(value) ? null : wrong;
    case 'in':
    case 'notin':
      return Array.isArray(value) && value.length > 0 && value.length <= 500 && value.every((item) => fits(field, item))
        ? null
        : wrong;
    case 'between':
      return Array.isArray(value) &&
        value.length === 2 &&
        value.every((item) => item === null || fits(field, item)) &&
        value.some((item) => item !== null)
        ? null
        : wrong;
    default:
      return fits(field, value) ? null : wrong;
  }
}

/** The type of the values with which a field's column is compared. */
function comparedAs(field: Field): string {
  if (field.name === 'id') return 'bigint';
  const sql = fieldType(field.type).sql(field);
  return sql.endsWith('[]') ? sql.slice(0, -2) : sql;
}

function fits(field: Field, value: unknown): boolean {
  const sql = comparedAs(field);
  if (value === null || columnMisfit(sql, value) !== null) return false;
  switch (fieldType(field.type).filter) {
    case 'ref':
    case 'refs':
      return typeof value === 'number' && value > 0;
    case 'enum':
      return field.options?.some((option) => option.value === value) ?? false;
    default:
      return typeof value !== 'string' || value.length <= 500;
  }
}

const WORDS: Record<FilterOperator, string> = {
  eq: 'is',
  ne: 'is not',
  in: 'is',
  notin: 'is not',
  contains: 'contains',
  starts: 'begins with',
  between: 'is between',
  within: 'is within',
  empty: 'is empty',
  notempty: 'is not empty',
  before: 'before',
  after: 'after',
  gt: 'over',
  gte: 'at least',
  lt: 'under',
  lte: 'at most',
};

/** One line per condition, as readable text. `labels` returns the text of referenced ids. */
export function describeFilter(
  filter: FilterExpression | null,
  screen: Screen,
  labels: (field: string, id: number) => string | undefined = () => undefined,
): string[] {
  if (filter === null) return [];
  const [head, ...rest] = filter as [string, ...unknown[]];
  if (head === 'and' && (rest.length === 0 || Array.isArray(rest[0])))
    return rest.flatMap((inner) => describeFilter(inner as FilterExpression, screen, labels));
  if (head === 'or' && Array.isArray(rest[0]))
    return [rest.flatMap((inner) => describeFilter(inner as FilterExpression, screen, labels)).join(' or ')];
  const field = filterField(screen, head);
  const [operator, value] = rest as [FilterOperator, unknown];
  if (!field) return [];
  if (operator === 'within' && hoursAhead(String(value)) !== null)
    return [`${field.title} in the next ${hoursAhead(String(value))} hours`];
  if (operator === 'within' && isRelative(String(value)))
    return [`${field.title} ${RELATIVE_DAYS[value as RelativeWord].title.toLowerCase()}`];
  const show = (item: unknown) =>
    field.ref && typeof item === 'number' ? (labels(head, item) ?? `#${item}`) : formatValue(field, item);
  const text =
    operator === 'empty' || operator === 'notempty'
      ? ''
      : ` ${
          Array.isArray(value)
            ? value
                .map(show)
                .filter(Boolean)
                .join(operator === 'between' ? ' and ' : ', ')
            : show(value)
        }`;
  return [`${field.title} ${WORDS[operator]}${text}`];
}
