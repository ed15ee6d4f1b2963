import jsep from 'jsep';
import { functions } from './functions.ts';
import { Exact } from '../exact.ts';
import { ExpressionError, compare, number, same } from './value.ts';
import type { Value } from './value.ts';

jsep.addBinaryOp('in', 7);
jsep.addBinaryOp('and', 2);
jsep.addBinaryOp('or', 1);
jsep.addUnaryOp('not');

export type Scope = Readonly<Record<string, Value>>;

export interface Expression {
  source: string;
  /** Names used: "amount", or "items.amount" for a column of child rows. */
  names: string[];
  /** The names without the columns that it only adds up: whoever passes their totals need not pass their values. */
  listed: string[];
  /** Columns that it adds up: `sum(lines.amount)`. */
  sums: ColumnTotal[];
  /** Columns with a running total, up to the current row: `running(lines.amount)`. */
  running: ColumnTotal[];
  /** @throws ExpressionError if there is no result for the values (division by zero, not a number). */
  evaluate(scope: Scope): Value;
}

/** A column of child rows with its total. */
export interface ColumnTotal {
  rows: string;
  column: string;
  /** The name under which the total may be passed to the expression. */
  total: string;
}

/** The last segment of a path for the label of a referenced record: `label(customer_id)` uses `customer_id.label()`. */
export const LABEL = 'label()';

/** A syntax error of an expression. */
export class ExpressionSyntaxError extends Error {}

/** `row`: the current row of the child rows that a function iterates over. */
type Closure = (scope: Scope, row?: Readonly<Record<string, Value>>) => Value;
const known = new Map<string, Expression>();

/** How the total of a column stands among the names while an expression is compiled: "sum(lines.amount)". */
const SUM = 'sum(';

/**
 * Compiles an expression once to closures over exact decimals. Grammar: numbers, texts, true/false/null,
 * names, rows.column, + - * / %, comparisons, && || ! (and or not), in [..], if(a, b, c) and `functions`.
 * @throws ExpressionSyntaxError
 */
export function compileExpression(source: string): Expression {
  const cached = known.get(source);
  if (cached) return cached;
  const names = new Set<string>();
  const tree = parseExpression(source);
  const run = closure(tree, names);
  const evaluate = (scope: Scope): Value => {
    try {
      return run(scope);
    } catch (error) {
      if (error instanceof ExpressionError) throw error;
      // Arithmetic errors of the libraries: a date out of range, too many digits.
      if (error instanceof RangeError || (error as Error).message.startsWith('[DecimalError]'))
        throw new ExpressionError('the result is out of range');
      throw error;
    }
  };
  const listed = [...names].filter((name) => !name.startsWith(SUM));
  const sums = [...names].flatMap((total) => {
    if (!total.startsWith(SUM)) return [];
    const [rows, column] = total.slice(SUM.length, -1).split('.') as [string, string];
    return [{ rows, column, total }];
  });
  const all = new Set([...names].map((name) => (name.startsWith(SUM) ? name.slice(SUM.length, -1) : name)));
  const expression = { source, names: [...all], listed, sums, running: runningIn(tree), evaluate };
  known.set(source, expression);
  return expression;
}

/** The syntax tree of an expression. @throws ExpressionSyntaxError */
export function parseExpression(source: string): jsep.Expression {
  try {
    return jsep(source);
  } catch (error) {
    throw new ExpressionSyntaxError(readable(error as Error));
  }
}

/** The parser's errors as readable messages. */
function readable({ message }: Error): string {
  const [, said = message, place] = /^(.*?)(?: at character (\d+))?$/.exec(message) ?? [];
  const at = place === undefined ? '' : ` (character ${Number(place) + 1})`;
  const after = /^Expected expression after (.+)$/.exec(said)?.[1];
  if (after !== undefined) return `something is missing after "${after}"${at}.`;
  const quote = /^Unclosed quote after "(.*)"$/.exec(said)?.[1];
  if (quote !== undefined) return `the text that begins with "${quote}" has no second quote${at}.`;
  const open = /^Unclosed (.)$/.exec(said)?.[1];
  if (open !== undefined) return `a "${open}" is not closed${at}.`;
  const sign = /^Unexpected (?:token )?"?(period|.)"?$/.exec(said)?.[1];
  if (sign !== undefined) return `"${sign === 'period' ? '.' : sign}" cannot stand there${at}.`;
  const wanted = /^Expected (comma|:|.)$/.exec(said)?.[1];
  if (wanted !== undefined) return `"${wanted === 'comma' ? ',' : wanted}" is missing${at}.`;
  return `something in it is missing or stands in the wrong place${at}.`;
}

