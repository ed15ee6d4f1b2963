import type { Field } from '../../types.ts';
import { defineLook } from './look.ts';

interface Thread {
  posts: string;
  kinds?: string;
  /** Columns of the posts: what is said, when and by whom. */
  text: string;
  at?: string;
  by?: string;
}

declare module '../../types.ts' {
  interface WrittenLooks {
    /** The rows of a record as a conversation. */
    thread?: { posts: string; kinds?: string };
  }
  interface ScreenLooks {
    thread?: Thread;
  }
}

const first = (rows: Field[], types: readonly string[]): string | undefined =>
  rows.find((column) => types.includes(column.type) && !column.secret)?.name;

export const thread = defineLook<'thread'>({
  name: 'thread',
  shape: {
    description: 'The child rows of a record as a conversation, with a box to write the next one in.',
    type: 'object',
    required: ['posts'],
    additionalProperties: false,
    examples: [{ posts: 'activities', kinds: 'kind' }],
    properties: {
      posts: { description: 'The field with the rows.', $ref: '#/$defs/fieldName' },
      kinds: { description: 'The column with the kind of each.', $ref: '#/$defs/fieldName' },
    },
  },
  compile: ({ posts, kinds }, { fields }) => {
    const rows = fields.find(({ name }) => name === posts)?.rows ?? [];
    const at = first(rows, ['datetime']) ?? first(rows, ['date']);
    const by = rows.find(({ ref }) => ref?.type === 'users' || ref?.type === 'employee')?.name;
    return {
      posts,
      ...(kinds !== undefined && { kinds }),
      text: first(rows, ['long_text']) ?? first(rows, ['text']) ?? '',
      ...(at !== undefined && { at }),
      ...(by !== undefined && { by }),
    };
  },
  check: ({ posts, kinds, text, at, by }, check) => {
    const path = ['looks', 'thread'];
    const field = check.field(posts);
    if (!field) {
      check.unknown([...path, 'posts'], posts, check.names, '"looks.thread"');
      return;
    }
    if (!field.rows || field.part || field.saveBy) {
      check.report(
        [...path, 'posts'],
        `"${posts}" has no rows that are saved with the record.`,
        'Choose a field with "items", without "x-part" and "x-save".',
      );
      return;
    }
    const columns = new Map(field.rows.map((column) => [column.name, column]));
    if (kinds !== undefined && columns.get(kinds)?.type !== 'enum')
      check.report(
        [...path, 'kinds'],
        `"${posts}" has no column "${kinds}" that is one of a list.`,
        'Choose a column with "enum".',
      );
    if (text === '')
      check.report([...path, 'posts'], 'Its rows have no text.', 'Add a column of the type text or long_text.');
    for (const { name, required, ...column } of field.rows)
      if (required && column.default === undefined && ![kinds, text, at, by].includes(name))
        check.report(
          [...path, 'posts'],
          `The column "${name}" must be filled, and the box does not ask it.`,
          'Give it a "default", or leave this look out.',
        );
  },
  needs: ({ posts }, field) => (posts === field ? 'the conversation is in it' : null),
  doc: [
    '**`thread`**: the rows of the field `posts` as a conversation, the list beside it, with a box to write the next row.',
    '`kinds` is the column that says of what kind each is. The text is the first column of the type long_text (or text); the',
    'first moment or day among the columns is filled with now, the first reference to a user or employee with the writer.',
  ],
});
