import { fieldType } from '../fieldtypes/registry.ts';
import { didYouMean } from '../source.ts';
import { placeholders, statementOf, viewProblems } from '../view_sql.ts';
import type { ScreenCheck } from '../check_context.ts';
import { defineWord } from './word.ts';

declare module '../types.ts' {
  interface WrittenWords {
    /** For a view: the record types that its statement reads, with the fields it needs from each. */
    reads?: Record<string, string[]>;
  }
  interface ScreenWords {
    reads?: Record<string, string[]>;
    /** For a view: the statement in the file beside it. */
    sql?: string;
  }
}

/** Words for stored records, which a view does not have. */
const OF_STORED_RECORDS = [
  'approval',
  'bands',
  'clocks',
  'counts',
  'due',
  'fills',
  'form',
  'hierarchy',
  'index',
  'library',
  'looks',
  'makes',
  'mine',
  'number',
  'overlay',
  'part',
  'personal',
  'print',
  'relations',
  'rules',
  'scopes',
  'serves',
  'tree',
  'unique',
  'valid',
  'workflow',
] as const;

/** The types and fields that a view reads must exist and must not be secret. */
function checkReads(check: ScreenCheck, type: string, names: readonly string[]): void {
  const { screen } = check;
  const other = check.all.drafts.get(type)?.screen;
  if (!other)
    return check.report(
      ['reads', type],
      `There is no record type "${type}".`,
      didYouMean(type, check.all.drafts.keys()),
    );
  if (
    (other.scope === 'platform') !== (screen.scope === 'platform') ||
    (other.scope === 'entity' && screen.scope === 'tenant')
  )
    check.report(
      ['reads', type],
      `Records of "${type}" belong to ${other.scope === 'platform' ? 'the platform' : 'a company'}, those of the view do not.`,
      `Write "scope": "${other.scope}".`,
    );
  if (other.sql !== undefined) check.report(['reads', type], `"${type}" is a view itself.`, 'Read what it reads.');
  const known = new Map(other.fields.map((field) => [field.name, field]));
  names.forEach((name, at) => {
    const field = known.get(name);
    if (!field && name !== other.workflow?.field)
      check.report(['reads', type, at], `${other.title} has no field "${name}".`, didYouMean(name, known.keys()));
    if (field?.secret || field?.masked)
      check.report(['reads', type, at], `"${name}" is secret.`, 'Read another field.');
    if (field?.part)
      check.report(
        ['reads', type, at],
        `The rows of "${name}" are records of their own.`,
        `Read "${field.part.type}" as a type.`,
      );
  });
}

export const reads = defineWord<Record<string, string[]>>({
  name: 'reads',
  on: 'screen',
  shape: {
    description: 'For a view: the record types that its statement reads, with the fields it needs from each.',
    type: 'object',
    minProperties: 1,
    additionalProperties: { type: 'array', minItems: 1, items: { $ref: '#/$defs/fieldName' } },
    examples: [{ contract: ['customer_id', 'end_on', 'lines'] }],
  },
  after: ['kind'],
  compile: (written, { screen, file }) =>
    screen.kind === 'view' ? { reads: written ?? {}, sql: statementOf(file.sql ?? '') } : {},
  check: (check) => {
    const { screen, descriptor } = check;
    const written = descriptor as unknown as Record<string, unknown>;
    if (screen.kind !== 'view') {
      for (const word of ['reads', 'subject', 'parameters'])
        if (written[word] !== undefined)
          check.report([word], `Only a view has "${word}".`, 'Write "kind": "view", or leave it out.');
      return;
    }
    for (const word of OF_STORED_RECORDS)
      if (written[word] !== undefined)
        check.report([word], `A view stores nothing: it has no "${word}".`, 'Leave it out.');
    screen.actions.forEach(({ to }, index) => {
      if (to === undefined)
        check.report(
          ['actions', index],
          'A view stores nothing that an action could change.',
          'Write an address: "to".',
        );
    });
    for (const field of screen.fields)
      if (field.rows || field.secret || !fieldType(field.type).can.cell)
        check.report(['schema', 'properties', field.name], `A row of a view has no ${field.type}.`, 'Leave it out.');
    for (const [type, names] of Object.entries(screen.reads!)) checkReads(check, type, names);
    if (descriptor.reads === undefined)
      check.report(['reads'], 'It is not said what the view reads.', 'Write "reads": { "contract": ["end_on"] }.');
    for (const problem of viewProblems(screen, check.all.drafts)) check.report([], problem.message, problem.hint);
    const named = new Set(placeholders(screen.sql!).flatMap(({ type }) => type ?? []));
    for (const type of Object.keys(screen.reads!))
      if (!named.has(type))
        check.report(['reads', type], `The statement does not read "${type}".`, `Write {${type}}, or leave it out.`);
  },
  overlay: {},
  chapter: 'What it is',
  doc: [
    '**`reads`**, **`subject`**, **`parameters`** belong to `"kind": "view"`, a list that an SQL statement in `<name>.sql`',
    'beside the descriptor derives from other records. [Views](#views) explains them.',
  ],
});
