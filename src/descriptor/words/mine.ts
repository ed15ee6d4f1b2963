import { checkOwner } from './owner.ts';
import { defineWord } from './word.ts';

declare module '../types.ts' {
  interface WrittenWords {
    /**
     * References to a user or an employee, or created_by, that define ownership, for lists of one's own records.
     * Default: all of them.
     */
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
  chapter: 'Parts and owners',
  doc: [
    '**`mine`**: the fields that decide whose a record is: references to a user, an employee or a role (everybody who holds',
    "it), or `created_by`. With `?mine=1` a list shows only the signed-in person's records, as the entries of My Zone do.",
    'Default: the person who created the record and all people it refers to.',
  ],
  example: [{ part: { mine: ['created_by'] } }],
});
