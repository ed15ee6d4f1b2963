import { FluentProvider, webLightTheme } from '@fluentui/react-components';
import { cleanup, fireEvent, render, screen as page, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { MemoryRouter } from 'react-router-dom';
import { expect, it } from 'vitest';
import { monthsChart } from '../../../../../src/client/modules/performance/months_chart.ts';
import ScorecardWidget from '../../../../../src/client/modules/performance/widgets/scorecard.tsx';
import type { Tile } from '../../../../../src/domain/dashboard.ts';
import type { Scorecard, ScorecardLine } from '../../../../../src/domain/performance/scorecard.ts';

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
  ...more,
});

function open(card: Partial<Scorecard>) {
  const data: Scorecard = {
    owner: { name: 'Asha Rao', about: ['Officer', 'Chennai'], person: 'Mina Das', isUnit: false },
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
    below: [
      {
        to: '/scorecard_new?sheet_id=9&month=2026-10',
        name: 'Ravi Kumar',
        score: null,
        band: null,
        open: 3,
        unacknowledged: true,
      },
    ],
    acknowledge: '/employee_kpi/view/7',
    units: [],
    explains: true,
    ...card,
  };
  render(
    <FluentProvider theme={webLightTheme}>
      <MemoryRouter>
        <ScorecardWidget tile={{} as Tile} data={data} again={() => undefined} />
      </MemoryRouter>
    </FluentProvider>,
  );
}

it('shows at a glance the score, what is off target, and since when', () => {
  open({});
  expect(page.getByText('83.80')).toBeTruthy();
  expect(page.getByText('Rank 2 of 5 in the department')).toBeTruthy();
  expect(page.getByText('of 90 % of the weight · 1 of 2 entered')).toBeTruthy();
  const off = within(page.getByRole('list', { name: 'What is off' })).getByRole('listitem');
  expect(off.textContent).toBe('Sales: 59.5 % of the target, red since September 2026 – Two salesmen were ill.');
  expect(within(off).getByRole('link').getAttribute('href')).toBe('/actual_updation/view/1');
  expect(page.getByText('No actual')).toBeTruthy();
  expect(page.getByText('3 to enter · not acknowledged')).toBeTruthy();
  const address = (name: string) => page.getByRole('link', { name }).getAttribute('href');
  expect(address('Acknowledge or dispute them')).toBe('/employee_kpi/view/7');
  fireEvent.click(page.getByRole('button', { name: 'Sales' }));
  expect([address('Show its feedback'), address('Give feedback')]).toEqual([
    '/feedback?filter=x',
    '/feedback/add?kpi_id=1',
  ]);
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
  open({ month: null, choices: [], lines: [] });
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
