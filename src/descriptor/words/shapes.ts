import type { JsonSchema } from '../types.ts';

/** Shapes that several words refer to, as `#/$defs/<name>`. */
export const sharedShapes: Record<string, JsonSchema> = {
  address: {
    description: 'Begins with / and contains letters, digits, _ - . and :parameters.',
    type: 'string',
    examples: ['/lift_make'],
  },
  addressOrNull: {
    description: 'An address, or null for no such page.',
    type: ['string', 'null'],
    examples: ['/lift_make/add'],
  },
  fieldName: { description: 'Name of a field.', type: 'string' },
  fieldNames: {
    description: 'Names of fields.',
    type: 'array',
    minItems: 1,
    items: { $ref: '#/$defs/fieldName' },
    uniqueItems: true,
  },
  codes: {
    description: 'A code, or several; any one is enough.',
    anyOf: [
      { type: 'string', minLength: 1 },
      { type: 'array', items: { type: 'string', minLength: 1 }, minItems: 1, uniqueItems: true },
    ],
  },
  bySetting: {
    description:
      'A setting of the client and the value it must have: { "configuration.employee_number": "automatic" }.',
    type: 'object',
    minProperties: 1,
    maxProperties: 1,
    propertyNames: { pattern: '^[a-z][a-z0-9_]*\\.[a-z][a-z0-9_]*$' },
    additionalProperties: { type: ['string', 'number', 'boolean'] },
    examples: [{ 'configuration.employee_number': 'automatic' }],
  },
  count: { type: 'integer', minimum: 0 },
};
