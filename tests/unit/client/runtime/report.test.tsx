import { render, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { MemoryRouter, useLocation } from 'react-router-dom';
import { SWRConfig } from 'swr';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Field } from '../../../../src/descriptor/types.ts';
import type { Report, ReportAnswer, ReportColumn } from '../../../../src/domain/report.ts';
import { api } from '../../../../src/client/api/http.ts';
import ReportPage from '../../../../src/client/runtime/report/ReportPage.tsx';
import {
  cellText,
  heatOf,
  linkOf,
  markOf,
  recordsBehind,
  sorted,
  written,
} from '../../../../src/client/runtime/report/report_view.ts';

const field = (name: string, type: string, more: Partial<Field> = {}): Field => ({
  name,
  type,
  title: name,
  required: false,
  schema: { type: 'string' },
  secret: false,
  readOnly: false,
  ...more,
});
const columns: ReportColumn[] = [
  field('place', 'text'),
  field('amount', 'money'),
  field('people', 'integer'),
  field('day', 'date'),
];
const report: Report = {
  name: 'places',
  folder: 'organisation',
  title: 'Places',
  access: { screens: ['SCN_PLACE'], products: [], modules: ['MASTERS'], action: null, everyone: false, common: false },
  route: '/reports/places',
  source: 'places',
  from: null,
  parameters: [field('place', 'text', { title: 'Place' })],
  columns,
  levels: ['place'],
  totals: ['people'],
  menu: { hidden: false },
};

describe('a report’s view', () => {
  it('shows zero as a dash, amounts with Indian grouping, and labels of named values', () => {
    const row = { amount: '1234567.50', people: 0, place: 7, place__label: 'Chennai', day: '2026-03-31' };
    expect(columns.map((column) => cellText(column, row))).toEqual(['Chennai', '12,34,567.50', '–', '31-03-2026']);
    expect(columns.map((column) => cellText(column, {}))).toEqual(['', '', '', '']);
  });

  it('sorts figures by amount, dates by day, words alphabetically, and empty values last in both directions', () => {
    const rows = [
      { place: 'b', amount: '9.00', day: '2026-02-01' },
      { place: 'a', amount: '10.00', day: '2025-12-31' },
      { place: 'c', amount: null, day: null },
    ];
    const by = (column: string, descending = false) =>
      sorted(rows, columns, { column, descending })
        .map(({ place }) => place)
        .join('');
    expect([by('amount'), by('amount', true), by('day'), by('day', true), by('place', true)]).toEqual([
      'bac',
      'abc',
      'abc',
      'bac',
      'cba',
    ]);
    expect(sorted(rows, columns, null)).toBe(rows);
  });

  it('marks and colours rows by their values', () => {
    const marks = [{ column: 'people', when: 'people > 12', tone: 'warning' as const, text: 'Many' }];
    expect(markOf(marks, columns, columns[2]!, { people: 13 })?.text).toBe('Many');
    expect([
      markOf(marks, columns, columns[2]!, { people: 12 }),
      markOf(marks, columns, columns[1]!, { people: 13 }),
    ]).toEqual([null, null]);
    const heat = heatOf(['people'], columns, [{ people: 4 }, { people: 1 }]);
    expect([heat(columns[2]!, { people: 1 }), heat(columns[2]!, {}), heat(columns[1]!, { amount: '1' })]).toEqual([
      0.25,
      null,
      null,
    ]);
  });

  it('links to the records behind a row, and nowhere if a value is missing', () => {
    expect([
      linkOf('/employee/view/:id_of', { id_of: 7 }),
      linkOf('/employee/view/:id_of', { id_of: null }),
      linkOf(undefined, {}),
    ]).toEqual(['/employee/view/7', null, null]);
    const grouped: Report = {
      ...report,
      source: null,
      from: {
        type: 'employee',
        filter: ['status', 'ne', 'left'],
        group: ['branch_id', { field: 'joined', by: 'month' }],
        measures: [
          { name: 'all', title: 'All', count: true },
          { name: 'new', title: 'New', count: true, filter: ['grade', 'eq', 1] },
        ],
        filters: ['kind', 'born'],
      },
    };
    expect(
      recordsBehind(
        grouped,
        { branch_id: 3, joined_month: '2026-02' },
        { kind: 'a', born_from: '2000-01-01', born_to: null },
        'new',
      ),
    ).toEqual([
      'and',
      ['branch_id', 'eq', 3],
      ['joined', 'between', ['2026-02-01', '2026-02-28']],
      ['kind', 'eq', 'a'],
      ['born', 'between', ['2000-01-01', null]],
      ['status', 'ne', 'left'],
      ['grade', 'eq', 1],
    ]);
    const quarterly = {
      ...grouped,
      from: { ...grouped.from!, filter: undefined, group: [{ field: 'joined', by: 'quarter' as const }] },
    } as unknown as Report;
    expect(recordsBehind(quarterly, { joined_quarter: '2026 Q4' }, {}, 'all')).toEqual([
      'joined',
      'between',
      ['2026-10-01', '2026-12-31'],
    ]);
    const weekly = {
      ...quarterly,
      from: { ...quarterly.from!, group: [{ field: 'joined', by: 'week' as const }] },
    } as unknown as Report;
    // The first week of 2026 begins in 2025; 2026 has 53 weeks.
    expect(recordsBehind(weekly, { joined_week: '2026 W01' }, {}, 'all')![2]).toEqual(['2025-12-29', '2026-01-04']);
    expect(recordsBehind(weekly, { joined_week: '2026 W53' }, {}, 'all')![2]).toEqual(['2026-12-28', '2027-01-03']);
    expect(recordsBehind(quarterly, { joined_quarter: null }, {}, 'all')).toEqual(['joined', 'empty']);
  });

  it('keeps an empty choice where there would be a default', () => {
    expect([written(null, '2026-01-01'), written(null, null), written(5, null), written('', undefined)]).toEqual([
      '',
      null,
      '5',
      null,
    ]);
  });
});

