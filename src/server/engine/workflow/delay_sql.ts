import type jsep from 'jsep';
import { parseExpression } from '../../../descriptor/expression/compile_expression.ts';
import type { Field, Screen } from '../../../descriptor/types.ts';
import { quoted, tableName } from '../../db/names.ts';

const NUMBERS: ReadonlySet<string> = new Set(['integer', 'decimal']);

/** Where the names of a delay are looked up. */
interface Place {
  screens: ReadonlyMap<string, Screen>;
  schema: string;
}

/**
 * The SQL of a delay that adds up numbers and number fields, of the record itself and behind its references, such as
 * `grace_days + 1` or `service_id.auto_close_days`, for the alias `r`; null = it is computed for each record.
 */
export function delaySql(screen: Screen, expression: string, place: Place): string | null {
  return sqlOf(screen, parseExpression(expression), place);
}

function sqlOf(screen: Screen, node: jsep.Expression, place: Place): string | null {
  if (node.type === 'Literal') {
    const { value } = node as jsep.Literal;
    return typeof value === 'number' ? `${value}::numeric` : null;
  }
  if (node.type === 'Identifier' || node.type === 'MemberExpression') {
    const names = namesOf(node);
    return names === null ? null : numberBehind(screen, names, 'r', place);
  }
  if (node.type !== 'BinaryExpression') return null;
  const { operator, left, right } = node as jsep.BinaryExpression;
  if (operator !== '+' && operator !== '-') return null;
  const [a, b] = [sqlOf(screen, left, place), sqlOf(screen, right, place)];
  return a === null || b === null ? null : `(${a} ${operator} ${b})`;
}

/** The least that such a delay can be, by the limits of its fields; null = it has no limit. */
export function leastDelay(screen: Screen, expression: string, screens: ReadonlyMap<string, Screen>): number | null {
  const least = (node: jsep.Expression): number | null => {
    if (node.type === 'Literal') {
      const { value } = node as jsep.Literal;
      return typeof value === 'number' ? value : null;
    }
    if (node.type === 'BinaryExpression') {
      const { operator, left, right } = node as jsep.BinaryExpression;
      const [a, b] = [least(left), least(right)];
      return operator !== '+' || a === null || b === null ? null : a + b;
    }
    let of: Screen | undefined = screen;
    let field: Field | undefined;
    for (const name of namesOf(node) ?? []) {
      field = of?.fields.find((one) => one.name === name);
      of = field?.ref && screens.get(field.ref.type);
    }
    const minimum = field && !field.custom ? field.schema.minimum : undefined;
    return typeof minimum === 'number' ? minimum : null;
  };
  return least(parseExpression(expression));
}

/** `service_id.auto_close_days` as its names; null = it is another kind of access. */
function namesOf(node: jsep.Expression): string[] | null {
  if (node.type === 'Identifier') return [(node as jsep.Identifier).name];
  if (node.type !== 'MemberExpression') return null;
  const { object, property, computed } = node as jsep.MemberExpression;
  const before = computed || property.type !== 'Identifier' ? null : namesOf(object);
  return before && [...before, (property as jsep.Identifier).name];
}

/** The number at the end of a path that begins at a row; null = it is no stored number. */
function numberBehind(screen: Screen, [name, ...rest]: string[], alias: string, place: Place): string | null {
  const field: Field | undefined = screen.fields.find((one) => one.name === name);
  if (!field || field.custom) return null;
  const column = `${alias}.${quoted(field.name)}`;
  if (rest.length === 0) return NUMBERS.has(field.type) ? `${column}::numeric` : null;
  const target = field.ref && place.screens.get(field.ref.type);
  const [inner, number] = [`${alias}r`, target && numberBehind(target, rest, `${alias}r`, place)];
  return target && number
    ? `(select ${number} from ${tableName(place.schema, target.name)} ${inner} where ${inner}.id = ${column})`
    : null;
}
