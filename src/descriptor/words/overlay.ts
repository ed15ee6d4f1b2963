import { OWN_TYPES, SETTING_FIELDS, overlayTarget, ownFieldName, tabCode } from '../setting_fields.ts';
import type { OverlayTarget } from '../setting_fields.ts';
import { didYouMean } from '../source.ts';
import { defineWord } from './word.ts';

declare module '../types.ts' {
  interface WrittenWords {
    /**
     * Each record customises one field of a type named here for this client, or adds a field to it (../overlay.ts).
     */
    overlay?: string | string[];
  }
  interface ScreenWords {
    /** The types whose fields the records of this type customise for a client, and the field types that they may add. */
    overlay?: { targets: OverlayTarget[]; types: Record<string, JsonSchema> };
    /** The fields that the client wants in reports with details. */
    reported?: string[];
  }
}

export const overlay = defineWord<string | string[]>({
  name: 'overlay',
  on: 'screen',
  shape: {
    description:
      'The type whose fields the records of this type customise for a client: hidden, required, renamed, moved, or added. For several types, or tables of rows (type.rows), the field "of" names the one customised.',
    examples: ['employee', ['order', 'order.lines']],
    anyOf: [{ type: 'string' }, { type: 'array', minItems: 2, uniqueItems: true, items: { type: 'string' } }],
  },
  compile: (written, { types }) =>
    written === undefined
      ? {}
      : {
          overlay: {
            targets: [written].flat().map(overlayTarget),
            types: Object.fromEntries(OWN_TYPES.flatMap((name) => (types[name] ? [[name, types[name]]] : []))),
          },
        },
  // Its fields must be those that the engine reads, with valid values.
  check: (check) => {
    const { screen } = check;
    if (screen.overlay === undefined) return;
    const { targets } = screen.overlay;
    const customised = targets.flatMap((one, index) => {
      const at = targets.length > 1 ? ['overlay', index] : ['overlay'];
      const target = check.type(one.type, at);
      if (!target) return [];
      if (screen.scope !== 'tenant' || target.scope === 'platform' || target.overlay !== undefined)
        check.report(
          at,
          `"${screen.name}" cannot set the fields of "${target.name}".`,
          'Write it with "scope": "tenant", for a type of clients that is no overlay itself.',
        );
      if (one.rows === null) return [{ target, fields: target.fields }];
      const rows = target.fields.find(({ name }) => name === one.rows);
      if (rows?.rows && !rows.part) return [{ target, fields: rows.rows }];
      check.report(
        at,
        `"${one.rows}" is no table of rows of "${one.type}".`,
        didYouMean(
          one.rows,
          target.fields.flatMap(({ name, rows: columns }) => (columns ? [name] : [])),
        ),
      );
      return [];
    });
    if (customised.length < targets.length) return;
    for (const name of ['field', 'shown', ...(targets.length > 1 ? (['of'] as const) : [])] as const)
      if (!check.field(name))
        check.report(
          ['schema'],
          `An overlay${name === 'of' ? ' of several types' : ''} needs the field "${name}".`,
          `Write "${name}": { ${name === 'shown' ? '"$ref": "types#boolean", "default": true' : name === 'of' ? `"enum": [${targets.map((one) => `"${one.name}"`).join(', ')}]` : '"enum": ["…"]'} }.`,
        );
    const allowed: Partial<Record<string, ReadonlySet<string>>> = {
      of: new Set(targets.map(({ name }) => name)),
      field: new Set(customised.flatMap(({ fields }) => fields.map(({ name }) => name))),
      section: new Set(customised.flatMap(({ target }) => target.form.tabs.map(({ title }) => tabCode(title)))),
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
              `"${value}" is nothing of ${targets.map(({ name }) => name).join(', ')} for "${field.name}".`,
              didYouMean(String(value), allowed[field.name]!),
            );
    }
  },
  overlay: {
    lay: ({ settings, own }) => {
      const wanted = [...settings.values(), ...own].filter((setting) => setting.in_report && setting.shown !== false);
      return wanted.length === 0 ? {} : { reported: wanted.map((one) => ownFieldName(one) ?? one.field!) };
    },
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
    '| `in_report` (boolean) | it is a further column of [reports](#reports) with `details` |',
    '| `of` (enum) | which type, for an overlay of several |',
    '',
    'With several types, `"overlay": ["order", "order.lines", "receipt"]`, the field `of` of each setting names its type. An',
    'empty `of` means the first type, so older settings still apply. `order.lines` means the columns of a table of rows:',
    'they are hidden, required, renamed and moved in the sheet, in the form of a row, in Excel and in checks. A',
    'column cannot be hidden if it is required, calculated, part of a key, or named by a fill, a step, a print or another',
    'document; it is not masked, and rows take no custom fields. Nor do types whose steps all name the fields that may be',
    'changed. A field that a client requires is required only in the states in which people can enter it.',
    '',
    'Hiding and requiring apply to people only: effects, jobs and other work of the product itself see all fields.',
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
