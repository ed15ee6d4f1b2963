import { fieldType } from '../../fieldtypes/registry.ts';
import { checkMove, defineLook, lookField, moveShape } from './look.ts';

declare module '../../types.ts' {
  interface WrittenLooks {
    /** Records as bars from one day to another, in a lane for each value of a field. */
    timeline?: { from: string; to: string; lane?: string; move?: string };
  }
  interface ScreenLooks {
    timeline?: { from: string; to: string; lane?: string; move?: string };
  }
}

/** A field by which rows can be grouped: it can be sorted, and has a readable text. */
export const LANES = ['ref', 'enum', 'text', 'name', 'code', 'boolean', 'financial_year'] as const;

export const timeline = defineLook<'timeline'>({
  name: 'timeline',
  shape: {
    description: 'The records as bars from one day to another, in a lane for each value of a field.',
    type: 'object',
    required: ['from', 'to'],
    additionalProperties: false,
    examples: [{ from: 'start_on', to: 'end_on', lane: 'customer_id' }],
    properties: {
      from: { description: 'The first day.', $ref: '#/$defs/fieldName' },
      to: { description: 'The last day; empty = open-ended.', $ref: '#/$defs/fieldName' },
      lane: { description: 'The field whose values are the lanes.', $ref: '#/$defs/fieldName' },
      move: {
        ...moveShape,
        description: 'What moving a bar does: "edit", or a transition or action that asks for the first day.',
      },
    },
  },
  compile: (written) => written,
  check: ({ from, to, lane, move }, check) => {
    const path = ['looks', 'timeline'];
    const first = lookField(check, [...path, 'from'], from, ['date'], 'the first day');
    checkMove(check, [...path, 'move'], move, first);
    lookField(check, [...path, 'to'], to, ['date'], 'the last day');
    if (from === to) check.report([...path, 'to'], 'A bar ends where it begins.', 'Choose another field.');
    const by = lookField(check, [...path, 'lane'], lane, LANES, 'what rows are put together by');
    if (by && !fieldType(by.type).can.sort)
      check.report([...path, 'lane'], `"${by.name}" cannot be sorted by.`, 'Choose another field.');
  },
  needs: ({ from, to }, field) => (from === field || to === field ? 'the timeline goes by it' : null),
  lay: ({ lane, ...timeline }, { changed }) => ({
    ...timeline,
    ...(lane !== undefined && !changed.has(lane) && { lane }),
  }),
  index: ({ from, to }) => [[from], [to]],
  doc: [
    '**`timeline`**: the records as bars from the day `from` to the day `to`, in a lane for each value of `lane`; a month,',
    'a quarter or a year at a time. Only that period is loaded, and only the visible lanes are drawn. A record without a',
    'last day is open-ended. With `move` a bar can be moved to other days by dragging or with keys (M); its last day moves',
    'with it.',
  ],
});