describe('the page of a report', () => {
  afterEach(() => vi.restoreAllMocks());
  const answer = (rows: ReportAnswer['rows'], more: Partial<ReportAnswer> = {}): ReportAnswer => ({
    parameters: { place: null },
    chosen: [],
    columns,
    rows,
    totals: { people: 3 },
    more: false,
    figures: [{ title: 'People', value: '3' }],
    chart: null,
    ...more,
  });
  function Where() {
    const { search } = useLocation();
    return <output>{search}</output>;
  }
  const open = (address: string, rows: (query: Record<string, string>) => ReportAnswer, described: Report = report) => {
    const get = vi.spyOn(api, 'get').mockImplementation((async (path: string, query: Record<string, string>) => ({
      data: path === '/tapi/report/at' ? { ...described, exports: true, mails: true } : rows(query),
    })) as never);
    render(
      <SWRConfig value={{ provider: () => new Map(), dedupingInterval: 0 }}>
        <MemoryRouter initialEntries={[address]}>
          <ReportPage route="/reports/places" />
          <Where />
        </MemoryRouter>
      </SWRConfig>,
    );
    return get;
  };

  it('shows the figures of its chart as a table, with title and parameters', async () => {
    open(
      '/reports/places',
      () =>
        answer([{ place: 'Chennai', amount: '5', people: 1 }], {
          chosen: [{ title: 'Place', text: 'Chennai' }],
          chart: { x: ['Chennai', 'Kochi'], series: [{ title: 'People', values: [1200000, null] }] },
        }),
      { ...report, chart: { kind: 'bar', x: 'place', y: ['people'] } },
    );
    const figure = await screen.findByRole('figure', { name: report.title });
    within(figure).getByText('Place: Chennai');
    await userEvent.click(within(figure).getByRole('button', { name: 'Show as table' }));
    expect(
      within(figure)
        .getAllByRole('row')
        .map((row) => row.textContent),
    ).toEqual(['placePeople', 'Chennai12,00,000', 'Kochi–']);
  });

  it('shows figures, rows and totals, sorts by its headings, and keeps the parameters in the address', async () => {
    const get = open('/reports/places', (query) =>
      answer(
        [
          { place: 'Chennai', amount: '5', people: 1 },
          { place: 'Kochi', amount: '4', people: 2 },
        ],
        { parameters: { place: query.place ?? null } },
      ),
    );
    const table = await screen.findByRole('table');
    const names = () =>
      within(table)
        .getAllByRole('rowheader')
        .map((head) => head.textContent);
    expect(names()).toEqual(['Chennai', 'Kochi', 'Total']);
    await userEvent.click(within(table).getByRole('button', { name: 'amount (₹)' }));
    expect(names()).toEqual(['Kochi', 'Chennai', 'Total']);
    expect(
      within(table)
        .getByRole('columnheader', { name: /amount/ })
        .getAttribute('aria-sort'),
    ).toBe('ascending');
    await userEvent.type(screen.getByLabelText('Place'), 'Kochi');
    await userEvent.tab();
    await waitFor(() => expect(screen.getByRole('status').textContent).toBe('?place=Kochi'));
    expect(get).toHaveBeenLastCalledWith('/tapi/report/places/rows', { place: 'Kochi' }, { quiet: true });
    await userEvent.click(screen.getByRole('button', { name: 'Clear' }));
    await waitFor(() => expect(screen.getByRole('status').textContent).toBe(''));
  });

  it('expands a row', async () => {
    const levels: Report = { ...report, levels: ['place', 'person'], columns: [...columns, field('person', 'text')] };
    const get = open(
      '/reports/places',
      (query) => answer(query.by === 'person' ? [{ person: 'Asha', people: 1 }] : [{ place: 'Chennai', people: 3 }]),
      levels,
    );
    await userEvent.click(await screen.findByRole('button', { name: 'Open Chennai' }));
    expect((await screen.findByRole('rowheader', { name: 'Asha' })).dataset.depth).toBe('1');
    expect(get).toHaveBeenLastCalledWith(
      '/tapi/report/places/rows',
      { by: 'person', within: '{"place":"Chennai"}' },
      { quiet: true },
    );
    await userEvent.click(screen.getByRole('button', { name: 'Close Chennai' }));
    expect(screen.queryByText('Asha')).toBeNull();
  });

  it('explains an empty result, and how to see more', async () => {
    open('/reports/places?place=x', () => answer([], { totals: null, figures: [], parameters: { place: 'x' } }));
    await userEvent.click(await screen.findByRole('button', { name: 'Clear the choice' }));
    await waitFor(() => expect(screen.getByRole('status').textContent).toBe(''));
    expect(screen.getByText('There are no records that you may see for this report.')).toBeTruthy();
  });

  it('is subscribed to with a period relative to today, paused and deleted', async () => {
    const dated: Report = { ...report, parameters: [field('from', 'date'), field('to', 'date')] };
    open('/reports/places', () => answer([], { parameters: { from: '2026-04-01', to: '2026-04-30' } }), dated);
    const kept: object[] = [];
    const sent = { id: 9, format: 'xlsx', every: 'daily', day: null, hour: 7, parameters: {}, paused: false };
    const received = [{ ...sent, owner_id__label: 'Ravi', next_at: '2026-05-01T01:30:00Z', has_left: false }];
    const get = vi.mocked(api.get).getMockImplementation()!;
    vi.mocked(api.get).mockImplementation((async (path: string, query: Record<string, string>) =>
      path === '/tapi/report/places/subscriptions'
        ? { data: kept, received }
        : path === '/tapi/report/places/recipients'
          ? { data: { people: [{ id: 7, name: 'Asha' }], roles: [] } }
          : get(path, query)) as never);
    const post = vi.spyOn(api, 'post').mockImplementation((async (_path: string, body: object) => {
      const shown = {
        people__label: ['Me', 'Asha'],
        roles__label: [],
        owner_id__label: 'Me',
        sent_at: null,
        left_by__label: ['Asha'],
      };
      kept.push({ id: 1, ...body, ...shown, next_at: '2026-05-01T02:30:00Z', problem: null });
      return { data: { id: 1 } };
    }) as never);
    const put = vi.spyOn(api, 'put').mockResolvedValue({ data: { id: 1 } } as never);
    await userEvent.selectOptions(await screen.findByLabelText('Period'), 'Last month');
    await waitFor(() => expect(screen.getByRole('status').textContent).toBe('?from=last_month&to=last_month'));
    await userEvent.click(screen.getByRole('button', { name: 'By mail' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Subscribe' }));
    await userEvent.selectOptions(screen.getByLabelText('How often'), 'Every month');
    await userEvent.type(screen.getByLabelText('To'), 'ash');
    await userEvent.click(await screen.findByRole('button', { name: 'Asha' }));
    await userEvent.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('PDF on day 1 of every month at 8:00')).toBeTruthy();
    expect(post.mock.calls[0]![1]).toMatchObject({
      parameters: { from: 'last_month', to: 'last_month' },
      every: 'monthly',
      day: 1,
      people: [expect.any(Number), 7],
    });
    expect(screen.getByText('No longer wanted by Asha')).toBeTruthy();
    expect(screen.getByText('Ravi has it sent to you')).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Stop sending it to me' }));
    await waitFor(() =>
      expect(put.mock.calls.shift()).toMatchObject(['/tapi/report/places/subscriptions/9/receive', { wanted: false }]),
    );
    await userEvent.click(screen.getByRole('button', { name: 'Pause' }));
    await waitFor(() =>
      expect(put.mock.calls[0]).toMatchObject(['/tapi/report/places/subscriptions/1', { paused: true }]),
    );
  });
});
