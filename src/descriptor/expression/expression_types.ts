import jsep from 'jsep';
import { dayExists } from '../fieldtypes/calendar.ts';
import { fieldType } from '../fieldtypes/registry.ts';
import { didYouMean } from '../source.ts';
import type { Field } from '../types.ts';
import { parseExpression, rowsAndCondition } from './compile_expression.ts';

/** The type of an expression's result, as far as its text shows. */
type Kind =
  | 'number'
  | 'text'
  | 'choice'
  | 'date'
  | 'datetime'
  | 'time'
  | 'month'
  | 'boolean'
  | 'reference'
  | 'rows'
  | 'nothing'
  | 'any';

interface Typed {
  kind: Kind;
  /** Several values: a column of child rows, tags. */
  several?: true;
  /** A string literal in the expression. */
  literal?: string;
  /** The field that it is. */
  field?: Field;
  /** Its text in a message. */
  words: string;
}

/** An invalid use of a value, and the correction. */
export interface TypeProblem {
  message: string;
  hint: string;
}

/** The purpose of an expression: a condition, or the value of a field. */
type Purpose = 'condition' | Field;

/** The fields in scope; those of a row before those of the record. */
export type Named = (name: string) => Field | undefined;

const NAMES: Record<Kind, string> = {
  number: 'a number',
  text: 'text',
  choice: 'one of a list',
  date: 'a date',
  datetime: 'a date and time',
  time: 'a time of day',
  month: 'a month',
  boolean: 'yes or no',
  reference: 'a reference',
  rows: 'child rows',
  nothing: 'nothing',
  any: 'any value',
};
const OF_TYPES: Record<string, Kind> = {
  enum: 'choice',
  date: 'date',
  datetime: 'datetime',
  time: 'time',
  month: 'month',
  boolean: 'boolean',
  ref: 'reference',
  record: 'reference',
  rows: 'rows',
  json: 'any',
  geo: 'any',
  file: 'any',
  image: 'any',
  signature: 'any',
};
const OF_RECORDS: Record<string, Kind> = {
  id: 'reference',
  version: 'number',
  active: 'boolean',
  entity_id: 'reference',
  created_at: 'datetime',
  updated_at: 'datetime',
  created_by: 'reference',
  updated_by: 'reference',
};
const ORDERED = new Set<Kind>(['number', 'date', 'datetime', 'time', 'month', 'text']);
const DAYS = new Set<Kind>(['date', 'datetime']);

class Wrong extends Error {
  readonly problem: TypeProblem;
  constructor(message: string, hint: string) {
    super(message);
    this.problem = { message, hint };
  }
}

/** The first use of a value that can never work as intended, or null. `source` must be compilable. */
export function typeProblem(source: string, named: Named, purpose: Purpose): TypeProblem | null {
  const tree = parseExpression(source);
  try {
    if (purpose === 'condition') condition(tree, named);
    else fits(tree, purpose, named);
    return null;
  } catch (error) {
    if (error instanceof Wrong) return error.problem;
    throw error;
  }
}

function kindOf(field: Field): Kind {
  const known = OF_TYPES[field.type];
  return known ?? (fieldType(field.type).filter === 'number' ? 'number' : 'text');
}

/**
 * The type of a node. `row`: the child rows that an enclosing function iterates over; a column of them is that of one
 * row.
 */
