import jsep from 'jsep';
import { functions } from './functions.ts';
import { Exact } from '../exact.ts';
import { ExpressionError, compare, number, same, text } from './value.ts';
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
  /** @throws ExpressionError when the values allow no result (division by zero, not a number). */
  evaluate(scope: Scope): Value;
}

/** What is wrong with the text of an expression. */
export class ExpressionSyntaxError extends Error {}

type Closure = (scope: Scope) => Value;
const known = new Map<string, Expression>();

/**
 * Compiles an expression once to closures over exact decimals. Grammar: numbers, texts, true/false/null,
 * names, rows.column, + - * / %, comparisons, && || ! (and or not), in [..], if(a, b, c) and `functions`.
 * @throws ExpressionSyntaxError
 */
export function compileExpression(source: string): Expression {
  const cached = known.get(source);
  if (cached) return cached;
  const names = new Set<string>();
  let tree: jsep.Expression;
  try {
    tree = jsep(source);
  } catch (error) {
    throw new ExpressionSyntaxError((error as Error).message);
  }
  const run = closure(tree, names);
  const evaluate = (scope: Scope): Value => {
    try {
      return run(scope);
    } catch (error) {
      if (error instanceof ExpressionError) throw error;
      // Arithmetic of the libraries below: a date past the calendar, more digits than there are.
      if (error instanceof RangeError || (error as Error).message.startsWith('[DecimalError]'))
        throw new ExpressionError('the result is out of range');
      throw error;
    }
  };
  const expression = { source, names: [...names], evaluate };
  known.set(source, expression);
  return expression;
}

function closure(node: jsep.Expression, names: Set<string>): Closure {
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
      const { object, property, computed } = node as jsep.MemberExpression;
      if (computed || object.type !== 'Identifier' || property.type !== 'Identifier')
        throw new ExpressionSyntaxError('Only rows.column may be written with a dot.');
      const [rows, column] = [(object as jsep.Identifier).name, (property as jsep.Identifier).name];
      refuseInherited(rows);
      refuseInherited(column);
      names.add(`${rows}.${column}`);
      return (scope) => {
        const value = scope[rows] ?? null;
        if (!Array.isArray(value)) return [];
        return value.map((row) =>
          row !== null && typeof row === 'object' && !Array.isArray(row)
            ? ((row as Record<string, Value>)[column] ?? null)
            : null,
        );
      };
    }
    case 'ArrayExpression': {
      const items = (node as jsep.ArrayExpression).elements.map((item) => closure(item!, names));
      return (scope) => items.map((item) => item(scope));
    }
    case 'UnaryExpression': {
      const { operator, argument } = node as jsep.UnaryExpression;
      const inner = closure(argument, names);
      if (operator === '!' || operator === 'not')
        return (scope) => {
          const value = truth(inner(scope));
          return value === null ? null : !value;
        };
      if (operator === '-') return (scope) => number(inner(scope))?.negated() ?? null;
      if (operator === '+') return inner;
      throw new ExpressionSyntaxError(`"${operator}" is not an operator here.`);
    }
    case 'BinaryExpression':
      return binary(node as jsep.BinaryExpression, names);
    case 'ConditionalExpression': {
      const { test, consequent, alternate } = node as jsep.ConditionalExpression;
      const [a, b, c] = [closure(test, names), closure(consequent, names), closure(alternate, names)];
      return (scope) => (truth(a(scope)) === true ? b(scope) : c(scope));
    }
    case 'CallExpression': {
      const { callee, arguments: given } = node as jsep.CallExpression;
      if (callee.type !== 'Identifier')
        throw new ExpressionSyntaxError('Only the functions of the list can be called.');
      const { name } = callee as jsep.Identifier;
      const args = given.map((argument) => closure(argument, names));
      if (name === 'if') {
        const [test, then, otherwise] = args;
        if (args.length !== 3 || !test || !then || !otherwise)
          throw new ExpressionSyntaxError('if takes three values: if(condition, then, otherwise).');
        return (scope) => (truth(test(scope)) === true ? then(scope) : otherwise(scope));
      }
      const found = Object.hasOwn(functions, name) ? functions[name] : undefined;
      if (!found)
        throw new ExpressionSyntaxError(
          `There is no function "${name}". There are: if, ${Object.keys(functions).join(', ')}.`,
        );
      if (args.length < found.min || args.length > found.max)
        throw new ExpressionSyntaxError(
          `${name} takes ${found.min === found.max ? found.min : `${found.min} to ${found.max}`} values; here are ${args.length}.`,
        );
      return (scope) => found.call(args.map((argument) => argument(scope)));
    }
    default:
      throw new ExpressionSyntaxError('One expression is expected, such as qty * rate.');
  }
}

/** What every object carries by itself is no field: reading it would reach behind the values. */
function refuseInherited(name: string): void {
  if (name in Object.prototype) throw new ExpressionSyntaxError(`"${name}" is not the name of a field.`);
}

/** Empty is neither true nor false: a rule over values not yet entered does not fail. */
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

function binary({ operator, left, right }: jsep.BinaryExpression, names: Set<string>): Closure {
  // "not a == b" would read as "(not a) == b", which nobody means.
  if (
    left.type === 'UnaryExpression' &&
    !LOGICAL.has(operator) &&
    ['not', '!'].includes((left as jsep.UnaryExpression).operator)
  )
    throw new ExpressionSyntaxError('Put what "not" turns round in brackets: not (a == b).');
  const [a, b] = [closure(left, names), closure(right, names)];
  const holds = order[operator];
  if (holds)
    return (scope) => {
      const result = compare(a(scope), b(scope));
      return result === null ? null : holds(result);
    };
  switch (operator) {
    case '&&':
    case 'and':
      return (scope) => {
        const x = truth(a(scope));
        if (x === false) return false;
        const y = truth(b(scope));
        return y === false ? false : x === null || y === null ? null : true;
      };
    case '||':
    case 'or':
      return (scope) => {
        const x = truth(a(scope));
        if (x === true) return true;
        const y = truth(b(scope));
        return y === true ? true : x === null || y === null ? null : false;
      };
    case '==':
    case '===':
      return (scope) => same(a(scope), b(scope));
    case '!=':
    case '!==':
      return (scope) => {
        const [x, y] = [a(scope), b(scope)];
        // Two values not yet entered are not yet alike: "replaced_by_id != id" holds for a new record. "x != null" asks.
        return x === null && y === null && !isNull(left) && !isNull(right) ? null : !same(x, y);
      };
    case 'in':
      return (scope) => {
        const value = a(scope);
        const all = b(scope);
        return Array.isArray(all) && all.some((item) => same(item, value));
      };
    case '+':
      return (scope) => {
        const [x, y] = [a(scope), b(scope)];
        if (x === null || y === null) return null;
        if (typeof x === 'string' && typeof y === 'string' && !(/^-?\d/.test(x) && /^-?\d/.test(y)))
          return text(x) + text(y);
        return number(x)!.plus(number(y)!);
      };
    case '-':
    case '*':
    case '/':
    case '%':
      return (scope) => arithmetic(operator, number(a(scope)), number(b(scope)));
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
