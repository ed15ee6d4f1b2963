import { FluentProvider, webLightTheme } from '@fluentui/react-components';
import { cleanup, fireEvent, render, screen as page, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useEffect } from 'react';
import { MemoryRouter, useLocation } from 'react-router-dom';
import { expect, it } from 'vitest';
import { monthsChart } from '../../../../../src/client/modules/performance/months_chart.ts';
import ScorecardWidget from '../../../../../src/client/modules/performance/widgets/scorecard.tsx';
import type { Tile } from '../../../../../src/domain/dashboard.ts';
import type { ReporteeRow, Scorecard, ScorecardLine } from '../../../../../src/domain/performance/scorecard.ts';

const line = (more: Partial<ScorecardLine>): ScorecardLine => ({
  id: 1,
  kpi: 'Sales',
  type: 'Financial',
  unit: 'Numbers',
  style: { symbol: null, scale: 'one' },
  isMetric: false,
  decimals: 0,
  method: 'linear',
  weight: '60.0000',
  target: '84.0000',
  target_day: null,
  range: null,
  actual: '50.000000',
  alone: null,
  benchmark: null,
  done_on: null,
  done: null,
  achievement: '59.5238',
  score: '59.5238',
  weighted: '35.7143',
  colour: 'red',
  status: 'approved',
  remark: 'Two salesmen were ill.',
  records: null,
  not_applicable: false,
  threshold: '50.0000',
  cap: '120.0000',
  stretch: null,
  data_source: null,
  owner: null,
  together: null,
  parts: null,
  opens: `/actual_updation/view/${more.id ?? 1}`,
  feedback: { list: '/feedback?filter=x', give: '/feedback/add?kpi_id=1' },
  pace: null,
  past: [
    // Without actuals there is no chart, which needs a canvas.
    { month: '2026-08', achievement: '101.2000', actual: null, target: '100' },
    { month: '2026-09', achievement: '64.0000', actual: null, target: '100' },
    { month: '2026-10', achievement: '59.5238', actual: '50', target: '84' },
  ],
  off_since: '2026-09',
  off_remark: { text: 'Two salesmen were ill.', month: null },
  ...more,
});

const row = (more: Partial<ReporteeRow>): ReporteeRow => ({
  id: 9,
  above: null,
  to: '/scorecard_new?employee_id=9&month=2026-10',
  name: 'Ravi Kumar',
  about: 'Salesman',
  past: ['80', '92.5'],
  score: null,
  band: null,
  open: 3,
  unacknowledged: true,
  isWithout: false,
  ...more,
});

/** Where the last page is. */
let place = '';
function Place() {
  const { search } = useLocation();
  useEffect(() => {
    place = search;
  });
  return null;
}

function open(card: Partial<Scorecard>, address = '/') {
  const data: Scorecard = {
    tab: 'own',
    tabs: ['own', 'reportees'],
    bands: [
      { label: 'Below', from: 0, to: 80, colour: null },
      { label: 'Meets', from: 80, to: 200, colour: '#107c10' },
    ],
    most: 120,
    updated: { done: 1, of: 2 },
    isCut: false,
    team: null,
    company: null,
    leads: false,
    update: '/actual_ViewLanding?filter=x',
    feedback: null,
    owner: { name: 'Asha Rao', photo: null, about: ['Officer', 'Chennai'], person: 'Mina Das', isUnit: false },
    period: 'month',
    hasDays: false,
    month: '2026-10',
    title: 'October 2026',
    choices: [
      { month: '2026-10', title: 'October 2026' },
      { month: '2026-09', title: 'September 2026' },
    ],
    score: { month: '2026-10', score: '83.80', covered: '90.0000', band: 'Meets', frozen: false, trend: 'down' },
    rank: { place: 2, of: 5, among: 'in the department' },
    decimals: 2,
    lines: [
      line({}),
      line({
        id: 2,
        kpi: 'Audit',
        type: 'Process',
        actual: null,
        achievement: null,
        score: null,
        weighted: null,
        colour: null,
        past: [],
        records: '/myTasks?filter=x',
        off_since: null,
        remark: null,
      }),
    ],
    below: [],
    acknowledge: '/employee_kpi/view/7',
    units: [],
    explains: true,
    ...card,
  };
  render(
    <FluentProvider theme={webLightTheme}>
      <MemoryRouter initialEntries={[address]}>
        <Place />
        <ScorecardWidget tile={{} as Tile} data={data} again={() => undefined} />
      </MemoryRouter>
    </FluentProvider>,
  );
}

