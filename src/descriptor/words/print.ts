import { checkPrints } from '../check_prints.ts';
import { humanise } from '../humanise.ts';
import type { Print, PrintBlock } from '../prints.ts';
import type { JsonSchema } from '../types.ts';
import { defineWord } from './word.ts';
import { addToLists } from './listed_types.ts';

type WrittenPrint = Partial<Omit<Print, 'name' | 'blocks'>> & { blocks?: PrintBlock[] };

declare module '../types.ts' {
  interface WrittenWords {
    /** The printed documents of a record, by name. */
    print?: Record<string, WrittenPrint>;
  }
  interface ScreenWords {
    prints?: Print[];
  }
}

const text: JsonSchema = { type: 'string', minLength: 1 };
const when = { description: 'Printed only if this condition is met.', ...text };

const block = (properties: Record<string, JsonSchema>): JsonSchema => ({
  type: 'object',
  required: [Object.keys(properties)[0]!],
  additionalProperties: false,
  properties: { ...properties, when },
});

const paths: JsonSchema = { type: 'array', items: text, minItems: 1 };

const blocks: JsonSchema = {
  type: 'array',
  minItems: 1,
  items: {
    anyOf: [
      block({
        letterhead: {
          description: 'Letterhead of the company (true), or of the branch that this path leads to.',
          anyOf: [{ const: true }, text],
        },
      }),
      block({ heading: { description: 'A line of large text, paths in braces.', ...text } }),
      block({
        box: { description: 'Fields with labels, in columns.', ...paths },
        in: { description: 'How many columns. Default 2.', enum: [1, 2, 3] },
      }),
      block({
        table: { description: 'Rows field, or a path to one behind references.', ...text },
        columns: { description: 'Columns of the rows, or paths from them.', ...paths },
        title: text,
        group: { description: 'A column: rows with the same value are grouped under it.', ...text },
        sum: { description: 'Columns that are added up, per group and in total.', ...paths },
        total: { description: 'No grand totals, for instance if only one of the groups applies.', const: false },
        rows: { description: 'Only rows that meet this condition.', ...text },
        distinct: { description: 'Rows with the same printed values appear once.', const: true },
      }),
      block({ words: { description: 'An amount in words: an expression.', ...text } }),
      block({
        text: { description: 'A paragraph, paths in braces: "Dear {contact_id.name}".', ...text },
        bold: { type: 'boolean' },
        align: { enum: ['left', 'right', 'center'] },
      }),
      block({ terms: { description: 'The clauses for this kind of document.', ...text }, title: text }),
      block({
        image: { description: 'A picture.', ...text },
        width: { description: 'Width in points; A4 has 515. Default 180.', type: 'integer', minimum: 20, maximum: 760 },
      }),
      block({
        sign: {
          description:
            'Signature lines: who signs, or, with `name` and `image`, who has signed. `under` are lines such as "Place:".',
          type: 'array',
          minItems: 1,
          maxItems: 3,
          items: {
            anyOf: [
              text,
              {
                type: 'object',
                required: ['title'],
                additionalProperties: false,
                properties: { title: text, name: text, image: text, under: { ...paths, maxItems: 5 } },
              },
            ],
          },
        },
      }),
      block({ qr: { description: 'The content of the QR code: an expression.', ...text }, note: text }),
      block({
        columns: {
          description: 'Blocks side by side.',
          type: 'array',
          minItems: 2,
          maxItems: 3,
          items: { type: 'array', minItems: 1, items: { $ref: '#/$defs/printBlock' } },
        },
      }),
      block({ break: { description: 'The next block starts on a new page.', const: true } }),
    ],
  },
};

