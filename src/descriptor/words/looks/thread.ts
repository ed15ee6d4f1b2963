import type { Field } from '../../types.ts';
import { defineLook } from './look.ts';

interface Thread {
  posts: string;
  kinds?: string;
  /** Columns of the posts: the text, the time and the author. */
  text: string;
  at?: string;
  by?: string;
  /** The transition that adds a post; its first question is the text. */
  step?: string;
  /** The column that is true for messages from the other party. */
  other?: string;
}

declare module '../../types.ts' {
  interface WrittenLooks {
    /** The rows of a record as a conversation. */
    thread?: { posts: string; kinds?: string; step?: string; other?: string };
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
    description: 'The child rows of a record as a conversation, with a box for the next one.',
    type: 'object',
    required: ['posts'],
    additionalProperties: false,
    examples: [{ posts: 'activities', kinds: 'kind' }],
    properties: {
      posts: { description: 'The field with the rows.', $ref: '#/$defs/fieldName' },
      kinds: { description: 'The column with the kind of each row.', $ref: '#/$defs/fieldName' },
      step: { description: 'The transition that adds the next one; its first question is the text.', type: 'string' },
      other: { description: 'The column that is true for messages from the other party.', $ref: '#/$defs/fieldName' },
    },
  },
  compile: ({ posts, kinds, step, other }, { fields }) => {
    const rows = fields.find(({ name }) => name === posts)?.rows ?? [];
    const at = first(rows, ['datetime']) ?? first(rows, ['date']);
    const text = first(rows, ['long_text']) ?? first(rows, ['text']) ?? '';
    const by =
      rows.find(({ ref }) => ref?.type === 'users' || ref?.type === 'employee')?.name ??
      // A post added by a transition may have its author as text.
      (step === undefined
        ? undefined
        : first(
            rows.filter(({ name }) => name !== text),
            ['text', 'name'],
          ));
    return {
      posts,
      ...(kinds !== undefined && { kinds }),
      ...(step !== undefined && { step }),
      ...(other !== undefined && { other }),
      text,
      ...(at !== undefined && { at }),
      ...(by !== undefined && { by }),
    };
  },
  check: ({ posts, kinds, text, at, by, step, other }, check) => {
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
    if (other !== undefined && columns.get(other)?.type !== 'boolean')
      check.report(
        [...path, 'other'],
        `"${posts}" has no column "${other}" that is yes or no.`,
        'Choose a column of the type boolean.',
      );
    const way = check.screen.workflow?.transitions.find(({ name }) => name === step);
    if (step !== undefined && way?.ask[0] === undefined)
      check.report(
        [...path, 'step'],
        `There is no transition "${step}" that asks for a text.`,
        'Name a transition whose "ask" begins with the field of the text.',
      );
    if (text === '')
      check.report([...path, 'posts'], 'Its rows have no text.', 'Add a column of the type text or long_text.');
    if (step !== undefined) return;
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
    '**`thread`**: the rows of the field `posts` as a conversation, beside the list, with a box for the next row. `kinds`',
    'is the column with the kind of each row. The text is the first column of the type long_text (or text); the first date',
    'or time column is filled with the current time, the first reference to a user or employee with the author. With `step`',
    'the box takes that transition, whose first question is the text, instead of adding a row; `other` is the column that',
    'is true for messages from the other party, which are shown on the opposite side.',
  ],
});
