import type jsep from 'jsep';
import { parseExpression } from '../../descriptor/expression/compile_expression.ts';
import type { Screen } from '../../descriptor/types.ts';
import { literal, quoted } from './names.ts';

const SIGNS: Readonly<Record<string, string>> = {
  '==': '=',
  '!=': '<>',
  '<': '<',
  '<=': '<=',
  '>': '>',
  '>=': '>=',
  and: 'and',
  or: 'or',
  '&&': 'and',
  '||': 'or',
  '+': '+',
  '-': '-',
};

/**
 * The rules of records written by functions of modules, as constraints of their table: every statement is subject to
 * them.
 */
export function heldRules({ written, rules }: Screen): string[] {
  if (!written) return [];
  return rules.flatMap(({ assert, rows }) => {
    const sql = rows === undefined ? predicate(parseExpression(assert)) : null;
    return sql === null ? [] : [sql];
  });
}

/** An expression on the columns of one row as SQL; null = a constraint cannot express it. */
function predicate(node: jsep.Expression): string | null {
  switch (node.type) {
    case 'Literal': {
      const { value, raw } = node as jsep.Literal;
      return typeof value === 'string' ? literal(value) : raw;
    }
    case 'Identifier': {
      const { name } = node as jsep.Identifier;
      return name === 'null' ? null : quoted(name);
    }
    case 'BinaryExpression':
    case 'LogicalExpression': {
      const { operator, left, right } = node as jsep.BinaryExpression;
      const sign = SIGNS[operator];
      const [a, b] = [predicate(left), predicate(right)];
      return sign === undefined || a === null || b === null ? null : `(${a} ${sign} ${b})`;
    }
    default:
      return null;
  }
}