function typed(node: jsep.Expression, named: Named, row: string | null = null): Typed {
  switch (node.type) {
    case 'Literal': {
      const { value } = node as jsep.Literal;
      if (value === null) return { kind: 'nothing', words: 'null' };
      if (typeof value === 'string') return { kind: 'text', literal: value, words: `'${value}'` };
      return { kind: typeof value === 'number' ? 'number' : 'boolean', words: String(value) };
    }
    case 'Identifier': {
      const { name } = node as jsep.Identifier;
      const field = named(name);
      const words = `"${name}"`;
      if (!field) return { kind: OF_RECORDS[name] ?? (name === 'null' ? 'nothing' : 'any'), words };
      const several = field.type === 'refs' || field.type === 'tags';
      return { kind: several ? 'any' : kindOf(field), field, words, ...(several && { several }) };
    }
    case 'MemberExpression': {
      const [rows, column] = memberOf(node);
      const field = named(rows)?.rows?.find(({ name }) => name === column);
      const words = `"${rows}.${column}"`;
      if (!field) return { kind: 'any', words, ...(row !== rows && { several: true }) };
      return { kind: kindOf(field), field, words, ...(row !== rows && { several: true }) };
    }
    case 'ArrayExpression':
      (node as jsep.ArrayExpression).elements.forEach((item) => typed(item!, named, row));
      return { kind: 'any', several: true, words: 'a list' };
    case 'UnaryExpression': {
      const { operator, argument } = node as jsep.UnaryExpression;
      if (operator === '!' || operator === 'not') {
        typed(argument, named, row);
        return { kind: 'boolean', words: 'a condition' };
      }
      number(argument, operator, named, row);
      return { kind: 'number', words: 'a number' };
    }
    case 'BinaryExpression':
      return binary(node as jsep.BinaryExpression, named, row);
    case 'ConditionalExpression': {
      const { test, consequent, alternate } = node as jsep.ConditionalExpression;
      return choice(test, consequent, alternate, named, row);
    }
    case 'CallExpression':
      return call(node as jsep.CallExpression, named, row);
    default:
      return { kind: 'any', words: 'this' };
  }
}

function memberOf(node: jsep.Expression): [string, string] {
  const { object, property } = node as jsep.MemberExpression;
  return [(object as jsep.Identifier).name, (property as jsep.Identifier).name];
}

function choice(
  test: jsep.Expression,
  then: jsep.Expression,
  otherwise: jsep.Expression,
  named: Named,
  row: string | null,
): Typed {
  one(test, 'if', named, row);
  return alike([typed(then, named, row), typed(otherwise, named, row)]);
}

/** The common type of alternative values. */
function alike(all: Typed[]): Typed {
  const some = all.filter(({ kind }) => kind !== 'nothing');
  const [first] = some;
  if (!first) return { kind: 'nothing', words: 'nothing' };
  const several = some.some((each) => each.several);
  if (!some.every(({ kind }) => kind === first.kind)) {
    const texts = some.every(({ kind }) => kind === 'text' || kind === 'choice');
    return { kind: texts ? 'text' : 'any', words: 'this', ...(several && { several: true }) };
  }
  return { kind: first.kind, words: some.length === 1 ? first.words : 'this', ...(several && { several: true }) };
}

/** A single value. */
function one(node: jsep.Expression, where: string, named: Named, row: string | null): Typed {
  const value = typed(node, named, row);
  if (value.kind === 'rows')
    throw new Wrong(
      `${value.words} holds child rows; ${where} takes one value.`,
      `Write count(${bare(value)}), or add a column up: sum(${bare(value)}.column).`,
    );
  if (value.several && node.type === 'MemberExpression')
    throw new Wrong(
      `${value.words} is a column of many rows; ${where} takes one value.`,
      `Put it into sum(), count(), min() or max(), such as sum(${bare(value)}) or sum(if(${bare(value)} == …, ${memberOf(node)[0]}.…, 0)).`,
    );
  return value;
}

const bare = ({ words }: Typed) => words.replaceAll('"', '');

function number(node: jsep.Expression, where: string, named: Named, row: string | null): void {
  const value = one(node, where, named, row);
  if (value.literal !== undefined ? /^-?\d+(\.\d+)?$/.test(value.literal) : isNumber(value)) return;
  throw new Wrong(
    `"${where}" takes numbers; ${value.words} is ${NAMES[value.kind]}.`,
    DAYS.has(value.kind) && where === '-'
      ? 'Write days_between(from, to) for the days between two dates, add_days(date, -7) for a date before.'
      : 'Use a field that holds a number.',
  );
}

const isNumber = ({ kind, several }: Typed) =>
  !several && (kind === 'number' || kind === 'boolean' || kind === 'any' || kind === 'nothing');

