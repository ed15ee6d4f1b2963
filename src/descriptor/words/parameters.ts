import { compileFields } from '../compile_fields.ts';
import { expand } from '../fields.ts';
import { fieldType } from '../fieldtypes/registry.ts';
import { defineWord } from './word.ts';
import type { JsonSchema } from '../types.ts';

declare module '../types.ts' {
  interface WrittenWords {
    /** For a view: the reader's choices, as JSON Schema. */
    parameters?: JsonSchema;
  }
  interface ScreenWords {
    parameters?: Field[];
  }
}

export const parameters = defineWord<JsonSchema>({
  name: 'parameters',
  on: 'screen',
  shape: {
    description: 'For a view: what its reader chooses. Each has a default or x-default.',
    $ref: '#/$defs/record',
    examples: [{ properties: { as_on: { $ref: 'types#date', 'x-default': 'today()' } } }],
  },
  after: ['kind'],
  compile: (written, { screen, source, types }) =>
    screen.kind === 'view' && written
      ? { parameters: compileFields(expand(written, types, source, ['parameters']), source, ['parameters']) }
      : {},
  check: (check) => {
    for (const field of check.screen.parameters ?? []) {
      const at = ['parameters', 'properties', field.name];
      if (!fieldType(field.type).can.narrow)
        check.report(at, `A view has no parameter of type ${field.type}.`, 'Choose a field with one short value.');
      if (field.begins === undefined && field.default === undefined)
        check.report(at, `"${field.name}" begins with nothing.`, 'Write "default" or "x-default".');
    }
  },
  chapter: 'What it is',
  doc: ['**`parameters`**: see [Views](#views).'],
});
