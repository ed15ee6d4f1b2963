import { OWN_TYPES, SETTING_FIELDS, tabCode } from '../setting_fields.ts';
import { didYouMean } from '../source.ts';
import { defineWord } from './word.ts';

declare module '../types.ts' {
  interface WrittenWords {
    /**
     * Each record customises one field of the type named here for this client, or adds a field to it (../overlay.ts).
     */
    overlay?: string;
  }
  interface ScreenWords {
    /** The type whose fields the records of this type customise for a client, and the field types that they may add. */
    overlay?: { type: string; types: Record<string, JsonSchema> };
  }
}

export const overlay = defineWord<string>({
  name: 'overlay',
  on: 'screen',
  shape: {
    description:
      'The type whose fields the records of this type customise for a client: hidden, required, renamed, moved, or added.',
    type: 'string',
    examples: ['employee'],
  },
  compile: (written, { types }) =>
    written === undefined
      ? {}
      : {
          overlay: {
            type: written,
            types: Object.fromEntries(OWN_TYPES.flatMap((name) => (types[name] ? [[name, types[name]]] : []))),
          },
        },
  // Its fields must be those that the engine reads, with valid values.
  check: (check) => {
    const { screen } = check;
    if (screen.overlay === undefined) return;
    const target = check.type(screen.overlay.type, ['overlay']);
    if (!target) return;
    if (screen.scope !== 'tenant' || target.scope === 'platform' || target.overlay !== undefined)
      check.report(
        ['overlay'],
        `"${screen.name}" cannot set the fields of "${target.name}".`,
        'Write it with "scope": "tenant", for a type of clients that is no overlay itself.',
      );
    for (const name of ['field', 'shown'] as const)
      if (!check.field(name))
        check.report(
          ['schema'],
          `An overlay needs the field "${name}".`,
          `Write "${name}": { ${name === 'field' ? '"enum": ["…"]' : '"$ref": "types#boolean", "default": true'} }.`,
        );
    const allowed: Partial<Record<string, ReadonlySet<string>>> = {
      field: new Set(target.fields.map(({ name }) => name)),
      section: new Set(target.form.tabs.map(({ title }) => tabCode(title))),
      type: new Set(OWN_TYPES),
      mask: new Set(['none', 'last4', 'hidden']),
      in_list: new Set(['shown', 'ready']),
    };
    for (const field of screen.fields) {
      const kind = (SETTING_FIELDS as Record<string, string>)[field.name];
      const path = ['schema', 'properties', field.name];
      if (kind !== undefined && field.type !== kind)
        check.report(
          path,
          `"${field.name}" of an overlay is of type ${kind}.`,
          `Write it as ${kind}, or call it something else.`,
        );
      else
        for (const { value } of field.options ?? [])
          if (allowed[field.name]?.has(String(value)) === false)
            check.report(
              [...path, 'enum'],
              `"${value}" is nothing of ${target.name} for "${field.name}".`,
              didYouMean(String(value), allowed[field.name]!),
            );
    }
  },
  chapter: 'Fields customised by the client',
  doc: [
    '**`overlay`**: each record of this type customises one field of the type named, for one client: it is hidden,',
    'required, renamed, moved, restricted to some people, or added. Forms, lists, filters, checks, Excel, history and the',
    'HTTP interface follow at once, for this client only. The fields of such a type have fixed names; all but `field` and',
    '`shown` are optional:',
    '',
    '| field | meaning |',
    '|---|---|',
    '| `field` (enum) | the field of the other type |',
    '| `shown` (boolean) | no: the field no longer appears anywhere; stored values remain |',
    '| `kind` (enum), `own_field` (text), `type` (enum), `choices` (tags) | kind `own`: a custom field of the client; in records its name is `own_` and the short name, with that type and that list of values |',
    '| `label` (text), `section` (enum), `sequence_no` (integer), `in_list` (enum `shown`, `ready`) | its name, its tab (lower-case letters), its position within a section, whether it is a column of the list or can be chosen as one |',
    '| `required` (boolean), `default_value` (text) | required; the value in new records |',
    '| `mask` (enum `none`, `last4`, `hidden`), `roles` (refs) | what people without one of these roles see; administrators see the whole value |',
    '| `editable_by_employee` (boolean) | members change it in their own profile |',
    '',
    'A field cannot be hidden if it names a record, numbers it, or decides who sees it; a required field can be hidden only',
    'with a value for new records. Rules and conditions that refer to a hidden field do not apply; formulas treat it as',
    'empty. Custom fields hold values, not references, files or child rows.',
  ],
  example: [
    {
      name: 'branch_field_setting',
      part: {
        $schema: '../meta/screen.schema.json',
        title: 'Branch field setting',
        access: { screen: 'SCN_BRANCH_FIELD_SETTING', module: 'SETTINGS' },
        schema: {
          required: ['shown'],
          properties: {
            kind: { enum: ['standard', 'own'], default: 'standard' },
            field: { enum: ['fence_m', 'phone', 'email'], 'x-required-when': "kind != 'own'" },
            own_field: {
              $ref: 'types#text',
              maxLength: 30,
              pattern: '^[a-z][a-z0-9_]*$',
              'x-required-when': "kind == 'own'",
            },
            type: { enum: ['text', 'date', 'money'], 'x-required-when': "kind == 'own'" },
            label: { $ref: 'types#text' },
            shown: { $ref: 'types#boolean', default: true },
            required: { $ref: 'types#boolean', default: false },
          },
        },
        label: ['label'],
        unique: [['field'], ['own_field']],
        overlay: 'branch',
      },
    },
  ],
});