function binary({ operator, left, right }: jsep.BinaryExpression, named: Named, row: string | null): Typed {
  const yes: Typed = { kind: 'boolean', words: 'a condition' };
  switch (operator) {
    case '&&':
    case 'and':
    case '||':
    case 'or':
      one(left, operator, named, row);
      one(right, operator, named, row);
      return yes;
    case 'in':
      among(left, right, named, row);
      return yes;
    case '==':
    case '===':
    case '!=':
    case '!==': {
      const [a, b] = [typed(left, named, row), typed(right, named, row)];
      // Whether there are any also applies to lists.
      if (a.kind === 'nothing' || b.kind === 'nothing') return yes;
      one(left, operator, named, row);
      one(right, operator, named, row);
      compared(a, b, operator);
      return yes;
    }
    case '<':
    case '<=':
    case '>':
    case '>=': {
      const [a, b] = [one(left, operator, named, row), one(right, operator, named, row)];
      compared(a, b, operator);
      for (const side of [a, b]) ordered(side, operator);
      return yes;
    }
    case '+': {
      const [a, b] = [one(left, '+', named, row), one(right, '+', named, row)];
      const isText = ({ kind }: Typed) => kind === 'text' || kind === 'choice';
      if (isText(a) && isText(b)) return { kind: 'text', words: 'a text' };
      if (isText(a) !== isText(b) && ![a.kind, b.kind].some((kind) => kind === 'any' || kind === 'nothing'))
        throw new Wrong(
          `"+" takes two numbers or two texts; here are ${a.words} (${NAMES[a.kind]}) and ${b.words} (${NAMES[b.kind]}).`,
          'Write concat(a, b) to join texts with anything else.',
        );
      for (const side of [a, b])
        if (DAYS.has(side.kind))
          throw new Wrong(
            `"+" takes numbers; ${side.words} is ${NAMES[side.kind]}.`,
            'Write add_days(date, 7) or add_months(date, 1).',
          );
      if (!isText(a) && !isText(b)) {
        number(left, '+', named, row);
        number(right, '+', named, row);
        return { kind: 'number', words: 'a number' };
      }
      return { kind: 'any', words: 'this' };
    }
    default:
      number(left, operator, named, row);
      number(right, operator, named, row);
      return { kind: 'number', words: 'a number' };
  }
}

function among(left: jsep.Expression, right: jsep.Expression, named: Named, row: string | null): void {
  const value = one(left, 'in', named, row);
  if (right.type === 'ArrayExpression') {
    for (const item of (right as jsep.ArrayExpression).elements) compared(value, one(item!, 'in', named, row), 'in');
    return;
  }
  const list = typed(right, named, row);
  if (!list.several && list.kind !== 'any')
    throw new Wrong(
      `"in" looks in a list; ${list.words} is ${NAMES[list.kind]}.`,
      `Write ${bare(value)} == ${bare(list)}.`,
    );
}

function ordered(value: Typed, operator: string): void {
  if (ORDERED.has(value.kind) || value.kind === 'any' || value.kind === 'nothing') return;
  const numeric = value.field?.options?.every((option) => typeof option.value === 'number');
  if (value.kind === 'choice' && numeric) return;
  throw new Wrong(
    `${value.words} is ${NAMES[value.kind]}; "${operator}" has no meaning for it.`,
    value.kind === 'choice' ? `Write ${bare(value)} in ['…', '…'].` : 'Compare with == or !=.',
  );
}

/** Whether two values can ever be compared. */
function compared(a: Typed, b: Typed, operator: string): void {
  const [text, other] = a.literal !== undefined ? [a, b] : [b, a];
  if (text.literal !== undefined && other.literal === undefined) {
    const problem = literalProblem(text.literal, other);
    if (problem) throw new Wrong(problem.message, problem.hint);
    return;
  }
  if (couldBe(a, b) || couldBe(b, a)) return;
  throw new Wrong(
    `${a.words} is ${NAMES[a.kind]} and ${b.words} is ${NAMES[b.kind]}: "${operator}" cannot compare them.`,
    'Compare values of one kind.',
  );
}