/** `over`: the child rows that a function iterates over; a column of them belongs to the current row. */
function closure(node: jsep.Expression, names: Set<string>, over: string | null = null): Closure {
  switch (node.type) {
    case 'Literal': {
      const { value, raw } = node as jsep.Literal;
      const constant: Value = typeof value === 'number' ? new Exact(raw) : (value as string | boolean | null);
      return () => constant;
    }
    case 'Identifier': {
      const { name } = node as jsep.Identifier;
      if (name === 'null') return () => null;
      refuseInherited(name);
      names.add(name);
      return (scope) => scope[name] ?? null;
    }
    case 'MemberExpression': {
      const parts = pathOf(node);
      if (parts === null || parts.length > LONGEST_PATH)
        throw new ExpressionSyntaxError(
          'Only rows.column, or a reference and a field of its record, may be written with a dot.',
        );
      parts.forEach(refuseInherited);
      const path = parts.join('.');
      names.add(path);
      const [rows, column] = parts as [string, string];
      return rows === over && parts.length === 2
        ? (_scope, row) => row?.[column] ?? null
        : (scope) => (path in scope ? (scope[path] ?? null) : rowsOf(scope[rows]).map((row) => row[column] ?? null));
    }
    case 'ArrayExpression': {
      const items = (node as jsep.ArrayExpression).elements.map((item) => closure(item!, names, over));
      return (scope, row) => items.map((item) => item(scope, row));
    }
    case 'UnaryExpression': {
      const { operator, argument } = node as jsep.UnaryExpression;
      const inner = closure(argument, names, over);
      if (operator === '!' || operator === 'not')
        return (scope, row) => {
          const value = truth(inner(scope, row));
          return value === null ? null : !value;
        };
      if (operator === '-') return (scope, row) => number(inner(scope, row))?.negated() ?? null;
      if (operator === '+') return inner;
      throw new ExpressionSyntaxError(`"${operator}" is not an operator here.`);
    }
    case 'BinaryExpression':
      return binary(node as jsep.BinaryExpression, names, over);
    case 'ConditionalExpression': {
      const { test, consequent, alternate } = node as jsep.ConditionalExpression;
      const [a, b, c] = [closure(test, names, over), closure(consequent, names, over), closure(alternate, names, over)];
      return (scope, row) => (truth(a(scope, row)) === true ? b(scope, row) : c(scope, row));
    }
    case 'CallExpression': {
      const { callee, arguments: given } = node as jsep.CallExpression;
      if (callee.type !== 'Identifier')
        throw new ExpressionSyntaxError('Only the functions of the list can be called.');
      const { name } = callee as jsep.Identifier;
      if (name === 'label') return labelOf(given, names);
      if (name === 'running') {
        const { rows, column, total } = runningColumn(given);
        names.add(`${rows}.${column}`);
        return (scope) => scope[total] ?? null;
      }
      const rows = rowsAndCondition(name, given);
      if (rows) return overRows(name, rows, names);
      const sum = name === 'sum' && given.length === 1 ? columnOf(given[0]!) : null;
      if (sum) return sumOf(sum, names);
      // A plain column within a function over rows is the whole column again.
      const whole = AGGREGATES.has(name) && given.length === 1 && given[0]!.type === 'MemberExpression';
      const args = given.map((argument) => closure(argument, names, whole ? null : over));
      if (name === 'if') {
        const [test, then, otherwise] = args;
        if (args.length !== 3 || !test || !then || !otherwise)
          throw new ExpressionSyntaxError('if takes three values: if(condition, then, otherwise).');
        return (scope, row) => (truth(test(scope, row)) === true ? then(scope, row) : otherwise(scope, row));
      }
      const found = Object.hasOwn(functions, name) ? functions[name] : undefined;
      if (!found)
        throw new ExpressionSyntaxError(
          `There is no function "${name}". There are: if, ${Object.keys(functions).join(', ')}, label, running.`,
        );
      if (args.length < found.min || args.length > found.max)
        throw new ExpressionSyntaxError(
          `${name} takes ${found.min === found.max ? found.min : `${found.min} to ${found.max}`} values; here are ${args.length}.`,
        );
      return (scope, row) => found.call(args.map((argument) => argument(scope, row)));
    }
    default:
      throw new ExpressionSyntaxError('One expression is expected, such as qty * rate.');
  }
}

