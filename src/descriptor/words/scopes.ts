import { didYouMean } from '../source.ts';
import { PEOPLE } from '../check_context.ts';
import type { ScreenCheck } from '../check_context.ts';
import type { Field } from '../types.ts';
import { defineWord } from './word.ts';

/** Records of another type that list what a record refers to, and the people who lead them. */
export interface GroupOf {
  /** A reference of the record, or of a record that it refers to. */
  by: string;
  /** The type of the groups, and its list of such references. */
  in: string;
  /** The fields of the group that name its leaders. */
  people: string[];
}

/** The relations that define a role's narrow row scope; `all`: it is not narrowed. */
export interface Scopes {
  own?: string[];
  group?: GroupOf;
  all?: true;
}

declare module '../types.ts' {
  interface WrittenWords {
    /** Which records are a person's own, for roles that show only own records. */
    scopes?: Scopes;
  }
  interface ScreenWords {
    scopes?: Scopes;
  }
}

export const scopes = defineWord<Scopes>({
  name: 'scopes',
  on: 'screen',
  after: ['relations'],
  shape: {
    description: "Which records are a person's own, for roles that show only own records.",
    type: 'object',
    additionalProperties: false,
    examples: [{ own: ['owner'] }],
    minProperties: 1,
    dependentSchemas: { all: { maxProperties: 1 } },
    properties: {
      all: {
        description: 'The records belong to nobody: roles that show only own records show all of them.',
        const: true,
      },
      own: {
        description: 'Relations, each to people named by a field of the record, or of a record that it refers to.',
        type: 'array',
        items: { type: 'string' },
        minItems: 1,
        uniqueItems: true,
      },
      group: {
        description: "Records of a group are also its leaders' own.",
        type: 'object',
        additionalProperties: false,
        required: ['by', 'in', 'people'],
        properties: {
          by: { description: 'A reference of the record, or of a record that it refers to.', type: 'string' },
          in: {
            description: 'The type of the groups and its field that lists such references: `route_group.route_ids`.',
            type: 'string',
            pattern: '^[a-z][a-z0-9_]*\\.[a-z][a-z0-9_]*$',
          },
          people: {
            description: 'The fields of the group that name its leaders.',
            type: 'array',
            items: { type: 'string' },
            minItems: 1,
            uniqueItems: true,
          },
        },
      },
    },
  },
  check: (check) => {
    const { scopes: written, relations = {} } = check.screen;
    written?.own?.forEach((name, at) => {
      const relation = relations[name];
      if (!relation)
        check.report(
          ['scopes', 'own', at],
          `There is no relation "${name}".`,
          didYouMean(name, Object.keys(relations)),
        );
      else if (relation.path.length > 2 || relation.above || relation.did !== undefined || relation.when !== undefined)
        check.report(
          ['scopes', 'own', at],
          `"${name}" is not a field that names people, of the record or of one that it refers to.`,
        );
    });
    if (written?.group) checkGroup(check, written.group);
  },
  overlay: {
    needs: ({ scopes: { group } = {} }, field) =>
      group?.by.split('.')[0] === field ? 'it says to which group the record belongs' : null,
  },
  chapter: 'Steps and looks',
  doc: [
    "**`scopes`**: with `own`, the relations that make a record a person's own, for roles that show people only their own",
    'records: by a field of the record, or of a record that it refers to (`kit_id.holder_id`). Without it, a record belongs',
    'to the person who created it and the people it names. With `"all": true` the records belong to nobody, as those of a',
    'list that everybody works with: such roles show all of them. With `group`, records are also the own of people who lead a',
    'group: `in` is the list of another type that has what the field `by` refers to, and `people` are the fields there that',
    'name the leaders, for instance `{ "by": "route_id", "in": "route_group.route_ids", "people": ["supervisor_id"] }`.',
    'Groups that are not active do not count. A dashboard can show a role only the records of these groups.',
  ],
  example: [{ part: { relations: { writer: 'created_by' }, scopes: { own: ['writer'] } } }],
});

/** `by` leads to what the groups list, and the leaders are people. */
function checkGroup(check: ScreenCheck, { by, in: listed, people }: GroupOf): void {
  const at = ['scopes', 'group'];
  const fieldsOf = (type: string) => check.all.drafts.get(type)?.screen.fields ?? [];
  const [first = '', second, ...more] = by.split('.');
  let reference: Field | undefined = check.screen.fields.find(({ name }) => name === first);
  if (second !== undefined) reference = fieldsOf(reference?.ref?.type ?? '').find(({ name }) => name === second);
  if (reference?.type !== 'ref' || more.length > 0)
    return check.report([...at, 'by'], `"${by}" is not a reference of the record or of one that it refers to.`);
  const [type = '', list = ''] = listed.split('.');
  if (!check.all.drafts.has(type))
    return check.report([...at, 'in'], `There is no record type "${type}".`, didYouMean(type, check.all.drafts.keys()));
  const fields = fieldsOf(type);
  const lists = fields.find(({ name }) => name === list);
  if (lists?.type !== 'refs' || lists.ref?.type !== reference.ref?.type)
    check.report([...at, 'in'], `"${list}" of ${type} does not list what "${by}" refers to.`);
  for (const [index, name] of people.entries())
    if (!PEOPLE.has(fields.find((field) => field.name === name)?.ref?.type ?? ''))
      check.report([...at, 'people', index], `"${name}" of ${type} names no people.`);
}
