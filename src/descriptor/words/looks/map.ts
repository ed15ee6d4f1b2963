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
    description: 'The records on a map, in the order of visit.',
    type: 'object',
    required: ['at'],
    additionalProperties: false,
    examples: [{ at: 'geo', order: 'stop_no', lane: 'route_id' }],
    properties: {
      at: { description: 'The location, a field of the type geo.', $ref: '#/$defs/fieldName' },
      order: { description: 'The field that gives the order of the places.', $ref: '#/$defs/fieldName' },
      lane: {
        description: 'The field whose values are the routes, each with its own order.',
        $ref: '#/$defs/fieldName',
      },
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
    '**`map`**: the records at their location `at`, drawn on the map of the tile server that the client has configured',
    '(Configuration, Maps). Without a tile server, or while it fails, they are drawn on a grid with a known distance',
    'between the lines. A list shows the places and the distance from each to the next. With `order` the places are',
    'numbered and connected in that order; with `lane` each value has its own route. If there are very many places, the',
    'first ones are shown, and the visible ones after zooming in.',
  ],
});