/** `label(reference)`: the label of the record at the end of a reference, or of a path of references. */
function labelOf([reference, ...others]: jsep.Expression[], names: Set<string>): Closure {
  const path = reference && others.length === 0 ? pathOf(reference) : null;
  if (path === null || path.length >= LONGEST_PATH)
    throw new ExpressionSyntaxError('label takes a reference: label(customer_id).');
  path.forEach(refuseInherited);
  const name = `${path.join('.')}.${LABEL}`;
  names.add(name);
  return (scope) => scope[name] ?? null;
}

/** The path of a plain column of rows. */
function columnOf(node: jsep.Expression): string | null {
  const path = node.type === 'MemberExpression' ? pathOf(node) : null;
  return path?.length === 2 ? path.join('.') : null;
}

/** `sum(lines.amount)`: the total that is passed, otherwise computed from the values that are passed. */
function sumOf(path: string, names: Set<string>): Closure {
  const [rows, column] = path.split('.') as [string, string];
  [rows, column].forEach(refuseInherited);
  const total = `${SUM}${path})`;
  names.add(total);
  const { call } = functions.sum!;
  return (scope) =>
    scope[total] ??
    call([path in scope ? (scope[path] ?? null) : rowsOf(scope[rows]).map((row) => row[column] ?? null)]);
}

/** The column that `running(lines.amount)` adds up. */
function runningColumn([column, ...others]: jsep.Expression[]): ColumnTotal {
  const path = column?.type === 'MemberExpression' && others.length === 0 ? pathOf(column) : null;
  if (path?.length !== 2)
    throw new ExpressionSyntaxError('running takes a column of the rows that it stands in: running(lines.amount).');
  path.forEach(refuseInherited);
  const [rows, name] = path as [string, string];
  return { rows, column: name, total: `running(${rows}.${name})` };
}

/** The columns with running totals in an expression, each once. */
function runningIn(tree: jsep.Expression): ColumnTotal[] {
  const found = new Map<string, ColumnTotal>();
  const walk = (part: unknown): void => {
    if (Array.isArray(part)) part.forEach(walk);
    if (part === null || typeof part !== 'object' || Array.isArray(part)) return;
    const { type, callee, arguments: given } = part as Partial<jsep.CallExpression>;
    if (type === 'CallExpression' && (callee as Partial<jsep.Identifier>).name === 'running') {
      const column = runningColumn(given!);
      found.set(column.total, column);
    } else Object.values(part).forEach(walk);
  };
  walk(tree);
  return [...found.values()];
}

/** A field behind up to three references. */
const LONGEST_PATH = 4;

/** The names of a.b.c; null if it contains anything other than names. */
function pathOf(node: jsep.Expression): string[] | null {
  if (node.type === 'Identifier') return [(node as jsep.Identifier).name];
  if (node.type !== 'MemberExpression') return null;
  const { object, property, computed } = node as jsep.MemberExpression;
  if (computed || property.type !== 'Identifier') return null;
  const before = pathOf(object);
  return before && [...before, (property as jsep.Identifier).name];
}

const rowsOf = (value: Value | undefined): Readonly<Record<string, Value>>[] =>
  Array.isArray(value)
    ? value.map((row) =>
        row !== null && typeof row === 'object' && !Array.isArray(row) ? (row as Record<string, Value>) : {},
      )
    : [];

