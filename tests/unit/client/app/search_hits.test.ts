import { expect, test } from 'vitest';
import type { FoundRecord } from '../../../../src/client/app/dialogs/search_hits.ts';
import { pageHits, recordHits } from '../../../../src/client/app/dialogs/search_hits.ts';
import { openPlaces } from '../../../../src/client/app/open_places.ts';
import type { ScreenRef } from '../../../../src/descriptor/types.ts';

const ref = (name: string, plural: string, landing = true) =>
  ({
    name,
    title: plural.slice(0, -1),
    plural,
    routes: { landing: `/${name}`, add: null, edit: null, view: null },
    sameAs: {},
    rights: { landing },
  }) as unknown as ScreenRef;
const screens = [ref('part', 'Parts'), ref('site', 'Sites'), ref('lift', 'Lifts', false)];
const found = (type: string, count: number, label: string): FoundRecord[] =>
  Array.from({ length: count }, (_, id) => ({
    type,
    title: type,
    id,
    label: `${label} ${id}`,
    route: `/${type}/${id}`,
  }));

test('without a query shows the most recently opened, permitted pages first', () => {
  const place = (to: string, title: string, entity: number, what?: string) => ({
    to,
    title,
    entity,
    ...(what && { what }),
  });
  const places = [
    place('/lift', 'Lifts', 1),
    place('/site', 'Sites', 2),
    place('/site', 'Sites', 1),
    place('/part', 'Rope', 1, 'Part'),
  ];
  const hits = pageHits([], screens, '', openPlaces(places, screens, 1));
  expect(hits.map(({ group, label, detail }) => [group, label, detail])).toEqual([
    ['Recent', 'Sites', undefined],
    ['Recent', 'Rope', 'Part'],
  ]);
});

test('a group with more results ends with its list, filtered by the query', () => {
  const hits = recordHits([...found('part', 5, 'Oil & rope'), ...found('site', 4, 'Oil & rope')], screens, 'oil & r');
  expect(hits.filter(({ key }) => key.startsWith('all'))).toEqual([
    { key: 'all part', group: 'Parts', label: 'Show all in Parts', to: '/part?q=oil%20%26%20r' },
  ]);
});

test('an empty list is not offered after a search by similar words', () => {
  expect(recordHits(found('part', 5, 'Hydraulic oil'), screens, 'hydrolic')).toHaveLength(5);
});

test('pages are found with a typing error and in another word order, after exact matches', () => {
  const all = [ref('a', 'Inspections'), ref('b', 'Inspection reports'), ref('c', 'Institutes'), ref('d', 'Reports')];
  const labels = (query: string) => pageHits([], all, query).map(({ label }) => label);
  expect(labels('inspecton')).toEqual(['Inspections', 'Inspection reports']);
  expect(labels('reports insp')).toEqual(['Inspection reports']);
  expect(labels('report')).toEqual(['Reports', 'Inspection reports']);
  expect(labels('reprots')).toEqual(['Inspection reports', 'Reports']);
  expect(labels('xyzzy')).toEqual([]);
});
