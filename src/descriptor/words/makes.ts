import type { ScreenCheck } from '../check_context.ts';
import { humanise } from '../humanise.ts';
import { fieldType } from '../fieldtypes/registry.ts';
import type { MadeEach, MadeRows, Make } from '../makes.ts';
import { didYouMean } from '../source.ts';
import type { Field, Screen } from '../types.ts';
import { defineWord } from './word.ts';
import type { Path } from './word.ts';

interface WrittenRows {
  from: string;
  when?: string;
  set: Record<string, string>;
  settles?: Record<string, string>;
  limit?: Record<string, string>;
}

interface WrittenMake {
  to: string;
  title?: string;
  icon?: string;
  when?: string;
  once?: boolean;
  set?: Record<string, string>;
  rows?: Record<string, WrittenRows>;
  at?: string;
  cascade?: boolean;
  each?: string | MadeEach;
  run?: string;
}

declare module '../types.ts' {
  interface WrittenWords {
    /** The documents that can be created from a record, by name. */
    makes?: Record<string, WrittenMake>;
  }
  interface ScreenWords {
    makes?: Make[];
    /** Types from which this one is created. */
    madeOf?: { type: string; make: string }[];
  }
}

const expressions = {
  type: 'object',
  minProperties: 1,
  additionalProperties: { type: 'string', minLength: 1 },
};