/** Functions that can evaluate an expression for each child row: `sum(if(lines.kind == 'spare', lines.amount, 0))`. */
const AGGREGATES: ReadonlySet<string> = new Set(['sum', 'count', 'min', 'max']);

/** The child rows for which an argument is evaluated; none if it is a plain column, or uses none. */
function rowsIn(node: jsep.Expression): string[] {
  if (node.type === 'MemberExpression') return [];
  const found = new Set<string>();
  const walk = (part: unknown): void => {
    if (Array.isArray(part)) part.forEach(walk);
    if (part === null || typeof part !== 'object' || Array.isArray(part)) return;
    const inner = part as jsep.Expression;
    if (inner.type === 'MemberExpression') {
      const { object } = inner as jsep.MemberExpression;
      if (object.type === 'Identifier') found.add((object as jsep.Identifier).name);
      return;
    }
    // A nested function over rows has its own rows.
    const { callee } = inner as Partial<jsep.CallExpression>;
    const { name } = (callee ?? {}) as Partial<jsep.Identifier>;
    if (name !== undefined && (AGGREGATES.has(name) || OF_ROWS.has(name))) return;
    Object.values(inner).forEach(walk);
  };
  walk(node);
  return [...found];
}

/** How a function iterates over child rows. */
export interface OverRows {
  rows: string;
  /** Its value for each row; null = the rows themselves. */
  value: jsep.Expression | null;
  /** Only rows that meet this condition. */
  condition: jsep.Expression | null;
}

/** Functions of rows and a condition: `any(lines, lines.qty > 5)`. */
const OF_ROWS: ReadonlySet<string> = new Set(['count', 'any', 'all']);

/** How a call iterates over child rows, or null if it has plain values. @throws ExpressionSyntaxError */
export function rowsAndCondition(name: string, given: readonly jsep.Expression[]): OverRows | null {
  const [first, second] = given;
  if (OF_ROWS.has(name) && (given.length === 2 || name !== 'count')) {
    if (given.length !== 2 || first!.type !== 'Identifier')
      throw new ExpressionSyntaxError(`${name} takes child rows and a condition: ${name}(lines, lines.qty > 5).`);
    return { rows: (first as jsep.Identifier).name, value: null, condition: second! };
  }
  if (!AGGREGATES.has(name) || !first || given.length > 2) return null;
  const column = first.type === 'MemberExpression';
  const heads = column ? [pathOf(first)?.[0] ?? ''] : rowsIn(first);
  const [rows = ''] = heads;
  if (heads.length === 0 || (second ? !isCondition(second, rows) : column)) return null;
  if (heads.length > 1)
    throw new ExpressionSyntaxError(`${name} goes over the rows of one table; here are ${heads.join(' and ')}.`);
  return { rows, value: first, condition: second ?? null };
}

const CONDITIONS = new Set(['==', '===', '!=', '!==', '<', '<=', '>', '>=', 'in', '&&', '||', 'and', 'or']);
const CONDITION_FUNCTIONS = new Set(['any', 'all', 'between', 'is_empty']);

/** Whether an expression is a condition by its form; a plain column may be one, for the iterated rows. */
function isCondition(node: jsep.Expression, rows: string): boolean {
  switch (node.type) {
    case 'BinaryExpression':
      return CONDITIONS.has((node as jsep.BinaryExpression).operator);
    case 'UnaryExpression':
      return ['!', 'not'].includes((node as jsep.UnaryExpression).operator);
    case 'CallExpression':
      return CONDITION_FUNCTIONS.has(((node as jsep.CallExpression).callee as jsep.Identifier).name);
    default:
      return node.type === 'MemberExpression' && pathOf(node)?.[0] === rows;
  }
}

