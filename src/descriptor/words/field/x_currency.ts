import { didYouMean } from '../../source.ts';
import { defineWord } from '../word.ts';
import type { Screen } from '../../types.ts';

declare module '../../types.ts' {
  interface FieldWords {
    /** Money: the field with its currency, in the row or else in the record. */
    currencyFrom?: string;
  }
}

/** Whether the values of a field are currency codes. */
function holdsCodes(screen: Screen, name: string | undefined): boolean {
  const field = screen.fields.find((one) => one.name === name);
  return field?.schema.pattern === '^[A-Z]{3}$';
}

export const xCurrency = defineWord<string>({
  name: 'x-currency',
  on: 'field',
  shape: {
    description: 'The field with the currency of the amount: a reference to a currency, or a text with its code.',
    type: 'string',
    minLength: 1,
    examples: ['currency_id'],
  },
  compile: (written, { field, source, at, known }) => {
    if (written === undefined) return;
    if (field.type === 'money' && field.unit === undefined) field.currencyFrom = written;
    else if (known)
      source.report(
        [...at, 'x-currency'],
        field.type === 'money'
          ? `"${field.name}" says its unit already: "x-unit".`
          : `"${field.name}" is not an amount: it is of type ${field.type}.`,
        field.type === 'money' ? 'Keep one of the two.' : 'Write { "$ref": "types#money" }, or leave "x-currency" out.',
      );
  },
  check: (field, { check, at, siblings }) => {
    const name = field.currencyFrom;
    if (name === undefined) return;
    const path = [...at, 'x-currency'];
    const found = siblings.find((one) => one.name === name) ?? check.field(name);
    if (!found) {
      const names = [...siblings, ...check.screen.fields].map((one) => one.name);
      check.report(path, `There is no field "${name}" for x-currency.`, didYouMean(name, names));
      return;
    }
    const target = found.type === 'ref' ? check.all.drafts.get(found.ref?.type ?? '')?.screen : undefined;
    if (found.type === 'ref' && !target) return;
    if (target ? holdsCodes(target, target.label[0]) : found.schema.pattern === '^[A-Z]{3}$') return;
    check.report(
      path,
      target
        ? `"${name}" names no currency: the first "label" of ${target.name} is not the code of one.`
        : `"${name}" names no currency.`,
      'Name a reference to a type whose first "label" is a text with "pattern": "^[A-Z]{3}$", or such a text itself.',
    );
  },
  chapter: 'Numbers and dates',
  doc: [
    '**`x-currency`** names the field with the currency of a `money` amount: a reference to a type whose first `label` is a',
    'currency code, or a text with that code (`"pattern": "^[A-Z]{3}$"`). Forms, lists, cards and Excel use its symbol, its',
    "decimals (more if the amount has more) and its number format. Without a currency the amount is in the company's",
    'currency. In child rows, the field is a column of the row or else a field of the record. Amounts in several currencies',
    'are added up only if they are grouped by that field.',
  ],
  example: [
    {
      part: {
        paid_in: { $ref: 'types#text', maxLength: 3, pattern: '^[A-Z]{3}$', default: 'INR' },
        paid: { $ref: 'types#money', 'x-currency': 'paid_in' },
      },
    },
  ],
});
