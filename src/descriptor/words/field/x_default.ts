import { PEOPLE } from '../../check_context.ts';
import { ExpressionSyntaxError, compileExpression } from '../../expression/compile_expression.ts';
import { isOfPlace } from '../../default_values.ts';
import { didYouMean } from '../../source.ts';
import { defineWord } from '../word.ts';
import type { FieldCheck } from '../../check_context.ts';

declare module '../../types.ts' {
  interface FieldWords {
    /** New records refer to the person who adds them: the user, or their employee. */
    defaultMe?: true;
    /** The initial value of a new record or row: an expression. */
    begins?: string;
  }
}

/** The fields of the company and of the branch that an expression may read: `company.state_id`. */
const PLACES: Record<string, string> = { company: 'entity', branch: 'branch' };

export const xDefault = defineWord<string>({
  name: 'x-default',
  on: 'field',
  shape: {
    description:
      'Initial value of a new record: an expression, or me (the person adding it: the user or their employee).',
    type: 'string',
    minLength: 1,
    examples: ['me', 'today()', 'company.state_id', "concat(code, ' ', name)"],
  },
  compile: (written, { field, schema, source, at, known }) => {
    if (written === undefined) return;
    const wrong = (message: string, hint: string) => source.report([...at, 'x-default'], message, hint);
    if (written === 'me') {
      if (field.type === 'ref' && PEOPLE.has(String(schema['x-ref']))) field.defaultMe = true;
      else
        wrong(
          `"${field.name}" cannot be whoever adds the record: it refers to no user and no employee.`,
          'Leave it out, or write a value as "default".',
        );
    } else if (schema.default !== undefined) wrong(`"${field.name}" has a "default" as well.`, 'Keep one of the two.');
    else if (field.formula !== undefined || schema['x-formula'] !== undefined)
      wrong(`"${field.name}" is computed: it begins with nothing else.`, 'Keep "x-formula" or "x-default".');
    else if (!field.rows && !schema['x-secret']) field.begins = written;
    else if (known) wrong(`"${field.name}" cannot begin with an expression.`, 'Leave "x-default" out.');
  },
  check: (field, one) => {
    if (field.begins !== undefined) checkDefault(field.begins, one, field.name);
  },
  unbind: (free, { speaksOf }) => {
    if (speaksOf(free.begins)) delete free.begins;
  },
  chapter: 'Computed fields',
  doc: [
    '**`x-default`** is the initial value in a new record or row, where `default` cannot express it. `"me"` in a reference',
    'to a user or an employee is the person who adds the record. Any other value is an [expression](#expressions):',
    '`today()`, `now()`, or a text built from other fields, which is updated in the form until somebody types another',
    "value. `company.…` reads a field of the current company, `branch.…` a field of the person's branch there (`branch.id`",
    'is the branch itself); these cannot be combined with fields of the record. In child rows it may use columns of the row',
    'and fields of the record. The value is stored whenever the field is left out: in the form, over HTTP and in an import.',
    'A field that is sent empty stays empty.',
  ],
  example: [
    {
      part: {
        asked_by_id: { $ref: 'types#ref', 'x-ref': 'employee', 'x-default': 'me' },
        asked_on: { $ref: 'types#date', 'x-default': 'today()' },
        ask_in_id: { $ref: 'types#ref', 'x-ref': 'branch', 'x-default': 'branch.id' },
        heading_text: { $ref: 'types#text', 'x-default': "join(' · ', number, supplier)" },
      },
    },
  ],
});

function checkDefault(text: string, { check, at, siblings, rows }: FieldCheck, own: string): void {
  const path = [...at, 'x-default'];
  let names: string[] = [];
  try {
    ({ names } = compileExpression(text));
  } catch (error) {
    if (!(error instanceof ExpressionSyntaxError)) throw error;
  }
  if (names.includes(own)) {
    check.report(path, `"${own}" cannot begin with itself.`, 'Name other fields.');
    return;
  }
  const places = names.filter(isOfPlace);
  if (places.length === 0) {
    const field = siblings.find(({ name }) => name === own)!;
    const behind = names.find((name) => name.includes('.') && check.field(name.split('.')[0])?.ref);
    if (behind === undefined) {
      const row = rows === undefined ? [] : siblings;
      check.serverExpression(
        text,
        path,
        field,
        row.map(({ name }) => name),
        row,
      );
    } else
      check.report(
        path,
        `"${behind}" is a field of another record.`,
        `Copy it by "x-fetch": "${behind}", or into a field of its own and name that.`,
      );
    return;
  }
  if (places.length < names.length) {
    check.report(
      path,
      'What the company or the branch has does not stand beside fields of the record.',
      'Begin a field of its own with it, and name that field.',
    );
    return;
  }
  for (const name of places) {
    const [of = '', part = ''] = name.split('.');
    const fields = check.all.drafts
      .get(PLACES[of]!)
      ?.screen.fields.filter(({ secret, rows: inner }) => !secret && !inner);
    const known = ['id', ...(fields ?? []).map((field) => field.name)];
    // A set of descriptors without companies, as in an example, cannot check their fields.
    if (fields && !known.includes(part))
      check.report(path, `There is no field "${part}" of the ${of}.`, didYouMean(part, known));
  }
}