/** A function over values computed for each row; for conditions, `count` counts the rows that meet them. */
function overRows(name: string, { rows, value, condition }: OverRows, names: Set<string>): Closure {
  if (value === null) {
    refuseInherited(rows);
    names.add(rows);
  }
  const each = value && closure(value, names, rows);
  const holds = condition && closure(condition, names, rows);
  const { call } = functions[name]!;
  if (!each) {
    return (scope) => {
      const all = rowsOf(scope[rows]).map((row) => truth(holds!(scope, row)));
      return call([name === 'count' ? all.filter((one) => one === true) : all]);
    };
  }
  return (scope) => {
    const within = rowsOf(scope[rows]).filter((row) => !holds || truth(holds(scope, row)) === true);
    const all = within.map((row) => each(scope, row));
    return call([name === 'count' ? all.map((one) => (one === false ? null : one)) : all]);
  };
}

/** Inherited object properties are not fields: reading them would bypass the values. */
function refuseInherited(name: string): void {
  if (name in Object.prototype) throw new ExpressionSyntaxError(`"${name}" is not the name of a field.`);
}

/** Empty is neither true nor false: a rule does not fail while a value is missing. */
function truth(value: Value): boolean | null {
  if (value === null) return null;
  if (typeof value === 'boolean') return value;
  if (typeof value === 'string' || Array.isArray(value)) return value.length > 0;
  return !(number(value)?.isZero() ?? true);
}

const LOGICAL = new Set(['&&', '||', 'and', 'or']);
const order: Record<string, (order: number) => boolean> = {
  '<': (o) => o < 0,
  '<=': (o) => o <= 0,
  '>': (o) => o > 0,
  '>=': (o) => o >= 0,
};

function binary({ operator, left, right }: jsep.BinaryExpression, names: Set<string>, over: string | null): Closure {
  // "not a == b" would be parsed as "(not a) == b", which nobody intends.
  if (
    left.type === 'UnaryExpression' &&
    !LOGICAL.has(operator) &&
    ['not', '!'].includes((left as jsep.UnaryExpression).operator)
  )
    throw new ExpressionSyntaxError('Put what "not" turns round in brackets: not (a == b).');
  const [a, b] = [closure(left, names, over), closure(right, names, over)];
  const holds = order[operator];
  if (holds)
    return (scope, row) => {
      const result = compare(a(scope, row), b(scope, row));
      return result === null ? null : holds(result);
    };
  switch (operator) {
    case '&&':
    case 'and':
      return (scope, row) => {
        const x = truth(a(scope, row));
        if (x === false) return false;
        const y = truth(b(scope, row));
        return y === false ? false : x === null || y === null ? null : true;
      };
    case '||':
    case 'or':
      return (scope, row) => {
        const x = truth(a(scope, row));
        if (x === true) return true;
        const y = truth(b(scope, row));
        return y === true ? true : x === null || y === null ? null : false;
      };
    case '==':
    case '===':
      return (scope, row) => same(a(scope, row), b(scope, row));
    case '!=':
    case '!==':
      return (scope, row) => {
        const [x, y] = [a(scope, row), b(scope, row)];
        // Two missing values are not equal: "replaced_by_id != id" is true for a new record. Use "x != null" to test.
        return x === null && y === null && !isNull(left) && !isNull(right) ? null : !same(x, y);
      };
    case 'in':
      return (scope, row) => {
        const value = a(scope, row);
        const all = b(scope, row);
        return Array.isArray(all) && all.some((item) => same(item, value));
      };
    case '+':
      return (scope, row) => {
        const [x, y] = [a(scope, row), b(scope, row)];
        if (x === null || y === null) return null;
        if (typeof x === 'string' && typeof y === 'string') return x + y;
        return number(x)!.plus(number(y)!);
      };
    case '-':
    case '*':
    case '/':
    case '%':
      return (scope, row) => arithmetic(operator, number(a(scope, row)), number(b(scope, row)));
    default:
      throw new ExpressionSyntaxError(`"${operator}" is not an operator here.`);
  }
}

const isNull = (side: jsep.Expression) => side.type === 'Literal' && (side as jsep.Literal).value === null;

function arithmetic(operator: string, x: ReturnType<typeof number>, y: ReturnType<typeof number>): Value {
  if (x === null || y === null) return null;
  if (operator === '-') return x.minus(y);
  if (operator === '*') return x.times(y);
  if (y.isZero()) throw new ExpressionError('division by zero');
  return operator === '/' ? x.dividedBy(y) : x.modulo(y);
}