it('shows at a glance the score, what is off target, and since when', () => {
  open({});
  expect(page.getByRole('img', { name: 'Score 83.80, Meets. Below from 0, Meets from 80' })).toBeTruthy();
  expect(page.getByText('Rank 2 of 5 in the department')).toBeTruthy();
  expect(page.getByText('of 90 % of the weight')).toBeTruthy();
  expect(page.getByText('1 of 2 updated')).toBeTruthy();
  const off = within(page.getByRole('list', { name: 'What is off' })).getByRole('listitem');
  expect(off.textContent).toBe('RSales59.5 % of the target, red since September 2026Two salesmen were ill.');
  expect(within(off).getByRole('link').getAttribute('href')).toBe('/actual_updation/view/1');
  expect(page.getByText('No actual')).toBeTruthy();
  const address = (name: string) => page.getByRole('link', { name }).getAttribute('href');
  expect(address('Acknowledge or dispute')).toBe('/employee_kpi/view/7');
  expect(address('Update KPIs')).toBe('/actual_ViewLanding?filter=x');
  fireEvent.click(page.getByRole('button', { name: 'Sales' }));
  expect([address('Show its feedback'), address('Give feedback')]).toEqual([
    '/feedback?filter=x',
    '/feedback/add?kpi_id=1',
  ]);
});

it('keeps the chosen tab in the address, and waits for its figures', async () => {
  const user = userEvent.setup();
  open({});
  expect(page.getAllByRole('tab').map((one) => one.textContent)).toEqual([
    expect.stringContaining('Own'),
    expect.stringContaining('Reportees'),
  ]);
  await user.click(page.getByRole('tab', { name: 'Reportees' }));
  expect(place).toBe('?tab=reportees');
  expect(page.queryByRole('list', { name: 'What is off' })).toBeNull();
  expect(page.getByRole('tabpanel', { name: 'Reportees' }).getAttribute('aria-busy')).toBe('true');
});

it('shows no tab of a single part', () => {
  open({ tabs: ['own'] });
  expect(page.queryByRole('tab')).toBeNull();
  cleanup();
  // A link to a tab that has nothing to show leads to the first.
  open({ tabs: ['own'] }, '/?tab=team');
  expect(page.getByRole('list', { name: 'What is off' })).toBeTruthy();
});

it('lists reportees with what waits, and opens the tree in place', async () => {
  const user = userEvent.setup();
  open({
    tab: 'reportees',
    below: [row({}), row({ id: 10, name: 'Mina Das', above: 9, score: '91.00', band: 'Meets', open: 0 })],
  });
  const names = () => page.getAllByRole('rowheader').map((one) => within(one).getByRole('link').textContent);
  expect(names()).toEqual(['Ravi Kumar']);
  expect([page.getByText('3 to enter'), page.getByText('Not acknowledged')].length).toBe(2);
  expect(page.getByRole('img', { name: 'Scores of Ravi Kumar: 80.0, 92.5' })).toBeTruthy();
  await user.click(page.getByRole('button', { name: 'Reportees of Ravi Kumar' }));
  expect(names()).toEqual(['Ravi Kumar', 'Mina Das']);
  expect(page.getByText('91.00')).toBeTruthy();
});

it('says how many members of a team have which colour', () => {
  const { kpi, type, unit, style, decimals } = line({});
  open({
    tab: 'team',
    tabs: ['own', 'team'],
    team: {
      members: 3,
      average: '88.50',
      bands: [{ label: 'Meets', count: 3 }],
      lines: [
        {
          kpi,
          type,
          unit,
          style,
          decimals,
          members: 4,
          entered: 3,
          target: '300',
          actual: '270',
          achievement: '90.0000',
          colour: 'amber',
          colours: { red: 1, amber: 0, green: 2, blue: 0 },
        },
      ],
    },
  });
  expect(page.getByRole('img', { name: 'Sales: 1 red, 2 green, 1 without a figure' })).toBeTruthy();
  expect(page.getByText('88.50')).toBeTruthy();
});

it('writes figures in the symbol and the scale of their unit, and gives a metric no weight', () => {
  const inLakhs = { symbol: '₹', scale: 'lakh' } as const;
  open({
    lines: [
      line({ style: inLakhs, target: '1250000', actual: '-75000' }),
      line({ id: 2, kpi: 'Rate', style: { symbol: '%', scale: 'one' }, isMetric: true, weight: '0' }),
    ],
  });
  const cells = page.getAllByRole('cell').map(({ textContent }) => textContent);
  // A metric is tracked only: it is nothing that needs attention.
  expect(within(page.getByRole('list', { name: 'What is off' })).getAllByRole('listitem')).toHaveLength(1);
  expect(cells).toEqual(expect.arrayContaining(['60 %', '₹12.5 L', '-₹0.75 L', 'Metric', '84 %', '50 %']));
});