export const print = defineWord<Record<string, WrittenPrint>>({
  name: 'print',
  on: 'screen',
  definitions: { printBlock: (blocks.items as JsonSchema) ?? {} },
  shape: {
    description: 'The printed documents of a record, by name, each made of blocks.',
    type: 'object',
    minProperties: 1,
    propertyNames: { pattern: '^[a-z][a-z0-9_]*$' },
    examples: [{ letter: { blocks: [{ letterhead: true }, { box: ['code', 'name'] }] } }],
    additionalProperties: {
      type: 'object',
      oneOf: [{ required: ['blocks'] }, { required: ['like'] }],
      additionalProperties: false,
      properties: {
        title: {
          description: 'Its title. Default: derived from the name.',
          type: 'string',
          minLength: 1,
          maxLength: 60,
        },
        paper: { enum: ['A4', 'A5', 'A6'] },
        landscape: { type: 'boolean' },
        when: { description: 'Printed only for records that meet this condition.', ...text },
        watermark: {
          description: 'Watermark on the pages, by state: {"draft": "DRAFT"}.',
          type: 'object',
          minProperties: 1,
          additionalProperties: { type: 'string', minLength: 1, maxLength: 20 },
        },
        copies: {
          description:
            'One file contains these copies, each with its mark: ["Original for recipient", "Duplicate"]. A copy with `when` is printed only if its condition is true.',
          type: 'array',
          minItems: 1,
          maxItems: 5,
          uniqueItems: true,
          items: {
            anyOf: [
              { type: 'string', minLength: 1, maxLength: 60 },
              {
                type: 'object',
                required: ['mark', 'when'],
                additionalProperties: false,
                properties: { mark: { type: 'string', minLength: 1, maxLength: 60 }, when: text },
              },
            ],
          },
        },
        enclose: {
          description: 'Documents that follow in the same file. What is missing is listed with them.',
          type: 'array',
          minItems: 1,
          maxItems: 20,
          items: {
            anyOf: [
              {
                type: 'object',
                required: ['title', 'of', 'by'],
                additionalProperties: false,
                properties: {
                  title: text,
                  of: text,
                  by: text,
                  filter: { type: 'array' },
                  sort: text,
                  via: text,
                  file: text,
                  print: text,
                },
              },
              {
                type: 'object',
                required: ['rows', 'file', 'title'],
                additionalProperties: false,
                properties: { rows: text, file: text, title: text, when: text, needs: paths },
              },
            ],
          },
        },
        like: { description: 'Another print of the record, whose blocks, paper and watermark are used.', ...text },
        blocks,
      },
    },
  },
  compile: (written) =>
    written
      ? {
          prints: Object.entries(written).map(([name, one]): Print => {
            const { blocks, paper, landscape, watermark } = written[one.like ?? name] ?? one;
            return {
              ...one,
              name,
              title: one.title ?? humanise(name),
              paper: one.paper ?? paper ?? 'A4',
              landscape: (one.landscape ?? landscape) === true,
              watermark: one.watermark ?? watermark ?? {},
              blocks: blocks ?? [],
            };
          }),
        }
      : {},
  // Lists of prints ("x-values") include every document that clients may design.
  join: ({ name, title, scope, prints = [] }, screens) => {
    if (scope === 'platform' || prints.length === 0) return;
    addToLists(
      screens,
      'printedDocuments',
      prints.map((one) => ({ value: `${name}.${one.name}`, label: `${title}: ${one.title}` })),
    );
  },
  check: checkPrints,
  overlay: {
    needs: (screen, field) =>
      (screen.prints ?? []).some((one) => JSON.stringify(one.blocks).split(/\W/).includes(field))
        ? 'it is printed'
        : null,
  },
  chapter: 'Steps and looks',
  doc: [
    '**`print`**: the printed forms of a record, by name. A print consists of `blocks`, one below the other; each may have',
    'a condition `when`. A path names a field, follows up to three references (`customer_id.gstin`), or begins with',
    '`company`. `letterhead` is the letterhead of the company, or of a branch; `heading` and `text` are texts with paths in',
    'braces; `box` shows fields with names and units; `table` shows rows, also those of a record that is referred to',
    '(`customer_id.gst_registrations`), and repeats its header on every page, `group` groups rows with the same value, `sum`',
    'adds up columns (`"total": false`: per group only), `distinct` prints equal rows once; `words` is an amount in words;',
    '`terms` prints the clauses for this kind of document; `sign` prints signature lines with their texts (`under`: further',
    'lines; one that ends in a colon is left open to be filled in by hand), `qr` a code, `columns` blocks side by side, and',
    '`break` starts a page.',
    '',
    'The record page offers each print as a PDF, with the rights of the person who prints. `watermark` is printed across',
    'the page, by state. With `copies` (`["Original for recipient", "Duplicate for supplier"]`) one file contains all',
    'copies, each marked at the top; a copy `{"mark": …, "when": …}` is printed only if its condition is true. `like` names',
    "another print of the record and uses its blocks, including the client's design of them: for office copies of a",
    'document that is sent. A transition with the effect `{"print": {"name": "letter", "keep": true}}` stores the file, so',
    'an issued document stays unchanged whatever changes later. The effect `mail` sends it: `{"mail": {"to":',
    '"customer_id.email", "subject": "Quotation {quotation_no}", "text": "Please find it attached.", "attach":',
    '["letter"]}}`.',
    '',
    '`enclose` puts other documents behind the print, in the same PDF: `{"title": "Agreement", "of": "contract", "by":',
    '"lift_id", "filter": […], "sort": "-start_on", "file": "signed_copy", "print": "agreement"}` is the file, or else the',
    'print, of the first record that refers to this one and that the person may see (`via` leads to another record);',
    '`{"rows": "papers", "file": "file", "title": "kind", "when": "to_authority", "needs": ["insurance"]}` are the files in',
    'rows, PDFs and pictures. Under the blocks all enclosed documents are listed, and what is missing, with the reason. Such',
    'a print is made anew each time and not stored.',
    '',
    'Administrators change blocks and paper for their client, or for one company, under Print designs: a design starts from',
    'the blocks that ship, can be tried on a record, and takes effect when it is put in use. Documents issued before stay',
    'unchanged.',
  ],
  example: [
    {
      part: {
        print: {
          slip: {
            title: 'Order slip',
            blocks: [{ letterhead: true }, { heading: 'Order' }, { box: ['id', 'created_at'] }, { sign: ['For us'] }],
          },
        },
      },
    },
  ],
});
