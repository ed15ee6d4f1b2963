import { fieldExpression } from '../../check_context.ts';
import type { ScreenCheck } from '../../check_context.ts';
import { compileExpression } from '../../expression/compile_expression.ts';
import { defineWord } from '../word.ts';
import type { Path } from '../word.ts';
import type { Field } from '../../types.ts';

declare module '../../types.ts' {
  interface FieldWords {
    formula?: string;
  }
}

export const xFormula = defineWord<string>({
  name: 'x-formula',
  on: 'field',
  shape: {
    description: 'Computed exactly, in the browser and on the server; never entered.',
    type: 'string',
    minLength: 1,
    examples: ['qty * rate'],
  },
  compile: (written, { field }) => {
    if (written) field.formula = written;
    if (written !== undefined) field.readOnly = true;
  },
  check: (field, one) => {
    if (field.formula) fieldExpression(field.formula, ['x-formula'], field, one);
  },
  checkAll: checkCircles,
  chapter: 'Computed fields',
  doc: [
    '**`x-formula`** is an [expression](#expressions). It is computed in the browser while people type and again on the',
    'server, with exact decimals; no other value can be entered. Formulas may use other formulas, but not in a circle. A',
    'formula in a child row may use the columns of the row and the fields of the record; a formula of the record adds up',
    'rows with `sum(rows.column)`. The result is empty while a value is missing, or if it would divide by zero.',
  ],
  example: [
    {
      part: {
        advance: { $ref: 'types#money' },
        balance: { $ref: 'types#money', 'x-formula': 'total - coalesce(advance, 0)' },
      },
    },
  ],
});

/** Formulas may use other formulas, but not in a circle. */
function checkCircles(check: ScreenCheck): void {
  /**
   * The fields used by each formula; the record refers to columns as rows.column, columns refer to each other by name
   * only.
   */
  const uses = new Map<string, string[]>();
  const places = new Map<string, Path>();
  const collect = (fields: Field[], path: Path, rows?: string) => {
    const full = (name: string) =>
      rows !== undefined && fields.some((field) => field.name === name) ? `${rows}.${name}` : name;
    for (const field of fields) {
      const at = [...path, field.name];
      if (field.formula) {
        uses.set(full(field.name), namesIn(field.formula).map(full));
        places.set(full(field.name), [...at, 'x-formula']);
      }
      if (field.rows) collect(field.rows, [...at, 'items', 'properties'], field.name);
    }
  };
  collect(check.screen.fields, ['schema', 'properties']);
  const inCircle = new Set<string>();
  for (const name of uses.keys()) {
    const circle = inCircle.has(name) ? null : circleFrom(name, uses);
    if (!circle) continue;
    circle.forEach((one) => inCircle.add(one));
    const start = circle.find((one) => !one.includes('.')) ?? name;
    const at = circle.indexOf(start);
    const turned = at <= 0 ? circle : [...circle.slice(at, -1), ...circle.slice(0, at), start];
    check.report(
      places.get(start)!,
      `The formula goes round in a circle: ${turned.join(' → ')}.`,
      'One of these must be entered by hand.',
    );
  }
}

/** The names in a formula; syntax errors have been reported. */
function namesIn(formula: string): string[] {
  try {
    return compileExpression(formula).names;
  } catch {
    return [];
  }
}

function circleFrom(start: string, uses: Map<string, string[]>): string[] | null {
  const walk = (name: string, trail: string[]): string[] | null => {
    for (const next of uses.get(name) ?? []) {
      if (next === start) return [...trail, next];
      if (!trail.includes(next)) {
        const found = walk(next, [...trail, next]);
        if (found) return found;
      }
    }
    return null;
  };
  return walk(start, [start]);
}