it('explains a score step by step, or why there is none', async () => {
  const user = userEvent.setup();
  open({});
  await user.click(page.getByRole('button', { name: 'Sales' }));
  const steps = () => page.getAllByRole('listitem').map((one) => one.textContent);
  expect(steps()).toContain('Target 84, actual 50: in proportion to the target this is 59.5238 %.');
  expect(steps()).toContain('59.5238 × 60 % weight = 35.7143.');
  await user.click(page.getByRole('button', { name: 'Audit' }));
  expect(steps()).toContain('Target 84. There is no actual yet, so there is no achievement.');
  expect(page.getByRole('link', { name: 'Show the records behind it' }).getAttribute('href')).toBe('/myTasks?filter=x');
});

it('says how the months of a longer period count together, and how a running one stands', async () => {
  const user = userEvent.setup();
  open({
    period: 'quarter',
    title: 'Q3 2026-27 (Oct–Dec)',
    choices: [{ month: '2026-12', title: 'Q3 2026-27 (Oct–Dec)' }],
    lines: [
      line({
        together: { as: 'sum', months: 2, of: 3 },
        achievement: '125.0000',
        score: '110.0000',
        stretch: '150.0000',
        pace: { expected: '200', percent: '110' },
        opens: '/actual_ViewLanding?filter=x',
      }),
    ],
  });
  expect(page.getByRole<HTMLSelectElement>('combobox', { name: 'Period' }).value).toBe('quarter');
  expect(page.getByRole<HTMLSelectElement>('combobox', { name: 'Quarter' }).value).toBe('Q3 2026-27 (Oct–Dec)');
  expect(page.getByText('Pace 110.0 %')).toBeTruthy();
  await user.click(page.getByRole('button', { name: 'Sales' }));
  const steps = page.getAllByRole('listitem').map((one) => one.textContent);
  expect(steps).toContain('Actual and target are the sum of the periods with an approved actual: 2 of 3.');
  expect(steps).toContain('The stretch target of 150 % earns 120: the score is 110.');
  expect(page.getByRole('link', { name: 'Show its updates' })).toBeTruthy();
});

it('prints every KPI with its explanation', () => {
  open({});
  expect(page.queryByText(/59.5238 × 60 % weight/)).toBeNull();
  fireEvent(window, new Event('beforeprint'));
  expect(page.getByText('59.5238 × 60 % weight = 35.7143.')).toBeTruthy();
  expect(page.getByText(/There is no actual yet, so/)).toBeTruthy();
  fireEvent(window, new Event('afterprint'));
  expect(page.queryByText(/59.5238 × 60 % weight/)).toBeNull();
});

it('tells a member without KPIs what to do', () => {
  open({ month: null, choices: [], lines: [], tabs: [] });
  expect(page.getByText('Asha Rao has no KPIs yet')).toBeTruthy();
});

it('days and weeks can be chosen where KPIs are entered by them', () => {
  const choices = () =>
    within(page.getByRole('combobox', { name: 'Period' }))
      .getAllByRole('option')
      .map((one) => one.textContent);
  open({});
  expect(choices()[0]).toBe('Month');
  cleanup();
  open({
    hasDays: true,
    period: 'day',
    title: '3 Oct 2026',
    choices: [{ month: '2026-10', day: '2026-10-03', title: '3 Oct 2026' }],
  });
  expect(choices().slice(0, 3)).toEqual(['Day', 'Week', 'Month']);
  expect(page.getByRole<HTMLSelectElement>('combobox', { name: 'Day' }).value).toBe('3 Oct 2026');
});

it('draws actual and target of the months, if there are two actuals and the KPI is a number', () => {
  const past = [
    { month: '2026-09', achievement: '64.0000', actual: '64', target: '100' },
    { month: '2026-10', achievement: '59.5238', actual: '50', target: '84' },
  ];
  expect(monthsChart({ method: 'linear', past })).toEqual({
    along: 'Month',
    x: ['September 2026', 'October 2026'],
    series: [
      { title: 'Actual', values: [64, 50] },
      { title: 'Target', values: [100, 84] },
    ],
  });
  expect(monthsChart({ method: 'linear', past: past.slice(1) })).toBeNull();
  expect(monthsChart({ method: 'binary', past })).toBeNull();
});
