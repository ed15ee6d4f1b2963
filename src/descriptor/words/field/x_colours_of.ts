import { defineWord } from '../word.ts';

declare module '../../types.ts' {
  interface FieldWords {
    /** The rows of another type that give the colours of values: the column with the value, and that with its colour. */
    coloursOf?: { type: string; rows: string; value: string; colour: string };
  }
}

export const xColoursOf = defineWord<{ rows: string; value: string; colour: string }>({
  name: 'x-colours-of',
  on: 'field',
  shape: {
    description:
      'For a text that names a row of another type, such as a band: the column with that text, and the column with its colour.',
    type: 'object',
    required: ['rows', 'value', 'colour'],
    additionalProperties: false,
    properties: {
      rows: { type: 'string', pattern: '^[a-z][a-z0-9_]*\\.[a-z][a-z0-9_]*$' },
      value: { $ref: '#/$defs/fieldName' },
      colour: { $ref: '#/$defs/fieldName' },
    },
    examples: [{ rows: 'price_list.bands', value: 'label', colour: 'colour' }],
  },
  compile: (written, { field, source, at, known }) => {
    if (written === undefined) return;
    const { rows, value, colour } = written;
    const [type = '', table = ''] = rows.split('.');
    if (field.type === 'text') field.coloursOf = { type, rows: table, value, colour };
    else if (known)
      source.report(
        [...at, 'x-colours-of'],
        `"${field.name}" is of type ${field.type}.`,
        'Only a text names a row; a list of values has "x-colours".',
      );
  },
  check: (field, { check, at }) => {
    if (!field.coloursOf) return;
    const { type, rows, value, colour } = field.coloursOf;
    const path = [...at, 'x-colours-of'];
    const other = check.type(type, [...path, 'rows']);
    if (!other) return;
    const table = other.fields.find(({ name }) => name === rows)?.rows;
    if (!table) {
      check.report([...path, 'rows'], `"${rows}" is no table of rows of "${type}".`, 'Name a field with child rows.');
      return;
    }
    for (const [word, name, kind] of [
      ['value', value, 'text'],
      ['colour', colour, 'colour'],
    ] as const)
      if (table.find((column) => column.name === name)?.type !== kind)
        check.report(
          [...path, word],
          `"${name}" of ${type}.${rows} is no ${kind === 'text' ? 'text' : 'colour'}.`,
          `Name a column of type ${kind}.`,
        );
  },
  chapter: 'Lists of values',
  doc: [
    '**`x-colours-of`**, for a text that names a row of another type, such as a rating band, says where its colour is:',
    '`{ "rows": "performance_rating.bands", "value": "label", "colour": "color" }`. Charts draw the bars and series of these',
    'texts in these colours, as long as each has one and no two of a chart have the same.',
  ],
});
