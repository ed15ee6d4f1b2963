import { compileExpression } from '../../../descriptor/expression/compile_expression.ts';
import { ExpressionError, fromPlain } from '../../../descriptor/expression/value.ts';
import type { Value } from '../../../descriptor/expression/value.ts';
import { Exact } from '../../../descriptor/exact.ts';

/**
 * The value of an expression on the fields of a record; null if it cannot be computed. @throws ExpressionSyntaxError
 */
function valueOver(text: string, record: Readonly<Record<string, unknown>>): Value {
  const expression = compileExpression(text);
  const scope = Object.fromEntries(
    expression.names.map((name) => {
      const value = record[name] ?? null;
      return [name, typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? new Exact(value) : fromPlain(value)];
    }),
  );
  try {
    return expression.evaluate(scope);
  } catch (error) {
    if (error instanceof ExpressionError) return null;
    throw error;
  }
}

/** Whether a condition is true for a record; an empty one always is. @throws ExpressionSyntaxError */
export const holdsFor = (condition: string | null, record: Readonly<Record<string, unknown>>): boolean =>
  condition === null || condition.trim() === '' || valueOver(condition, record) === true;

/** The value of an expression as it is stored in a field; an empty one empties it. @throws ExpressionSyntaxError */
export function storedValue(text: string | null, record: Readonly<Record<string, unknown>>): unknown {
  const value = text === null || text.trim() === '' ? null : valueOver(text, record);
  return value instanceof Exact ? value.toString() : value;
}
