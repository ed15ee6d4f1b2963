import { sharedEffects } from './shared_effects.ts';

export const names = { type: 'array', items: { type: 'string', minLength: 1 }, minItems: 1, uniqueItems: true };
const use = {
  description: 'A function of a module, `{"fms.post_bill": {}}`, with its arguments.',
  type: 'object',
  minProperties: 1,
  maxProperties: 1,
  propertyNames: { pattern: '^[a-z][a-z_]*\\.[a-z][a-z0-9_]*$' },
  additionalProperties: { type: 'object' },
};

export const auto = {
  description:
    'A record of that type was made of this one ("made"), none is left ("unmade"), a condition holds after a change ("when"); a day or moment has come ("date"); something happened ("event"); a job or an effect takes it ("by").',
  anyOf: [
    {
      type: 'object',
      minProperties: 1,
      additionalProperties: false,
      properties: {
        made: { type: 'string' },
        unmade: { type: 'string' },
        when: { type: 'string', minLength: 1 },
      },
    },
    {
      type: 'object',
      required: ['by'],
      additionalProperties: false,
      properties: {
        by: {
          description:
            'The job or the effect that takes it, by its full name: <module>.<name>; or "import": only an import of past records takes it.',
          type: 'string',
          minLength: 1,
        },
        at: {
          description: 'With "import": the field with the moment at which it was taken.',
          type: 'string',
          minLength: 1,
        },
      },
    },
    {
      type: 'object',
      required: ['date'],
      additionalProperties: false,
      properties: {
        date: { description: 'A date or a moment of the record.', type: 'string' },
        after: {
          description: 'So much later, a number or an expression. Default 0.',
          anyOf: [{ type: 'number' }, { type: 'string', minLength: 1 }],
        },
        unit: { description: 'Default days.', enum: ['minutes', 'hours', 'days', 'working_days'] },
        when: { description: 'Only while this condition is met.', type: 'string', minLength: 1 },
      },
    },
    {
      type: 'object',
      required: ['event'],
      additionalProperties: false,
      properties: {
        event: { description: 'Its full name: <type>.<what happened>, or <module>.<name>.', type: 'string' },
        record: {
          description:
            'Default id: the event is of this record. A path of references from its record, or what refers to that.',
          anyOf: [
            { type: 'string', minLength: 1 },
            {
              type: 'object',
              required: ['of'],
              additionalProperties: false,
              properties: {
                of: { description: "The reference of this type to the event's record.", type: 'string' },
                filter: { description: 'Only records that meet this condition.', type: 'array' },
              },
            },
          ],
        },
      },
    },
  ],
};

export const guards = {
  description: 'What must hold for the record as it will be.',
  type: 'array',
  items: {
    anyOf: [
      {
        type: 'object',
        required: ['assert', 'message'],
        additionalProperties: false,
        properties: {
          assert: { type: 'string', minLength: 1 },
          message: { type: 'string', minLength: 1 },
          field: { $ref: '#/$defs/fieldName' },
        },
      },
      use,
    ],
  },
};
export const effects = {
  description: 'What happens beside, in this order: functions of modules, set, move, makes, emit, notify.',
  type: 'array',
  items: {
    anyOf: [
      use,
      ...Object.entries(sharedEffects).map(([name, { shape }]) => ({
        type: 'object',
        required: [name],
        additionalProperties: false,
        properties: { [name]: shape },
      })),
    ],
  },
};
