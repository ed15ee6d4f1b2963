import { defineWord } from '../word.ts';
import type { FieldWord } from '../word.ts';
import type { JsonSchema } from '../../types.ts';

/** Words of a field that belong to JSON Schema: they validate values, nothing is compiled from them. */
const plain: { name: string; shape: JsonSchema }[] = [
  {
    name: '$ref',
    shape: {
      description: 'A field type of schemas/types.json; words beside it override it.',
      type: 'string',
      examples: [
        'types#code',
        'types#text',
        'types#name',
        'types#long_text',
        'types#rich_text',
        'types#markdown',
        'types#integer',
        'types#decimal',
        'types#money',
        'types#percent',
        'types#quantity',
        'types#date',
        'types#time',
        'types#datetime',
        'types#month',
        'types#financial_year',
        'types#boolean',
        'types#enum',
        'types#email',
        'types#phone',
        'types#url',
        'types#gstin',
        'types#pan',
        'types#ifsc',
        'types#mail_subject',
        'types#mail_event',
        'types#uqc',
        'types#pincode',
        'types#country',
        'types#state',
        'types#city',
        'types#geo',
        'types#colour',
        'types#image',
        'types#file',
        'types#signature',
        'types#rating',
        'types#duration',
        'types#tags',
        'types#json',
        'types#answers',
        'types#record',
        'types#ref',
        'types#refs',
      ],
    },
  },
  {
    name: 'type',
    shape: {
      description: 'JSON type, where no $ref gives it.',
      enum: ['string', 'integer', 'number', 'boolean', 'array', 'object'],
    },
  },
  {
    name: 'title',
    shape: { description: 'Label of the field. Default: derived from its name.', type: 'string', minLength: 1 },
  },
  { name: 'x-type', shape: { description: 'Name of the field type; types#… implies it.', type: 'string' } },
  { name: 'readOnly', shape: { description: 'true: shown, never entered.', type: 'boolean' } },
  { name: 'const', shape: { description: 'The only value.' } },
  {
    name: 'format',
    shape: { description: 'Format of JSON Schema.', type: 'string', examples: ['date', 'date-time', 'email', 'uri'] },
  },
  {
    name: 'contentMediaType',
    shape: {
      description: 'text/markdown: a formatted text is written and stored as Markdown.',
      enum: ['text/markdown'],
    },
  },
  { name: 'minLength', shape: { description: 'Minimum number of characters.', $ref: '#/$defs/count' } },
  { name: 'maxLength', shape: { description: 'Maximum number of characters.', $ref: '#/$defs/count' } },
  { name: 'minimum', shape: { description: 'Smallest value.', type: 'number' } },
  { name: 'maximum', shape: { description: 'Largest value.', type: 'number' } },
  { name: 'exclusiveMinimum', shape: { description: 'The value must be more than this.', type: 'number' } },
  { name: 'exclusiveMaximum', shape: { description: 'The value must be less than this.', type: 'number' } },
  {
    name: 'multipleOf',
    shape: { description: 'The value is a multiple of this.', type: 'number', exclusiveMinimum: 0 },
  },
  { name: 'minItems', shape: { description: 'Minimum number of entries.', $ref: '#/$defs/count' } },
  { name: 'maxItems', shape: { description: 'Maximum number of entries.', $ref: '#/$defs/count' } },
  { name: 'uniqueItems', shape: { description: 'true: duplicate entries are not allowed.', type: 'boolean' } },
  {
    name: 'properties',
    shape: {
      description: 'Parts of a value of type json.',
      type: 'object',
      additionalProperties: { $ref: '#/$defs/condition' },
    },
  },
  {
    name: 'required',
    shape: {
      description: 'A list of names. Required fields are listed beside "properties", not in the field.',
      $ref: '#/$defs/requiredNames',
    },
  },
  { name: 'additionalProperties', shape: { $ref: '#/$defs/condition' } },
  { name: 'examples', shape: { description: 'Example values.', type: 'array' } },
  { name: '$comment', shape: { description: 'A note for readers of the file.', type: 'string' } },
];

export const jsonSchemaWords: FieldWord[] = plain.map(({ name, shape }) =>
  defineWord({ name, on: 'field', shape, chapter: 'Types', doc: [] }),
);
