import { fieldWords } from './field/registry.ts';
import { screenWords } from './registry.ts';
import { sharedShapes } from './shapes.ts';
import type { FieldWord, ScreenWord } from './word.ts';
import type { JsonSchema } from '../types.ts';

const shapesOf = (words: readonly (ScreenWord | FieldWord)[]): Record<string, JsonSchema> =>
  Object.fromEntries(words.map(({ name, shape }) => [name, shape]));

const definitions: Record<string, JsonSchema> = {
  ...sharedShapes,
  ...Object.assign({}, ...[...screenWords, ...fieldWords].map((word) => word.definitions ?? {})),
  field: {
    description: 'One field: a type of types.json with the differences, or plain JSON Schema.',
    type: 'object',
    additionalProperties: false,
    examples: [{ $ref: 'types#text', title: 'Remark' }],
    properties: shapesOf(fieldWords),
  },
};

/** The meta-schema of descriptors, put together from the words: what schemas/meta/screen.schema.json holds for editors. */
export const screenSchema: JsonSchema & { properties: Record<string, JsonSchema>; $defs: Record<string, JsonSchema> } =
  {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Screen',
    description:
      'One record type: its table, form, grid, checks, rights, address, history and Excel sheet. docs/descriptors.md explains every word with an example.',
    type: 'object',
    required: screenWords.filter(({ required }) => required).map(({ name }) => name),
    additionalProperties: false,
    properties: shapesOf(screenWords),
    $defs: definitions,
  };
