import { checkOwner } from './owner.ts';
import { defineWord } from './word.ts';

declare module '../types.ts' {
  interface WrittenWords {
    /** References to a user or an employee, or created_by: whose a record is, for lists of one's own. Default: all of them. */
    mine?: string[];
  }
  interface ScreenWords {
    mine?: string[];
  }
}

export const mine = defineWord<string[]>({
  name: 'mine',
  on: 'screen',
  shape: {
    description:
      "References to a user or an employee, or created_by, that name the owner of a record: ?mine=1 lists the person's own records. Default: all of them.",
    $ref: '#/$defs/fieldNames',
    examples: [['assigned_to_id']],
  },
  check: (check) => check.screen.mine?.forEach((name, index) => checkOwner(check, name, ['mine', index], '"mine"')),
  overlay: {
    lay: ({ product: { mine }, changed }) => (mine ? { mine: mine.filter((name) => !changed.has(name)) } : {}),
  },
  chapter: 'Whose a record is',
  doc: [
    '**`mine`**: fields that say whose a record is: references to a user, an employee or a role (those who hold it), or `created_by`. A',
    "list's address with `?mine=1` shows the signed-in person's own, as the entries of My Zone do. Default:",
    'whoever made the record and all whom it names.',
  ],
  example: [{ part: { mine: ['created_by'] } }],
});
