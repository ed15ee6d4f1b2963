import { fieldType } from '../../fieldtypes/registry.ts';
import type { ScreenCheck } from '../../check_context.ts';
import { didYouMean } from '../../source.ts';
import { defineWord } from '../word.ts';

declare module '../../types.ts' {
  interface FieldWords {
    /** A number: the field that decides its unit, in the row or else in the record. */
    unitFrom?: string;
  }
}

export const xUnitOf = defineWord<string>({
  name: 'x-unit-of',
  on: 'field',
  shape: {
    description: 'The field that decides the unit of the number: a unit, or the thing that is measured.',
    type: 'string',
    minLength: 1,
    examples: ['uom_id', 'item_id'],
  },
  compile: (written, { field, source, at, known }) => {
    if (written === undefined) return;
    if (known && field.unit !== undefined)
      source.report([...at, 'x-unit-of'], `"${field.name}" says its unit already: "x-unit".`, 'Keep one of the two.');
    else if (known && (field.type === 'money' || fieldType(field.type).can.sum !== 'total'))
      source.report(
        [...at, 'x-unit-of'],
        `"${field.name}" has no unit of its own: it is of type ${field.type}.`,
        field.type === 'money' ? 'Name the field with its currency: "x-currency".' : 'Leave "x-unit-of" out.',
      );
    else field.unitFrom = written;
  },
  check: (field, { check, at, siblings }) => {
    const name = field.unitFrom;
    if (name === undefined || siblings.some((one) => one.name === name) || check.field(name)) return;
    const names = [...siblings, ...check.screen.fields].map((one) => one.name);
    check.report([...at, 'x-unit-of'], `There is no field "${name}" for x-unit-of.`, didYouMean(name, names));
  },
  checkAll: checkFormulas,
  chapter: 'Numbers and dates',
  doc: [
    '**`x-unit-of`** names the field that decides the unit of a number: its unit (`uom_id`), or what is measured, if each of',
    'these has one unit (`item_id`). In child rows, the field is a column of the row or else a field of the record. Numbers',
    'of different units are never added up: a sheet, a printed table, a group of a list, and a report show a total only',
    'where all of it is in one unit, and a formula cannot add them.',
  ],
  example: [
    {
      part: {
        packed_in: { $ref: 'types#text', maxLength: 6 },
        packs: { $ref: 'types#quantity', 'x-unit-of': 'packed_in' },
      },
    },
  ],
});

/** A sum over rows in a formula: `sum(lines.qty)`, not one under a condition. */
const SUM = /\bsum\(\s*([a-z][a-z0-9_]*)\.([a-z][a-z0-9_]*)\s*\)/g;

/** A number of the record does not add up rows that have a unit each. */
function checkFormulas(check: ScreenCheck): void {
  for (const { name, type, formula } of check.screen.fields) {
    if (formula === undefined || type === 'money' || fieldType(type).can.sum !== 'total') continue;
    for (const [, rows, column] of formula.matchAll(SUM)) {
      const columns = check.field(rows)?.rows ?? [];
      const unit = columns.find((one) => one.name === column)?.unitFrom;
      if (unit !== undefined && columns.some((one) => one.name === unit))
        check.report(
          ['schema', 'properties', name, 'x-formula'],
          `"${rows}.${column}" is in several units: it has no sum.`,
          'Count the rows instead.',
        );
    }
  }
}
