import { compileExpression, ExpressionSyntaxError } from '../../descriptor/expression/compile_expression.ts';
import { ExpressionError, fromPlain } from '../../descriptor/expression/value.ts';

/**
 * What is wrong with a condition over known facts; null = nothing.
 * @param of - What the facts are about, such as `a company`
 */
export function faultOfFacts(condition: string, names: readonly string[], of: string): string | null {
  try {
    const unknown = compileExpression(condition).names.find((name) => !names.includes(name));
    return unknown === undefined ? null : `"${unknown}" is not known of ${of}. Use ${names.join(', ')}.`;
  } catch (error) {
    if (error instanceof ExpressionSyntaxError) return `This condition cannot be read: ${error.message}`;
    throw error;
  }
}

/** Whether a valid condition is true for the facts; one that cannot be computed is. */
export function holdsForFacts(condition: string, facts: object): boolean {
  try {
    const scope = Object.fromEntries(Object.entries(facts).map(([name, value]) => [name, fromPlain(value)]));
    return compileExpression(condition).evaluate(scope) === true;
  } catch (error) {
    if (error instanceof ExpressionError) return true;
    throw error;
  }
}
