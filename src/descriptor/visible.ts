import type jsep from 'jsep';
import { ExpressionSyntaxError, parseExpression } from './expression/compile_expression.ts';
import type { Field, Screen } from './types.ts';

/** An operand of a visibility condition: a field of the record, a literal, or the current day. */
export type SightOperand = { field: string } | { value: string | number | boolean | null } | { today: true };

/** A visibility condition (`x-visible`), limited to what SQL can evaluate for each row. */
export type SightCondition =
  | { is: 'all' | 'some'; of: SightCondition[] }
  | { is: 'not'; of: SightCondition }
  | { is: 'viewer'; relation: string }
  | { is: 'may'; action: string }
  | { is: 'true'; field: string }
  | { is: 'empty'; field: string }
  | { is: 'compare'; sign: '==' | '!=' | '<' | '<=' | '>' | '>='; left: SightOperand; right: SightOperand }
  | { is: 'in'; left: SightOperand; list: SightOperand[] };

const known = new Map<string, SightCondition>();

/** Parses a visibility condition. @throws ExpressionSyntaxError if SQL cannot evaluate it */
export function sightCondition(text: string): SightCondition {
  let condition = known.get(text);
  if (!condition) known.set(text, (condition = conditionOf(parseExpression(text))));
  return condition;
}

/** The fields that a visibility condition uses, and the relations and action codes of the reader. */
export function sightNames(condition: SightCondition): {
  fields: Set<string>;
  relations: Set<string>;
  actions: Set<string>;
} {
  const names = { fields: new Set<string>(), relations: new Set<string>(), actions: new Set<string>() };
  const operand = (one: SightOperand) => ('field' in one ? names.fields.add(one.field) : undefined);
  const walk = (one: SightCondition): void => {
    switch (one.is) {
      case 'all':
      case 'some':
        one.of.forEach(walk);
        break;
      case 'not':
        walk(one.of);
        break;
      case 'viewer':
        names.relations.add(one.relation);
        break;
      case 'may':
        names.actions.add(one.action);
        break;
      case 'true':
      case 'empty':
        names.fields.add(one.field);
        break;
      case 'compare':
        operand(one.left);
        operand(one.right);
        break;
      case 'in':
        operand(one.left);
        one.list.forEach(operand);
    }
  };
  walk(condition);
  return names;
}

const sighted = new WeakMap<Screen, ReadonlyMap<string, string>>();

/** The visibility conditions of a type, by field or `rows.column`. Most types have none. */
export function sightOf(screen: Screen): ReadonlyMap<string, string> {
  let found = sighted.get(screen);
  if (!found) {
    const of = (field: Field, name: string): [string, string][] => [
      ...(field.visible === undefined ? [] : [[name, field.visible] as [string, string]]),
      ...(field.part ? [] : (field.rows ?? []).flatMap((column) => of(column, `${name}.${column.name}`))),
    ];
    sighted.set(screen, (found = new Map(screen.fields.flatMap((field) => of(field, field.name)))));
  }
  return found;
}

const looked = new WeakMap<Screen, ReadonlySet<string>>();

/** The columns of a record that its visibility conditions use, including those of relations. */
export function sightInputs(screen: Screen): ReadonlySet<string> {
  let inputs = looked.get(screen);
  if (inputs) return inputs;
  const found = new Set<string>();
  const add = (text: string): void => {
    const { fields, relations } = sightNames(sightCondition(text));
    for (const name of fields) found.add(name);
    for (const name of relations) {
      const relation = screen.relations?.[name] ?? { path: ['created_by'] };
      if (relation.path[0] !== undefined) found.add(relation.path[0]);
      if ('when' in relation && relation.when !== undefined) add(relation.when);
    }
  };
  for (const text of sightOf(screen).values()) add(text);
  looked.set(screen, (inputs = found));
  return inputs;
}

const SIGNS: Readonly<Record<string, '==' | '!='>> = { '==': '==', '===': '==', '!=': '!=', '!==': '!=' };
const ORDER = new Set(['<', '<=', '>', '>=']);
const CAN =
  'It compares fields with values (== != < <= > >=, in [..]), asks viewer.<relation>, viewer.action(CODE) and is_empty(field), and joins those by and, or, not.';

function refuse(): never {
  throw new ExpressionSyntaxError(`a condition of sight is asked in the statements of lists. ${CAN}`);
}

function conditionOf(node: jsep.Expression): SightCondition {
  switch (node.type) {
    case 'Identifier':
      return { is: 'true', field: (node as jsep.Identifier).name };
    case 'MemberExpression': {
      const { object, property, computed } = node as jsep.MemberExpression;
      if (computed || object.type !== 'Identifier' || (object as jsep.Identifier).name !== 'viewer') return refuse();
      return { is: 'viewer', relation: (property as jsep.Identifier).name };
    }
    case 'UnaryExpression': {
      const { operator, argument } = node as jsep.UnaryExpression;
      if (operator !== 'not' && operator !== '!') return refuse();
      return { is: 'not', of: conditionOf(argument) };
    }
    case 'CallExpression': {
      const { callee, arguments: given } = node as jsep.CallExpression;
      if (isViewerAction(callee)) {
        const [code] = given as jsep.Literal[];
        if (given.length !== 1 || code?.type !== 'Literal' || typeof code.value !== 'string') return refuse();
        return { is: 'may', action: code.value };
      }
      const isEmpty = callee.type === 'Identifier' && (callee as jsep.Identifier).name === 'is_empty';
      if (!isEmpty || given.length !== 1 || given[0]!.type !== 'Identifier') return refuse();
      return { is: 'empty', field: (given[0] as jsep.Identifier).name };
    }
    case 'BinaryExpression': {
      const { operator, left, right } = node as jsep.BinaryExpression;
      if (operator === 'and' || operator === '&&') return { is: 'all', of: [conditionOf(left), conditionOf(right)] };
      if (operator === 'or' || operator === '||') return { is: 'some', of: [conditionOf(left), conditionOf(right)] };
      if (operator === 'in') {
        if (right.type !== 'ArrayExpression') return refuse();
        const list = (right as jsep.ArrayExpression).elements.map((one) => operandOf(one!));
        return { is: 'in', left: operandOf(left), list };
      }
      const sign = SIGNS[operator] ?? (ORDER.has(operator) ? (operator as '<') : undefined);
      return sign ? { is: 'compare', sign, left: operandOf(left), right: operandOf(right) } : refuse();
    }
    default:
      return refuse();
  }
}

function isViewerAction(callee: jsep.Expression): boolean {
  if (callee.type !== 'MemberExpression') return false;
  const { object, property, computed } = callee as jsep.MemberExpression;
  const isViewer = object.type === 'Identifier' && (object as jsep.Identifier).name === 'viewer';
  return isViewer && !computed && (property as jsep.Identifier).name === 'action';
}

function operandOf(node: jsep.Expression): SightOperand {
  if (node.type === 'Literal') return { value: (node as jsep.Literal).value as string | number | boolean | null };
  if (node.type === 'Identifier') {
    const { name } = node as jsep.Identifier;
    return name === 'null' ? { value: null } : { field: name };
  }
  if (node.type === 'CallExpression') {
    const { callee, arguments: given } = node as jsep.CallExpression;
    if (callee.type === 'Identifier' && (callee as jsep.Identifier).name === 'today' && given.length === 0)
      return { today: true };
  }
  return refuse();
}
