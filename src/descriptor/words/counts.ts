import { isForOwnerAlone } from '../owner_alone.ts';
import { RECORD_FIELDS } from '../check_context.ts';
import { referrer } from '../own_rows.ts';
import { humanise } from '../humanise.ts';
import { conditionFields } from '../key_condition.ts';
import { didYouMean } from '../source.ts';
import { defineWord } from './word.ts';
import type { Path } from './word.ts';
import type { Field, ReferrerCount, Screen } from '../types.ts';

declare module '../types.ts' {
  interface WrittenWords {
    /** Columns of the list with the number of records of another type that refer to a record. */
    counts?: Record<string, ReferrerCount>;
  }
  interface ScreenWords {
    /** Only columns of the list: the number of records of other types that refer to a record. */
    counts?: Field[];
  }
}

/** Whether a settings type lets clients take one of these fields of a type away. */
const mayLose = ({ overlay, fields }: Screen, type: string, names: readonly string[]): boolean =>
  overlay?.targets.some((target) => target.type === type && target.rows === null) === true &&
  fields.some(
    ({ name, options = [] }) => name === 'field' && options.some(({ value }) => names.includes(String(value))),
  );

export const counts = defineWord<Record<string, ReferrerCount>>({
  name: 'counts',
  on: 'screen',
  shape: {
    description:
      'Columns of the list with the number of records of another type that refer to it. Their names can be used in "grid", "card" and "sort".',
    type: 'object',
    minProperties: 1,
    maxProperties: 5,
    propertyNames: { pattern: '^[a-z][a-z0-9_]*$', maxLength: 40 },
    examples: [{ users: { of: 'users', by: 'companies.role_ids', filter: ['status', 'ne', 'disabled'] } }],
    additionalProperties: {
      type: 'object',
      required: ['of', 'by'],
      additionalProperties: false,
      properties: {
        title: {
          description: 'Heading of the column. Default: derived from the name.',
          type: 'string',
          minLength: 1,
          maxLength: 60,
        },
        of: { description: 'The type whose records are counted.', type: 'string' },
        by: { description: 'Their reference to this type; a column of child rows as rows.column.', type: 'string' },
        filter: {
          description: 'Only records that meet this condition.',
          type: 'array',
          minItems: 1,
          examples: [['status', 'ne', 'disabled']],
        },
      },
    },
  },
  compile: (written = {}) => {
    const counts = Object.entries(written).map(([name, { title: said, ...count }]): Field => ({
      name,
      type: 'integer',
      title: said ?? humanise(name),
      required: false,
      schema: {},
      secret: false,
      readOnly: true,
      count: { ...count, several: false },
    }));
    return counts.length > 0 ? { counts } : {};
  },
  // The type must refer to this one, through fields that every client has.
  check: (check) => {
    const { screen } = check;
    const taken = new Set([...check.names, ...RECORD_FIELDS]);
    for (const { name, count } of screen.counts ?? []) {
      const at: Path = ['counts', name];
      const { of, by, filter } = count!;
      if (taken.has(name)) check.report(at, `"${name}" is a field already.`, 'Give the count another name.');
      const other = check.type(of, [...at, 'of']);
      if (!other) continue;
      const field = referrer(other, by);
      if (!field)
        check.report(
          [...at, 'by'],
          `There is no field "${by}" of ${of}.`,
          didYouMean(
            by,
            other.fields.flatMap((one) => [one.name, ...(one.rows ?? []).map((inner) => `${one.name}.${inner.name}`)]),
          ),
        );
      else if (field.ref?.type !== screen.name)
        check.report(
          [...at, 'by'],
          `"${by}" of ${of} does not refer to ${screen.name}.`,
          `Choose a field with "x-ref": "${screen.name}".`,
        );
      if ((other.scope === 'platform') !== (screen.scope === 'platform'))
        check.report(
          [...at, 'of'],
          `"${of}" is not kept where ${screen.name} is.`,
          'Count records of the same client.',
        );
      if (isForOwnerAlone(other))
        check.report(
          [...at, 'of'],
          `Records of "${of}" are seen by their owners alone, so they cannot be counted.`,
          'Choose another type.',
        );
      const hint = 'Write for instance ["status", "ne", "closed"]; docs/descriptors.md lists the operators.';
      if (
        check.filter(filter, other, [...at, 'filter'], hint) &&
        filter !== undefined &&
        [...check.all.drafts.values()].some(({ screen: one }) => mayLose(one, of, conditionFields(filter)))
      )
        check.report(
          [...at, 'filter'],
          `Clients may take fields of "${of}" away.`,
          'Count all of them, or by other fields.',
        );
    }
  },
  link: ({ counts = [] }, screens) => {
    for (const { count } of counts) count!.several = referrer(screens.get(count!.of), count!.by)?.type === 'refs';
  },
  chapter: 'The list',
  doc: [
    '**`counts`**: columns with the number of records of another type that refer to a record. `of` is that type, `by` its',
    'reference to this one (`rows.column` for child rows); with `filter` only matching records count. Only active records',
    "count; of company records, those of the current company. The count does not depend on the reader's role. The names of",
    'counts may be used in `grid`, `card` and `sort`; counts cannot be entered, and forms do not show them.',
  ],
  example: [
    {
      name: 'role',
      part: {
        $schema: '../meta/screen.schema.json',
        title: 'Role',
        access: { screen: 'SCN_ROLE', module: 'SETTINGS', action: 'MANAGE_RIGHTS' },
        schema: {
          required: ['code', 'role_name'],
          properties: { code: { $ref: 'types#code', maxLength: 30 }, role_name: { $ref: 'types#name', maxLength: 60 } },
        },
        label: ['role_name', 'code'],
        counts: {
          users: { title: 'Users', of: 'users', by: 'companies.role_ids', filter: ['status', 'ne', 'disabled'] },
        },
        grid: ['code', 'role_name', 'users'],
      },
    },
  ],
});
