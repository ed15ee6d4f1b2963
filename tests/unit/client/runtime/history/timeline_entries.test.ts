import { describe, expect, it } from 'vitest';
import type { Field } from '../../../../../src/descriptor/types.ts';
import type { HistoryRow } from '../../../../../src/client/runtime/history/timeline_entries.ts';
import {
  changeLines,
  changeWords,
  idsInChanges,
  lineWords,
  mergeEntries,
} from '../../../../../src/client/runtime/history/timeline_entries.ts';
import { depotScreen } from '../screen_fixture.ts';

const screen = depotScreen();
const row = (more: Partial<HistoryRow>): HistoryRow => ({
  version: 2,
  op: 'U',
  at: '2026-11-21T04:45:00Z',
  by: 1,
  by__label: 'Asha Rao',
  what: 'form',
  change: {},
  ...more,
});
const words = (more: Partial<HistoryRow>) => {
  const change = row(more);
  return changeWords(
    change,
    screen,
    changeLines(change, screen, (_type, id) => (id === 4 ? 'Chennai' : undefined)),
  );
};

describe('a change in words', () => {
  it('shows the old and the new value', () => {
    expect(words({ change: { status: ['draft', 'open'] } })).toBe('changed Status from Draft to Open');
    expect(words({ change: { area: [null, '120000'] } })).toBe('changed Area to 1,20,000');
    expect(words({ change: { opened_on: ['2026-04-01', null] } })).toBe('changed Opened on from 01-04-2026 to nothing');
    expect(words({ change: { branch_id: [4, 9] } })).toBe('changed Branch from Chennai to #9');
    expect(words({ change: { status: ['draft', 'open'], area: ['1', '2'] }, what: 'bulk' })).toBe(
      'changed 2 fields together with others',
    );
  });

  it('names the transition', () => {
    const state = (name: string, title: string) =>
      ({ name, title, colour: 'neutral', is: 'open', edit: true }) as const;
    const stepped = depotScreen({
      workflow: {
        field: 'status',
        states: [state('draft', 'Draft'), state('open', 'Open')],
        transitions: [
          { name: 'release', title: 'Release', from: ['draft'], to: 'open', guard: [], ask: [], set: {}, effects: [] },
        ],
      },
    });
    const change = row({ transition: 'release', change: { status: ['draft', 'open'] }, what: 'action' });
    expect(changeWords(change, stepped, [])).toBe('took the step “Release”, from Draft to Open');
    expect(changeWords({ ...change, what: 'job' }, stepped, [])).toContain('to Open at its moment');
  });

  it('names other events', () => {
    expect(words({ op: 'I', what: 'import 5' })).toBe('added this depot by an import');
    expect(words({ op: 'X' })).toBe('deactivated this depot');
    expect(words({ op: 'A' })).toBe('took this depot into use again');
  });

  it('shows no secret and no removed field', () => {
    const lines = changeLines(row({ change: { pin: ['1111', '2222'], gone: [1, 2] } }), screen, () => undefined);
    expect(lines.map(lineWords)).toEqual(['Pin']);
  });

  it('lists single child rows, and counts many', () => {
    const lines = {
      ...screen.fields[0]!,
      name: 'lines',
      title: 'Lines',
      type: 'rows',
      rows: [
        { ...screen.fields[0]!, name: 'what', title: 'What', type: 'text' },
        { ...screen.fields[0]!, name: 'qty', title: 'Quantity', type: 'quantity' },
      ],
    } as Field;
    const withRows = { ...screen, fields: [...screen.fields, lines] };
    const told = (rows: Record<string, Record<string, unknown>>) =>
      changeLines(row({ change: { lines: rows } }), withRows, () => undefined).map(lineWords);
    expect(
      told({
        41: { qty: ['2', '3'], position: [0, 1] },
        42: { position: [1, 0] },
        '+57': { what: 'Rope', qty: '1', position: 3 },
        '-40': { what: 'Car', position: 2 },
      }),
    ).toEqual(['Lines, Quantity from 2 to 3', 'Lines: moved a row', 'Lines: added Rope, 1', 'Lines: removed Car']);
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [at + 1, { qty: ['1', '2'] }]));
    expect(told({ ...many, '+90': { what: 'Rope' } })).toEqual(['Lines: 30 rows changed, 1 row added']);
    // Entries of before hold both lists.
    expect(
      changeLines(row({ change: { lines: [[], [{ id: 1 }]] } }), withRows, () => undefined).map(lineWords),
    ).toEqual(['Lines from 0 rows to 1 row']);
  });

  it('finds the records to load labels for', () => {
    expect(
      idsInChanges([row({ change: { branch_id: [4, 9] } }), row({ change: { branch_id: [9, null] } })], screen).map(
        ({ ids }) => ids,
      ),
    ).toEqual([[4, 9]]);
    const branch = screen.fields.find(({ name }) => name === 'branch_id')!;
    const lines = { ...branch, name: 'lines', type: 'rows', ref: undefined, rows: [branch] } as unknown as Field;
    const withRows = { ...screen, fields: [...screen.fields, lines] };
    const change = { lines: { 41: { branch_id: [4, 5] } } };
    expect(idsInChanges([row({ change })], withRows)).toEqual([{ field: branch, of: 'lines', ids: [4, 5] }]);
  });
});

describe('the timeline', () => {
  const changes = [row({ version: 3, at: '2026-11-21T10:00:00Z' }), row({ version: 2, at: '2026-11-20T10:00:00Z' })];
  const comments = [
    { id: 1, text: 'new', at: '2026-11-20T12:00:00Z', by: 1 },
    { id: 2, text: 'old', at: '2026-01-01T12:00:00Z', by: 1 },
  ];
  const keys = (...rest: [Parameters<typeof mergeEntries>[3], boolean]) =>
    mergeEntries(changes, comments, [], ...rest).map(({ key }) => key);

  it('is newest first', () => {
    expect(keys('all', false)).toEqual(['v3 U', 'c1', 'v2 U', 'c2']);
  });

  it('shows nothing older than the loaded changes while there are more', () => {
    expect(keys('all', true)).toEqual(['v3 U', 'c1', 'v2 U']);
    expect(keys('comment', true)).toEqual(['c1', 'c2']);
  });
});
