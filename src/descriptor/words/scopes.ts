import { didYouMean } from '../source.ts';
import { defineWord } from './word.ts';

/** The relations that define a role's narrow row scope; `all`: it is not narrowed. */
export interface Scopes {
  own?: string[];
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
    oneOf: [{ required: ['own'] }, { required: ['all'] }],
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
  },
  chapter: 'Steps and looks',
  doc: [
    "**`scopes`**: with `own`, the relations that make a record a person's own, for roles that show people only their own",
    'records: by a field of the record, or of a record that it refers to (`kit_id.holder_id`). Without it, a record belongs',
    'to the person who created it and the people it names. With `"all": true` the records belong to nobody, as those of a',
    'list that everybody works with: such roles show all of them.',
  ],
  example: [{ part: { relations: { writer: 'created_by' }, scopes: { own: ['writer'] } } }],
});
