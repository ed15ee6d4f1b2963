import { objectSchema } from '../../fields.ts';
import { defineWord } from '../word.ts';
import type { JsonSchema } from '../../types.ts';

export const items = defineWord<JsonSchema>({
  name: 'items',
  on: 'field',
  shape: {
    description: 'The type of the entries. An object with properties = child rows, edited as a sheet.',
    $ref: '#/$defs/items',
  },
  definitions: {
    items: {
      type: 'object',
      if: { required: ['properties'] },
      then: {
        additionalProperties: false,
        properties: {
          type: { const: 'object' },
          title: { type: 'string' },
          description: { type: 'string' },
          required: { description: 'Names of the columns that must not be empty.', $ref: '#/$defs/requiredNames' },
          properties: {
            description: 'The columns, by name.',
            type: 'object',
            minProperties: 1,
            additionalProperties: { $ref: '#/$defs/field' },
          },
          if: { $ref: '#/$defs/condition' },
          then: { $ref: '#/$defs/condition' },
          else: { $ref: '#/$defs/condition' },
          allOf: { type: 'array', items: { $ref: '#/$defs/condition' } },
          dependentRequired: { type: 'object', additionalProperties: { type: 'array', items: { type: 'string' } } },
          additionalProperties: { const: false },
        },
      },
      else: { $ref: '#/$defs/field' },
    },
  },
  compile: (written = {}, { field, rows }) => {
    if (field.type !== 'rows') return;
    field.rows = rows(written);
    const { properties: _own, ...rest } = written;
    field.schema = { ...field.schema, items: { ...rest, ...objectSchema(field.rows, true) } };
  },
  chapter: 'Child rows',
  doc: [
    'An array of objects (`items`) is a table within the form, stored in its own database table. A new row has the defaults',
    'of its columns. `minItems` and `maxItems` limit the number of rows. Rows cannot contain rows: for that, create a',
    'separate type that refers to this one.',
  ],
  example: [
    {
      part: {
        contacts: {
          type: 'array',
          title: 'Contacts at the supplier',
          maxItems: 20,
          'x-unique': ['name', 'phone'],
          items: {
            type: 'object',
            required: ['name'],
            properties: {
              name: { $ref: 'types#name' },
              phone: { $ref: 'types#phone' },
              email: { $ref: 'types#email' },
            },
          },
        },
        discounts: {
          type: 'array',
          'x-bands': { from: 'qty_from', to: 'qty_to', gapless: true },
          items: {
            type: 'object',
            required: ['qty_from'],
            properties: {
              qty_from: { $ref: 'types#integer' },
              qty_to: { $ref: 'types#integer' },
              discount: { $ref: 'types#percent' },
            },
          },
        },
        stays: {
          type: 'array',
          'x-valid': { from: 'since', to: 'until', key: ['place'] },
          items: {
            type: 'object',
            required: ['since'],
            properties: { place: { $ref: 'types#text' }, since: { $ref: 'types#date' }, until: { $ref: 'types#date' } },
          },
        },
      },
    },
  ],
});
