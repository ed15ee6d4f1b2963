import type jsep from 'jsep';
import { parseExpression } from '../../../descriptor/expression/compile_expression.ts';
import { formatDate } from '../../../descriptor/format.ts';
import { inSentence } from '../../../descriptor/in_sentence.ts';
import type { Field } from '../../../descriptor/types.ts';
import { hostFields } from './reference/apply_choice.ts';
import type { FieldHost } from './widget.ts';

const SIGNS: Record<string, string> = { '*': '×', '/': '÷', '-': '−', '+': '+', '%': 'modulo' };
const ORDER = ['+', '-', '*', '/', '%'];
const COMPARED: Record<string, string> = {
  '==': 'is',
  '===': 'is',
  '!=': 'is not',
  '!==': 'is not',
  '>': 'is more than',
  '>=': 'is at least',
  '<': 'is less than',
  '<=': 'is at most',
  in: 'is one of',
};
const OVER_ROWS: Record<string, string> = {
  sum: 'sum of',
  min: 'smallest',
  max: 'largest',
  avg: 'average of',
  count: 'number of',
};
/** The same of several values. */
const OF_VALUES: Record<string, string> = { min: 'smaller of', max: 'larger of' };
const UNITS: Record<string, string> = { add_days: 'day', add_months: 'month' };

