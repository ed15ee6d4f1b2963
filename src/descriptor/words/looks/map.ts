import { fieldType } from '../../fieldtypes/registry.ts';
import { defineLook, lookField } from './look.ts';
import { LANES } from './timeline.ts';

interface Places {
  at: string;
  order?: string;
  lane?: string;
}

declare module '../../types.ts' {
  interface WrittenLooks {
    /** Records at their places. */
    map?: Places;
  }
  interface ScreenLooks {
    map?: Places;
  }
}

export const map = defineLook<'map'>({
  name: 'map',
  shape: {
    description: 'The records at their places, in the order in which they are gone to.',
    type: 'object',
    required: ['at'],
    additionalProperties: false,
    examples: [{ at: 'geo', order: 'stop_no', lane: 'route_id' }],
    properties: {
      at: { description: 'The place, a field of the type geo.', $ref: '#/$defs/fieldName' },
      order: { description: 'The field by which places follow each other.', $ref: '#/$defs/fieldName' },
      lane: { description: 'The field whose values are the ways, each with its own order.', $ref: '#/$defs/fieldName' },
    },
  },
  compile: (written) => written,
  check: ({ at, order, lane }, check) => {
    const path = ['looks', 'map'];
    lookField(check, [...path, 'at'], at, ['geo'], 'a place');
    lookField(check, [...path, 'lane'], lane, LANES, 'what places are put together by');
    if (order === undefined) return;
    const by = check.field(order);
    if (!by) check.unknown([...path, 'order'], order, check.names, '"looks.map"');
    else if (!fieldType(by.type).can.sort || by.secret)
      check.report([...path, 'order'], `"${order}" cannot be sorted by.`, 'Choose a number, a day or a moment.');
  },
  needs: ({ at }, field) => (at === field ? 'the map goes by it' : null),
  lay: ({ at, order, lane }, { changed }) => ({
    at,
    ...(order !== undefined && !changed.has(order) && { order }),
    ...(lane !== undefined && !changed.has(lane) && { lane }),
  }),
  doc: [
    '**`map`**: the records at their place `at`, drawn on the map of the tile server that the client has set (Configuration,',
    'Maps), without one or while it fails on a grid whose lines are a known distance apart, with a list of the places',
    'and the distance from each to the next. With `order` they are numbered and joined in that order, with `lane` each',
    'value has a way of its own. Of very many places the first are shown, and those in sight when one looks closer.',
  ],
});