function couldBe({ kind: a, field }: Typed, { kind: b }: Typed): boolean {
  if (a === b || a === 'any' || a === 'nothing') return true;
  if (a === 'choice')
    return b === 'text' || (b === 'number' && field?.options?.every(({ value }) => typeof value === 'number') === true);
  return (a === 'date' && b === 'datetime') || (a === 'reference' && b === 'number');
}

/** Why a string literal is not a value of the other operand, or null. */
function literalProblem(literal: string, { kind, field, words }: Typed): TypeProblem | null {
  const wrong = (hint: string) => ({
    message: `'${literal}' is not a value of ${words}, which is ${NAMES[kind]}.`,
    hint,
  });
  const [year, month, day] = literal.slice(0, 10).split('-').map(Number) as [number, number, number];
  const isDay = /^\d{4}-\d\d-\d\d$/.test(literal) && dayExists(year, month, day);
  if (literal === '' && kind !== 'any')
    return wrong(`Write ${words.replaceAll('"', '')} == null to ask whether nothing is entered.`);
  switch (kind) {
    case 'choice': {
      const values = field?.options?.map(({ value }) => String(value)) ?? [];
      return values.length === 0 ||
        values.includes(literal) ||
        field?.dueTypes ||
        field?.approvedTypes ||
        field?.numberedTypes ||
        field?.printedDocuments ||
        field?.dashboardNames
        ? null
        : wrong(didYouMean(literal, values));
    }
    case 'date':
      return isDay ? null : wrong(`Write a day as '2025-03-31'.`);
    case 'datetime':
      return isDay || (/^\d{4}-\d\d-\d\dT/.test(literal) && !Number.isNaN(Date.parse(literal)))
        ? null
        : wrong(`Write a day as '2025-03-31'.`);
    case 'time':
      return /^([01]\d|2[0-3]):[0-5]\d$/.test(literal) ? null : wrong(`Write a time as '09:30'.`);
    case 'month':
      return /^\d{4}-(0[1-9]|1[0-2])$/.test(literal) ? null : wrong(`Write a month as '2025-04'.`);
    case 'number':
      return /^-?\d+(\.\d+)?$/.test(literal) ? null : wrong('Write a number, without quotation marks.');
    case 'boolean':
      return wrong(`Write ${words.replaceAll('"', '')} == true, or == false.`);
    case 'reference':
      return wrong('A reference holds the number of a record. Compare a text that x-fetch copies from it.');
    default:
      return null;
  }
}

function call({ callee, arguments: args }: jsep.CallExpression, named: Named, row: string | null): Typed {
  const { name } = callee as jsep.Identifier;
  const given = (kind: Kind): Typed => ({ kind, words: `${name}(…)` });
  switch (name) {
    case 'if':
      return choice(args[0]!, args[1]!, args[2]!, named, row);
    case 'round':
    case 'ceil':
    case 'floor':
    case 'round_to':
    case 'abs':
      for (const argument of args) number(argument, name, named, row);
      return given('number');
    case 'label':
      return given('text');
    case 'running': {
      const column = typed(args[0]!, named, ((args[0] as jsep.MemberExpression).object as jsep.Identifier).name);
      if (!isNumber(column))
        throw new Wrong(
          `"running" adds numbers; ${column.words} is ${NAMES[column.kind]}.`,
          'Name a column that holds numbers.',
        );
      return given('number');
    }
    case 'sum':
    case 'count':
    case 'min':
    case 'max':
    case 'any':
    case 'all':
      return aggregate(name, args, named, row);
    case 'financial_year':
      date(args[0]!, name, named, row);
      return given('text');
    case 'year':
    case 'month':
    case 'weekday':
    case 'days_between':
    case 'age':
      for (const argument of args) date(argument, name, named, row);
      return given('number');
    case 'hours_between':
      for (const argument of args) momentOnly(argument, name, named, row);
      return given('number');
    case 'add_days':
    case 'add_months':
      date(args[0]!, name, named, row);
      number(args[1]!, name, named, row);
      return given('date');
    case 'today':
      return given('date');
    case 'upper':
    case 'lower':
      one(args[0]!, name, named, row);
      return given('text');
    case 'starts_with':
    case 'contains':
      for (const argument of args) one(argument, name, named, row);
      return given('boolean');
    case 'concat':
    case 'join':
      for (const argument of args) typed(argument, named, row);
      return given('text');
    case 'coalesce':
      return alike(args.map((argument) => one(argument, name, named, row)));
    case 'between': {
      const [value, from, to] = args.map((argument) => one(argument, name, named, row)) as [Typed, Typed, Typed];
      compared(value, from, name);
      compared(value, to, name);
      for (const each of [value, from, to]) ordered(each, name);
      return given('boolean');
    }
    case 'len':
      typed(args[0]!, named, row);
      return given('number');
    case 'is_empty':
      typed(args[0]!, named, row);
      return given('boolean');
    default:
      return given('any');
  }
}

