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
    description: 'The records by date and time: by month, week and day, and as a list of days.',
    type: 'object',
    required: ['date'],
    additionalProperties: false,
    examples: [{ date: 'planned_on', title: 'customer_name', move: 'postpone' }],
    properties: {
      date: { description: 'The date or time of a record.', $ref: '#/$defs/fieldName' },
      to: {
        description: 'The last day or end time of records that last longer.',
        $ref: '#/$defs/fieldName',
      },
      title: { description: "Text of the entry. Default: the record's name.", $ref: '#/$defs/fieldName' },
      move: {
        ...moveShape,
        description: 'What moving to another date or time does: "edit", or a transition or action that asks for it.',
      },
    },
  },
  compile: (written) => written,
  check: ({ date, to, title, move }, check) => {
    const path = ['looks', 'calendar'];
    const field = lookField(check, [...path, 'date'], date, ['date', 'datetime'], 'a day or a moment');
    const isMoment = field?.type === 'datetime';
    lookField(
      check,
      [...path, 'to'],
      to,
      [isMoment ? 'datetime' : 'date'],
      isMoment ? 'the moment of the end' : 'the last day',
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
    '**`calendar`**: the records on the day or time `date`; longer ones last until `to`, which has the same type. It can be',
    'shown by month, week, day, or as a list of days (agenda); a phone always shows the agenda. In weeks and days, records',
    'with a time are shown at their hour, and all-day records in a strip above. `title` is the field shown in the entry',
    '(default: the name). With `move` an entry can be moved to another day or half hour by dragging, from its menu or with',
    'keys (M): `"edit"` changes the field, the name of a transition opens that transition with the field filled in, and the',
    'function of an action (the `run` of one on `record`) runs with it as its parameter. If `due` names the day, records',
    'that are overdue by it are red. Only the visible days are loaded.',
  ],
});
