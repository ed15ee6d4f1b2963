import type { ScreenCheck } from '../check_context.ts';
import type { Relation } from '../workflow.ts';
import { ROLE_TYPE, isMember, isPerson } from '../serves_people.ts';
import { didYouMean } from '../source.ts';
import { defineWord } from './word.ts';
import type { Path } from './word.ts';

type WrittenRelation =
  | string
  | { above: string; levels?: number; when?: string }
  | { path: string; when?: string }
  | { did: string; when?: string };

declare module '../types.ts' {
  interface WrittenWords {
    /** The relations of people to a record, by name. */
    relations?: Record<string, WrittenRelation>;
  }
  interface ScreenWords {
    relations?: Record<string, Relation>;
  }
}

const condition = { when: { description: 'Only for records that meet this condition.', type: 'string' } };

export const relations = defineWord<Record<string, WrittenRelation>>({
  name: 'relations',
  on: 'screen',
  shape: {
    description: 'Relations of people to a record: names for people that the record refers to.',
    type: 'object',
    minProperties: 1,
    propertyNames: { pattern: '^[a-z][a-z0-9_]*$' },
    examples: [{ owner: 'sales_person_id', manager: { above: 'sales_person_id' } }],
    additionalProperties: {
      anyOf: [
        { type: 'string', minLength: 1 },
        {
          type: 'object',
          required: ['above'],
          additionalProperties: false,
          properties: {
            above: { description: 'The superiors of this member of staff.', type: 'string' },
            levels: { description: 'Maximum number of levels.', type: 'integer', minimum: 1 },
            ...condition,
          },
        },
        {
          type: 'object',
          required: ['path'],
          additionalProperties: false,
          properties: { path: { description: 'References that lead to a person.', type: 'string' }, ...condition },
        },
        {
          type: 'object',
          required: ['did'],
          additionalProperties: false,
          properties: {
            did: { description: 'The person who last took this transition.', type: 'string' },
            ...condition,
          },
        },
      ],
    },
  },
  compile: (written) =>
    written
      ? {
          relations: Object.fromEntries(
            Object.entries(written).map(([name, one]): [string, Relation] => [name, relationOf(name, one)]),
          ),
        }
      : {},
  check: (check) => {
    for (const [name, relation] of Object.entries(check.screen.relations ?? {})) {
      const at: Path = ['relations', name];
      if (relation.when !== undefined) check.expression(relation.when, [...at, 'when'], 'condition');
      if (relation.did === undefined) checkPath(check, relation, at);
      else {
        const known = (check.screen.workflow?.transitions ?? []).map((one) => one.name);
        if (!known.includes(relation.did))
          check.report(at, `There is no transition "${relation.did}".`, didYouMean(relation.did, known));
      }
    }
  },
  overlay: {
    needs: (screen, field) =>
      Object.values(screen.relations ?? {}).some(({ path }) => path[0] === field)
        ? 'it says whose the record is'
        : null,
  },
  chapter: 'Steps and looks',
  doc: [
    '**`relations`**: the relation of people to a record, each under a name you choose. A reference to a person is enough:',
    '`"owner": "sales_person_id"`; a reference to a role means everybody who holds it in the company of the record. `above`',
    'means the superiors of that person in the company, up to `levels` levels; `path` follows up to three references',
    '(`route_id.lead_id`); `did` is the person who last took that transition. `when` restricts a relation to some records.',
    '`requester` always exists: it is the person who created the record.',
  ],
  example: [
    {
      part: {
        relations: { writer: 'created_by', last: 'updated_by' },
      },
    },
  ],
});

function relationOf(name: string, written: WrittenRelation): Relation {
  if (typeof written === 'string') return { name, path: written.split('.') };
  const when = written.when === undefined ? {} : { when: written.when };
  if ('did' in written) return { name, path: [], did: written.did, ...when };
  if ('above' in written)
    return { name, path: written.above.split('.'), above: { levels: written.levels ?? null }, ...when };
  return { name, path: written.path.split('.'), ...when };
}

const STAMPS = new Set(['created_by', 'updated_by']);
/** The maximum number of references in a path. */
const LONGEST = 4;

/** Each name in the path is a reference of the type at that point, and the last one refers to a person. */
function checkPath(check: ScreenCheck, { path, above }: Relation, at: Path): void {
  if (path.length > LONGEST)
    check.report(at, `"${path.join('.')}" follows more than three references.`, 'Begin nearer to the person.');
  let screen = check.screen;
  for (const [step, name] of path.entries()) {
    if (STAMPS.has(name) && step === path.length - 1) return;
    const field = screen.fields.find((one) => one.name === name);
    if (!field?.ref) {
      const known = screen.fields.filter((one) => one.ref).map((one) => one.name);
      check.report(at, `"${name}" is not a reference of ${screen.name}.`, didYouMean(name, [...known, ...STAMPS]));
      return;
    }
    const next = check.all.drafts.get(field.ref.type)?.screen;
    if (!next) return;
    screen = next;
  }
  // Everybody who holds a role that the record refers to.
  if (screen.name === ROLE_TYPE && above === undefined) return;
  if (!isPerson(screen) || (above !== undefined && !isMember(screen)))
    check.report(
      at,
      above === undefined
        ? `"${path.join('.')}" leads to ${screen.plural.toLowerCase()}, which are no people.`
        : `"${path.join('.')}" does not lead to a member of staff, above whom somebody could be.`,
      'Name a reference to a user, to an employee or to a role.',
    );
}