/** A formula in words, with the titles of fields instead of names: "Quantity × Rate", "Date of joining + 6 months". */
export function formulaInWords(formula: string, host: FieldHost | null): string {
  const fields = new Map<string, { title: string; field: Field }>();
  for (const field of host ? [...host.screen.fields, ...hostFields(host)] : [])
    fields.set(field.name, { title: field.title, field });
  for (const field of host?.screen.fields ?? [])
    for (const column of field.rows ?? [])
      fields.set(`${field.name}.${column.name}`, {
        title: `${column.title} of ${inSentence(field.title)}`,
        field: column,
      });

  const nameOf = (node: jsep.Expression): string | null => {
    if (node.type === 'Identifier') return (node as jsep.Identifier).name;
    if (node.type !== 'MemberExpression') return null;
    const { object, property } = node as jsep.MemberExpression;
    const [of, name] = [nameOf(object), nameOf(property)];
    return of === null || name === null ? null : `${of}.${name}`;
  };
  const isNothing = (node: jsep.Expression) =>
    nameOf(node) === 'null' || (node.type === 'Literal' && (node as jsep.Literal).value === null);
  const operatorOf = (node: jsep.Expression) =>
    node.type === 'BinaryExpression' ? (node as jsep.BinaryExpression).operator : null;
  /** A part of arithmetic: whatever does not bind as closely stands in brackets. */
  const part = (node: jsep.Expression, operator: string, isRight: boolean): string => {
    const own = operatorOf(node);
    const isLoose = own !== null && '+-'.includes(own) && (operator !== '+' || isRight);
    if (isLoose && !(operator === '-' && !isRight)) return `(${words(node)})`;
    return enclosed(node);
  };
  /** A choice and a sum under a condition in brackets, where they are not the whole formula. */
  const enclosed = (node: jsep.Expression): string => {
    if (node.type !== 'CallExpression') return words(node);
    const name = nameOf(calleeOf(node)) ?? '';
    const isOpen = ['if', 'coalesce'].includes(name) || (name in OVER_ROWS && given(node).length > 1);
    return isOpen ? `(${words(node)})` : words(node);
  };
  /** A literal by the label that it has among the values of the compared field. */
  const literal = (value: unknown, beside: Field | undefined): string => {
    if (typeof value !== 'string') return String(value);
    const label = beside?.options?.find((one) => one.value === value)?.label;
    if (label !== undefined) return label;
    return /^\d{4}-\d\d-\d\d$/.test(value) ? formatDate(value) : `“${value}”`;
  };
  const comparison = ({ left, right, operator }: jsep.BinaryExpression): string => {
    const subject = words(left);
    const isNegated = operator.startsWith('!');
    if (isNothing(right)) return `${subject} is ${isNegated ? 'filled' : 'empty'}`;
    const wanted = right.type === 'Literal' ? (right as jsep.Literal).value : undefined;
    if (typeof wanted === 'boolean') return wanted === isNegated ? `not ${subject}` : subject;
    return `${subject} ${COMPARED[operator]!} ${words(right, fields.get(nameOf(left) ?? '')?.field)}`;
  };
  const call = (node: jsep.Expression): string => {
    const name = nameOf(calleeOf(node)) ?? '';
    const all = given(node);
    const [first, second, third] = all;
    if (name === 'if' && first && second) {
      const rest = third && !isNothing(third) ? `, otherwise ${words(third)}` : '';
      return `${words(second)} if ${words(first)}${rest}`;
    }
    if (name === 'today' || name === 'now') return name;
    if (!first) return name.replaceAll('_', ' ');
    if (name in UNITS && second) return shifted(first, second, UNITS[name]!);
    if (name === 'days_between' && second) return `days from ${enclosed(first)} to ${enclosed(second)}`;
    if (name === 'hours_between' && second) return `hours from ${enclosed(first)} to ${enclosed(second)}`;
    if (name === 'is_empty') return `${words(first)} is empty`;
    if (name === 'coalesce') {
      const rest = all.slice(1).map((one) => words(one));
      return [words(first), ...rest.map((one) => `or if empty ${one}`)].join(', ');
    }
    if (name.startsWith('round')) return `${words(first)}, rounded`;
    if (name in OVER_ROWS) {
      if (second && !operatorOf(second) && name !== 'count')
        return `${OF_VALUES[name] ?? OVER_ROWS[name]!} ${all.map((one) => words(one)).join(' and ')}`;
      return `${OVER_ROWS[name]!} ${words(first)}${second ? ` where ${words(second)}` : ''}`;
    }
    return `${name.replaceAll('_', ' ')} of ${all.map((one) => words(one)).join(', ')}`;
  };
  const shifted = (from: jsep.Expression, by: jsep.Expression, unit: string): string => {
    const isMinus = by.type === 'UnaryExpression' && (by as jsep.UnaryExpression).operator === '-';
    const amount = words(isMinus ? (by as jsep.UnaryExpression).argument : by);
    // The field of a duration often says its unit itself.
    const counted = /^\d+$/.test(amount) || !amount.toLowerCase().includes(unit);
    return `${words(from)} ${isMinus ? '−' : '+'} ${amount}${counted ? ` ${unit}${amount === '1' ? '' : 's'}` : ''}`;
  };
  const words = (node: jsep.Expression, beside?: Field): string => {
    switch (node.type) {
      case 'Literal':
        return literal((node as jsep.Literal).value, beside);
      case 'UnaryExpression': {
        const { operator, argument } = node as jsep.UnaryExpression;
        return operator === '-' ? `−${words(argument)}` : `not ${words(argument)}`;
      }
      case 'BinaryExpression': {
        const { operator, left, right } = node as jsep.BinaryExpression;
        if (ORDER.includes(operator))
          return `${part(left, operator, false)} ${SIGNS[operator]!} ${part(right, operator, true)}`;
        if (operator in COMPARED) return comparison(node as jsep.BinaryExpression);
        return `${words(left)} ${['and', '&&'].includes(operator) ? 'and' : 'or'} ${words(right)}`;
      }
      case 'ArrayExpression':
        return ((node as jsep.ArrayExpression).elements as jsep.Expression[])
          .map((one) => words(one, beside))
          .join(', ');
      case 'CallExpression':
        return call(node);
      default: {
        const name = nameOf(node) ?? '';
        return fields.get(name)?.title ?? name.replaceAll(/[._]/g, ' ');
      }
    }
  };
  return words(parseExpression(formula));
}

function given(node: jsep.Expression): readonly jsep.Expression[] {
  return (node as jsep.CallExpression).arguments;
}

function calleeOf(node: jsep.Expression): jsep.Expression {
  return (node as jsep.CallExpression).callee;
}