function date(node: jsep.Expression, where: string, named: Named, row: string | null): void {
  const value = one(node, where, named, row);
  if (value.literal !== undefined) {
    const problem = literalProblem(value.literal, { kind: 'date', words: `"${where}"` });
    if (problem) throw new Wrong(`"${where}" takes dates; ${value.words} is none.`, problem.hint);
  } else if (!DAYS.has(value.kind) && value.kind !== 'any' && value.kind !== 'nothing')
    throw new Wrong(
      `"${where}" takes dates; ${value.words} is ${NAMES[value.kind]}.`,
      'Use a field that holds a date.',
    );
}

/** A date with time; a plain date has no hour. */
function momentOnly(node: jsep.Expression, where: string, named: Named, row: string | null): void {
  const { kind, words } = one(node, where, named, row);
  if (kind !== 'datetime' && kind !== 'any' && kind !== 'nothing')
    throw new Wrong(
      `"${where}" takes moments; ${words} is ${NAMES[kind]}.`,
      'Use fields of type datetime; of dates there is days_between(a, b).',
    );
}

function aggregate(name: string, args: jsep.Expression[], named: Named, row: string | null): Typed {
  const given = (kind: Kind): Typed => ({ kind, words: `${name}(…)` });
  const over = rowsAndCondition(name, args);
  if (over?.condition) rowCondition(name, over.rows, over.condition, named);
  if (over && !over.value) {
    const table = named(over.rows);
    if (table && !table.rows)
      throw new Wrong(
        `"${name}" takes child rows; "${over.rows}" is ${NAMES[kindOf(table)]}.`,
        `Write ${name}(lines, lines.column == …).`,
      );
    return given(name === 'count' ? 'number' : 'boolean');
  }
  const single = args.length === 1;
  const overRows = over !== null;
  const all = over?.value
    ? [typed(over.value, named, over.rows)]
    : args.map((argument) => (single ? typed(argument, named) : one(argument, name, named, row)));
  if (name === 'count') {
    const [value] = all;
    if (value && !overRows && !value.several && !['rows', 'any'].includes(value.kind))
      throw new Wrong(
        `"count" counts child rows; ${value.words} is ${NAMES[value.kind]}.`,
        'Write count(lines), or count(lines.column) for those filled in.',
      );
    return given('number');
  }
  for (const value of all)
    if (value.kind === 'rows')
      throw new Wrong(
        `${value.words} holds child rows; "${name}" takes a column of them.`,
        `Write ${name}(${bare(value)}.column).`,
      );
  if (name === 'sum') {
    const wrong = all.find((value) => !isNumber({ ...value, ...(single && { several: undefined }) } as Typed));
    if (wrong)
      throw new Wrong(
        `"sum" adds numbers; ${wrong.words} is ${NAMES[wrong.kind]}.`,
        'Write count(lines.column) to count what is filled in.',
      );
    return given('number');
  }
  for (const value of all) ordered(value, name);
  const kind = alike(all).kind;
  if (kind === 'any' && all.every((value) => value.kind !== 'any'))
    throw new Wrong(
      `"${name}" compares values of one kind; here are ${[...new Set(all.map((value) => NAMES[value.kind]))].join(' and ')}.`,
      'Compare values of one kind.',
    );
  return given(kind);
}