export const makes = defineWord<Record<string, WrittenMake>>({
  name: 'makes',
  on: 'screen',
  shape: {
    description: 'Documents created from a record: the next document, filled from this one.',
    type: 'object',
    minProperties: 1,
    propertyNames: { pattern: '^[a-z][a-z0-9_]*$' },
    examples: [{ receive: { to: 'goods_receipt', title: 'Receive', set: { supplier_id: 'supplier_id' } } }],
    additionalProperties: {
      type: 'object',
      required: ['to'],
      additionalProperties: false,
      properties: {
        to: { description: 'The type of the new record.', type: 'string' },
        title: {
          description: 'Label of the button. Default: derived from the name.',
          type: 'string',
          minLength: 1,
          maxLength: 40,
        },
        icon: {
          description: 'Fluent icon name without size and style.',
          type: 'string',
          pattern: '^[A-Z][A-Za-z0-9]+$',
        },
        when: { description: 'Only from records that meet this condition.', type: 'string' },
        once: { description: 'A record has at most one that is not cancelled.', type: 'boolean' },
        set: { description: 'Fields of the new record, with expressions on this record.', ...expressions },
        at: {
          description: 'The transition of the new record from which its quantities count. Default: from its creation.',
          type: 'string',
        },
        each: {
          description:
            'One document for each of these rows, or for each record of a type: all missing ones are created at once.',
          anyOf: [
            { $ref: '#/$defs/fieldName' },
            {
              type: 'object',
              required: ['rows'],
              additionalProperties: false,
              properties: {
                rows: { $ref: '#/$defs/fieldName' },
                when: { description: 'Only rows that meet this condition.', type: 'string', minLength: 1 },
              },
            },
            {
              type: 'object',
              required: ['type'],
              additionalProperties: false,
              properties: {
                type: { type: 'string', minLength: 1 },
                filter: { description: 'Only records that meet this condition.', type: 'array' },
              },
            },
          ],
        },
        run: {
          description:
            'The function of a record action of the new record: it completes the values with which the form opens.',
          type: 'string',
          minLength: 1,
        },
        cascade: { description: 'This record may be cancelled even if records were created from it.', type: 'boolean' },
        rows: {
          description: 'For each rows field of the new record: which rows of this record become its rows.',
          type: 'object',
          minProperties: 1,
          additionalProperties: {
            type: 'object',
            required: ['from', 'set'],
            additionalProperties: false,
            properties: {
              from: { description: 'Rows field of this record.', $ref: '#/$defs/fieldName' },
              when: { description: 'Only rows that meet this condition.', type: 'string' },
              set: { description: "Columns of the new row, with expressions on this record's row.", ...expressions },
              settles: {
                description:
                  'Columns of this record that add up the used quantities, each with an expression on the created row.',
                ...expressions,
              },
              limit: {
                description: 'For a column of "settles", its limit: an expression on the row.',
                ...expressions,
              },
            },
          },
        },
      },
    },
  },
  compile: (written) => {
    if (!written) return {};
    return {
      makes: Object.entries(written).map(([name, { title, once, set, rows, cascade, each, ...rest }]): Make => ({
        name,
        title: title ?? humanise(name),
        ...rest,
        once: once === true,
        cascade: cascade === true,
        ...(each !== undefined && { each: typeof each === 'string' ? { rows: each } : each }),
        set: set ?? {},
        rows: Object.fromEntries(
          Object.entries(rows ?? {}).map(([field, one]): [string, MadeRows] => [
            field,
            { ...one, settles: one.settles ?? {}, limit: one.limit ?? {} },
          ]),
        ),
      })),
    };
  },
  link: (screen, screens) => {
    const madeOf = [...screens.values()].flatMap(({ name, makes: all = [] }) =>
      all.filter(({ to }) => to === screen.name).map((make) => ({ type: name, make: make.name })),
    );
    if (madeOf.length > 0) screen.madeOf = madeOf;
  },
  check: (check) => {
    for (const make of check.screen.makes ?? []) checkMake(check, make);
  },
  overlay: {
    needs: (screen, field) =>
      screen.makes?.some(({ set, rows }) =>
        [...Object.values(set), ...Object.values(rows).map(({ from }) => from)].some((text) =>
          text.split(/\W/).includes(field),
        ),
      )
        ? 'another document is made with it'
        : null,
  },
  chapter: 'Steps and looks',
  doc: [
    '**`makes`**: the documents that can be created from a record. The button opens a new record of `to`, filled by `set`',
    'and `rows`; nothing is stored until that record is saved. `when` limits the records from which it can be created,',
    '`once` allows at most one. The records are linked: each shows what it was created from and what was created from it.',
    '',
    'Under `rows`, rows `from` this record become rows of the new one. `settles` keeps, in a read-only column of this',
    'record, how much of a row has been used by the documents created from it: the value is updated when they change, and',
    "reduced when they are cancelled or deleted. It never goes below 0 or above the column's `limit`. With `at`, quantities",
    'count from that transition on.',
    '',
    'With `each`, one record is created for each row of a rows field (`"each": "actions"`, `{"rows": "actions", "when":',
    '"open"}`: in expressions of `set`, the columns of the row come before the fields of the record), or for each record of',
    'a type that the person may see (`{"type": "employee", "filter": ["status", "eq", "active"]}`: `each.id`,',
    '`each.branch_id`). The button shows what would be created before it creates all of it; when used again, it creates',
    'what is missing. As an effect it does the same as part of the transition. Cancelled records count as missing.',
    '',
    'With `run`, the function of a record action of `to`, that action completes the values with which the form opens.',
    '',
    'A record cannot be cancelled while a record created from it is in force, unless `cascade` allows it. A transition with',
    '`"auto": {"made": "goods_receipt"}` is taken automatically when one is created, with `"unmade"` when none is left.',
  ],
  example: [],
});

function checkMake(check: ScreenCheck, make: Make): void {
  const at: Path = ['makes', make.name];
  const target = check.type(make.to, [...at, 'to']);
  if (make.when !== undefined) check.serverExpression(make.when, [...at, 'when'], 'condition');
  if (!target) return;
  const { more, row } = checkEach(check, make, [...at, 'each']);
  for (const [name, text] of Object.entries(make.set)) {
    const field = target.fields.find((one) => one.name === name);
    if (!field)
      check.unknown(
        [...at, 'set', name],
        name,
        target.fields.map((one) => one.name),
        `${target.name}`,
      );
    else check.serverExpression(text, [...at, 'set', name], field, more, row);
    fitsReference(check, field, text, [...row, ...check.screen.fields], [...at, 'set', name]);
  }
  const runs = target.actions.filter(({ on }) => on === 'record').flatMap(({ run }) => run ?? []);
  if (make.run !== undefined && !runs.includes(make.run))
    check.report([...at, 'run'], `${target.title} has no action "${make.run}".`, didYouMean(make.run, runs));
  if (make.run !== undefined && make.each)
    check.report([...at, 'run'], '"each" opens no form to complete.', 'Leave "run" or "each" out.');
  const transitions = target.workflow?.transitions.map(({ name }) => name) ?? [];
  if (make.at !== undefined && !transitions.includes(make.at))
    check.report([...at, 'at'], `${target.title} has no transition "${make.at}".`, didYouMean(make.at, transitions));
  for (const [name, rows] of Object.entries(make.rows)) checkRows(check, target, name, rows, [...at, 'rows', name]);
}

