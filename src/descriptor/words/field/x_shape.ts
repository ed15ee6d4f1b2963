import { didYouMean } from '../../source.ts';
import { defineWord } from '../word.ts';

declare module '../../types.ts' {
  interface FieldWords {
    /**
     * Type json: the location of the value's JSON Schema, from which its fields are made; `fields`: it is such a schema
     * itself.
     */
    shape?: { via: string; field: string } | 'fields';
  }
}

export const xShape = defineWord<string>({
  name: 'x-shape',
  on: 'field',
  shape: {
    description:
      'For json: reference.field, the field of the chosen record that describes the value; or "fields" if it describes other values.',
    type: 'string',
    minLength: 1,
    examples: ['kind_id.parameters', 'fields'],
  },
  compile: (written, { field, source, at }) => {
    if (written === undefined) return;
    const [via, from, ...more] = written.split('.');
    if (field.type !== 'json')
      source.report(
        [...at, 'x-shape'],
        `"${field.name}" is of type ${field.type}.`,
        'Write { "$ref": "types#json", "x-shape": … }.',
      );
    else if (written === 'fields') field.shape = 'fields';
    else if (!via || !from || more.length > 0)
      source.report(
        [...at, 'x-shape'],
        `"${written}" is not a reference and its field.`,
        'Write for instance "kind_id.parameters".',
      );
    else field.shape = { via, field: from };
  },
  check: (field, { check, at, siblings, rows }) => {
    if (!field.shape) return;
    const path = [...at, 'x-shape'];
    if (rows !== undefined) {
      check.report(path, 'Rows have no fields within a field.', 'Leave "x-shape" out.');
      return;
    }
    if (field.shape === 'fields') return;
    const { via, field: from } = field.shape;
    const reference = siblings.find((one) => one.name === via);
    if (!reference?.ref || reference.type !== 'ref') {
      check.report(
        path,
        `"${via}" is not a reference of this form.`,
        didYouMean(
          via,
          siblings.filter((one) => one.type === 'ref').map((one) => one.name),
        ),
      );
      return;
    }
    const target = check.all.drafts.get(reference.ref.type)?.screen;
    const found = target?.fields.find((one) => one.name === from);
    if (target && found?.shape !== 'fields')
      check.report(
        path,
        `"${from}" of ${target.title} does not describe fields.`,
        'Name a field of type json there that has "x-shape": "fields".',
      );
  },
  unbind: (free, { gone }) => {
    if (typeof free.shape === 'object' && gone.has(free.shape.via)) delete free.shape;
  },
  chapter: 'References',
  doc: [
    '**`x-shape`**, for a field of type `json`, shows fields for the value, so that nobody types JSON.',
    '`"kind_id.parameters"` takes them from the chosen record: its field `parameters` describes them and has `"x-shape":',
    '"fields"`. The stored values are still JSON: a JSON Schema in the one field, and a value that the server checks by',
    'that schema in the other.',
  ],
  example: [
    {
      name: 'rule_kind',
      part: {
        $schema: '../meta/screen.schema.json',
        title: 'Rule kind',
        access: { screen: 'SCN_RULE_KIND', module: 'MASTERS' },
        schema: {
          required: ['code', 'name'],
          properties: {
            code: { $ref: 'types#code' },
            name: { $ref: 'types#name' },
            parameters: { $ref: 'types#json', title: 'Asks for', 'x-shape': 'fields' },
          },
        },
        unique: [['code']],
      },
    },
    {
      part: {
        rule_kind_id: { $ref: 'types#ref', 'x-ref': 'rule_kind', title: 'Rule' },
        rule_values: { $ref: 'types#json', title: 'Values', 'x-shape': 'rule_kind_id.parameters' },
      },
    },
  ],
});
