import { fieldType } from '../fieldtypes/registry.ts';
import { checkFieldList } from './field_list.ts';
import { defineWord } from './word.ts';
import type { Field } from '../types.ts';

declare module '../types.ts' {
  interface WrittenWords {
    /** Field(s) that name a record in pickers, titles and messages. Default ["name","code"] as far as present: first = main text. */
    label?: string[];
  }
  interface ScreenWords {
    label: string[];
  }
}

/** The main text first: name before code, which reads better in pickers. */
function defaultLabel(fields: Field[]): string[] {
  const names = ['name', 'title', 'number', 'code'].filter((name) =>
    fields.some((field) => field.name === name && field.type !== 'enum'),
  );
  if (names.length > 0)
    return names.includes('name') ? names.filter((name) => name === 'name' || name === 'code') : names.slice(0, 2);
  const first = fields.find((field) => ['text', 'code', 'name', 'email'].includes(field.type)) ?? fields[0];
  return first ? [first.name] : [];
}

export const label = defineWord<string[]>({
  name: 'label',
  on: 'screen',
  shape: {
    description:
      'Fields that name a record in pickers, titles and messages; the first is the main text. Default: name, then code.',
    $ref: '#/$defs/fieldNames',
    examples: [['name', 'code']],
  },
  compile: (written, { fields }) => ({ label: written ?? defaultLabel(fields) }),
  check: (check) => {
    checkFieldList(check, 'label', check.descriptor.label, check.names, (field, path) => {
      if (!fieldType(field.type).can.name)
        check.report(
          path,
          `"${field.name}" cannot name a record: it is of type ${field.type}.`,
          'Choose a text field.',
        );
    });
    if (check.screen.label.length === 0)
      check.report(
        ['label'],
        'Nothing names a record of this type.',
        'Write "label": ["number"] or add a field "name".',
      );
  },
  overlay: { needs: (screen, field) => (screen.label.includes(field) ? 'it names the record' : null) },
  chapter: 'The fields',
  doc: [
    '**`label`**: the fields that name a record in pickers, titles and messages; the first is the main text.',
    'Default: `name` and `code`.',
  ],
  example: [{ part: { label: ['supplier', 'number'] } }],
});