/** The additional names for expressions, if one document is created for each row or record. */
function checkEach(check: ScreenCheck, { each, once, rows }: Make, at: Path): { more: string[]; row: Field[] } {
  if (!each) return { more: [], row: [] };
  if (once) check.report(at, 'Each has one document anyway.', 'Leave "once" out.');
  if ('type' in each) {
    const of = check.type(each.type, [...at, 'type']);
    if (of && each.filter) check.filter(each.filter, of, [...at, 'filter'], `Filter by fields of ${of.name}.`);
    return { more: ['each.id', ...(of?.fields ?? []).map(({ name }) => `each.${name}`)], row: [] };
  }
  const columns = check.field(each.rows)?.rows;
  if (!columns)
    check.report(at, `"${each.rows}" is not a field with child rows.`, didYouMean(each.rows, check.columns.keys()));
  const names = (columns ?? []).map(({ name }) => name);
  if (each.when !== undefined && columns)
    check.serverExpression(each.when, [...at, 'when'], 'condition', names, columns);
  for (const [name, made] of Object.entries(rows))
    if (made.from === each.rows)
      check.report(['makes', name], `"${each.rows}" is made one document a row.`, 'Take its columns over by "set".');
  return { more: names, row: columns ?? [] };
}

function checkRows(check: ScreenCheck, target: Screen, name: string, rows: MadeRows, at: Path): void {
  const into = target.fields.find((one) => one.name === name);
  const from = check.field(rows.from);
  if (!into?.rows) check.report(at, `${target.title} has no rows "${name}".`);
  if (!from?.rows) check.report([...at, 'from'], `"${rows.from}" is not a field with child rows.`);
  if (!into?.rows || !from?.rows) return;
  const names = from.rows.map((column) => column.name);
  for (const [column, text] of Object.entries(rows.set)) {
    const field = into.rows.find((one) => one.name === column);
    if (!field)
      check.unknown(
        [...at, 'set', column],
        column,
        into.rows.map((one) => one.name),
        `the rows of ${target.name}`,
      );
    check.serverExpression(text, [...at, 'set', column], field ?? 'condition', names, from.rows);
    fitsReference(check, field, text, [...from.rows, ...check.screen.fields], [...at, 'set', column]);
  }
  if (rows.when !== undefined) check.serverExpression(rows.when, [...at, 'when'], 'condition', names, from.rows);
  for (const column of Object.keys(rows.settles)) {
    const field = from.rows.find((one) => one.name === column);
    if (!field) check.unknown([...at, 'settles', column], column, names, `the rows of ${rows.from}`);
    else if (!field.readOnly || !fieldType(field.type).can.sum)
      check.report(
        [...at, 'settles', column],
        `"${column}" cannot add up what was taken.`,
        'It is a number that people only read: "readOnly": true.',
      );
  }
  for (const column of Object.keys(rows.limit))
    if (!(column in rows.settles)) check.report([...at, 'limit', column], `"${column}" settles nothing.`);
}

/** A reference is filled from a reference to the same type, or from the record itself. */
function fitsReference(check: ScreenCheck, into: Field | undefined, text: string, fields: Field[], at: Path): void {
  if (!into?.ref || !/^\w+$/.test(text)) return;
  const type = text === 'id' ? check.screen.name : fields.find((one) => one.name === text)?.ref?.type;
  if (type !== undefined && type !== into.ref.type)
    check.report(
      at,
      `"${text}" refers to ${type}, "${into.name}" to ${into.ref.type}.`,
      'Map references of the same type.',
    );
}