/** The condition of a function over child rows. */
function rowCondition(name: string, rows: string, node: jsep.Expression, named: Named): void {
  const value = one(node, `the condition of ${name}`, named, rows);
  if (value.kind === 'boolean' || value.kind === 'any' || value.kind === 'nothing') return;
  throw new Wrong(
    `The condition of "${name}" gives ${NAMES[value.kind]}, not yes or no.`,
    `Compare it, such as ${bare(value)} == ….`,
  );
}

function condition(node: jsep.Expression, named: Named): void {
  const value = one(node, 'a condition', named, null);
  if (value.kind === 'boolean' || value.kind === 'any' || value.kind === 'nothing') return;
  throw new Wrong(
    `This gives ${NAMES[value.kind]}, not yes or no.`,
    value.kind === 'number'
      ? 'Compare it, such as total > 0.'
      : `Compare it, such as ${value.field ? bare(value) : '…'} != null.`,
  );
}

/** The result of a formula must be a value of its field. */
function fits(node: jsep.Expression, field: Field, named: Named): void {
  if (node.type === 'ConditionalExpression') {
    const { test, consequent, alternate } = node as jsep.ConditionalExpression;
    one(test, 'if', named, null);
    fits(consequent, field, named);
    fits(alternate, field, named);
    return;
  }
  if (node.type === 'CallExpression') {
    const { callee, arguments: args } = node as jsep.CallExpression;
    const { name } = callee as jsep.Identifier;
    if (name === 'if') one(args[0]!, 'if', named, null);
    if (name === 'if' || name === 'coalesce') {
      for (const argument of name === 'if' ? args.slice(1) : args) fits(argument, field, named);
      return;
    }
  }
  const list = field.type === 'refs' || field.type === 'tags';
  const value = list ? typed(node, named) : one(node, `"${field.name}"`, named, null);
  const target = kindOf(field);
  if (value.kind === 'any' || value.kind === 'nothing') return;
  if (list && value.several === undefined)
    throw new Wrong(
      `The formula gives ${NAMES[value.kind]}, and "${field.name}" holds a list.`,
      'Choose a field that holds one value.',
    );
  if (list || target === 'any') return;
  if (value.literal !== undefined && target !== 'text') {
    const problem = literalProblem(value.literal, { kind: target, field, words: `"${field.name}"` });
    if (problem) throw new Wrong(problem.message, problem.hint);
    return;
  }
  if (canHold(target, value, field)) return;
  throw new Wrong(
    `The formula gives ${NAMES[value.kind]}, and "${field.name}" is ${NAMES[target]}.`,
    remedy(target, value.kind),
  );
}

function canHold(target: Kind, { kind }: Typed, field: Field): boolean {
  if (target === kind) return true;
  if (target === 'text') return kind !== 'boolean' && kind !== 'rows';
  if (target === 'choice')
    return (
      kind === 'text' || (kind === 'number' && field.options?.every(({ value }) => typeof value === 'number') === true)
    );
  return (target === 'month' || target === 'time') && kind === 'text';
}

function remedy(target: Kind, kind: Kind): string {
  if (kind === 'boolean')
    return target === 'number' ? 'Write if(…, 1, 0).' : `Write if(…, 'Yes', 'No'), or make the field a boolean.`;
  if (target === 'date' && kind === 'datetime') return 'Write add_days(moment, 0) for the day of a moment.';
  if (target === 'date') return 'Write add_days(date, number) for a date, or make the field an integer.';
  if (target === 'boolean') return 'Write a comparison, such as total > 0.';
  return `Make the field ${NAMES[kind]}, or change the formula.`;
}
