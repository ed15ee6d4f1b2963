import type jsep from 'jsep';
import { parseExpression } from '../../../descriptor/expression/compile_expression.ts';
import type { Screen } from '../../../descriptor/types.ts';
import { quoted } from '../../db/names.ts';

const NUMBERS: ReadonlySet<string> = new Set(['integer', 'decimal']);

/**
 * The SQL of a delay that adds up numbers and number fields of the record itself, such as
 * `grace_days + close_after_days + 1`, for the alias `r`; null = it is computed for each record.
 */
export function delaySql(screen: Screen, expression: string): string | null {
  return sqlOf(screen, parseExpression(expression));
}

function sqlOf(screen: Screen, node: jsep.Expression): string | null {
  if (node.type === 'Literal') {
    const { value } = node as jsep.Literal;
    return typeof value === 'number' ? `${value}::numeric` : null;
  }
  if (node.type === 'Identifier') {
    const { name } = node as jsep.Identifier;
    const field = screen.fields.find((one) => one.name === name);
    return field && !field.custom && NUMBERS.has(field.type) ? `r.${quoted(name)}::numeric` : null;
  }
  if (node.type !== 'BinaryExpression') return null;
  const { operator, left, right } = node as jsep.BinaryExpression;
  if (operator !== '+' && operator !== '-') return null;
  const [a, b] = [sqlOf(screen, left), sqlOf(screen, right)];
  return a === null || b === null ? null : `(${a} ${operator} ${b})`;
}
