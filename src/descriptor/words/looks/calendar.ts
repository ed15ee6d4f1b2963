import { checkMove, defineLook, lookField, moveShape, shownField } from './look.ts';

declare module '../../types.ts' {
  interface WrittenLooks {
    /** Records on their days. */
    calendar?: { date: string; to?: string; title?: string; move?: string };
  }
  interface ScreenLooks {
    calendar?: { date: string; to?: string; title?: string; move?: string };
  }
}

export const calendar = defineLook<'calendar'>({
  name: 'calendar',
  shape: {
    description: 'The records on their days: by month, week and day, and as a list of days on a phone.',
    type: 'object',
    required: ['date'],
    additionalProperties: false,
    examples: [{ date: 'planned_on', title: 'customer_name', move: 'postpone' }],
    properties: {
      date: { description: 'The day or moment on which a record stands.', $ref: '#/$defs/fieldName' },
      to: { description: 'The last day, of records that last longer.', $ref: '#/$defs/fieldName' },
      title: { description: "What is written there. Default: the record's name.", $ref: '#/$defs/fieldName' },
      move: {
        ...moveShape,
        description: 'What moving to another day does: "edit", or a transition that asks the day.',
      },
    },
  },
  compile: (written) => written,
  check: ({ date, to, title, move }, check) => {
    const path = ['looks', 'calendar'];
    const field = lookField(check, [...path, 'date'], date, ['date', 'datetime'], 'a day or a moment');
    lookField(check, [...path, 'to'], to, ['date'], 'the last day');
    if (to !== undefined && field?.type === 'datetime')
      check.report(
        [...path, 'to'],
        'Records at a moment have no last day.',
        'Leave "to" out, or name a day as "date".',
      );
    shownField(check, [...path, 'title'], title);
    checkMove(check, [...path, 'move'], move, field);
  },
  needs: ({ date, to }, field) => (date === field || to === field ? 'the calendar goes by it' : null),
  lay: ({ title, ...calendar }, { changed }) => ({
    ...calendar,
    ...(title !== undefined && !changed.has(title) && { title }),
  }),
  index: ({ date, to }) => [[date], ...(to === undefined ? [] : [[to]])],
  doc: [
    '**`calendar`**: the records on the day or moment `date`, those that last longer until `to`; by month, week or day, on a',
    'phone as a list of days. `title` is the field that is written there (default: the name). With `move` an entry is',
    'dragged, or moved by its menu or by keys (M), to another day: `"edit"` changes the field, the name of a transition',
    'opens that transition with the day filled in. Only the days that are shown are read.',
  ],
});
