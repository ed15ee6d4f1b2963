import { screen as page, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { forgetSession } from '../../../../../src/client/app/session.ts';
import StepsPage from '../../../../../src/client/runtime/looks/steps/StepsPage.tsx';
import type { OfferedStep, Transition } from '../../../../../src/descriptor/workflow.ts';
import type { FakeCall } from '../../app/fetch_fake.ts';
import { fakeFetch } from '../../app/fetch_fake.ts';
import { asPhone, openPage } from '../page_harness.tsx';
import '../patience.ts';
import { withoutSizes } from '../resize_observer.ts';
import { depotScreen, field } from '../screen_fixture.ts';

const step = (name: string, from: string, to: string, more: Partial<Transition> = {}): Transition => ({
  name,
  title: name.charAt(0).toUpperCase() + name.slice(1),
  from: [from],
  to,
  guard: [],
  ask: [],
  set: {},
  effects: [],
  ...more,
});
const state = (name: string, is: 'open' | 'closed' = 'open') => ({
  name,
  title: name.charAt(0).toUpperCase() + name.slice(1),
  colour: 'brand' as const,
  is,
  edit: true,
});
const screen = depotScreen({
  fields: [field('name', 'name'), field('stage', 'enum'), field('reading', 'text'), field('place', 'text')],
  label: ['name'],
  card: [],
  filters: [],
  workflow: {
    field: 'stage',
    states: [state('planned'), state('begun'), state('ended', 'closed')],
    transitions: [
      step('begin', 'planned', 'begun'),
      step('skip', 'planned', 'ended', { reason: 'Why?' }),
      step('end', 'begun', 'ended', { ask: [{ field: 'reading', required: true }] }),
    ],
  },
  looks: { steps: { card: ['place'] } },
});

let records: { id: number; version: number; active: boolean; name: string; stage: string; place: string }[];
let offered: (stage: string) => OfferedStep[];
function serve(): FakeCall[] {
  const taken =
    (id: number, to: string) =>
    ({ body }: { body: unknown }) => {
      records = records.map((one) =>
        one.id === id ? { ...one, ...(body as object), stage: to, version: one.version + 1 } : one,
      );
      return { body: { data: records.find((one) => one.id === id) } };
    };
  return fakeFetch({
    'GET /tapi/depot': () => ({
      body: {
        data: records.filter(({ stage }) => stage !== 'ended'),
        pagination: { has_next: false, more: false },
        cursor: null,
      },
    }),
    ...Object.fromEntries(
      [1, 2].flatMap((id) => [
        [
          `GET /tapi/depot/${id}`,
          () => {
            const record = records.find((one) => one.id === id)!;
            return { body: { data: { ...record, _can: offered(record.stage) } } };
          },
        ],
        [`POST /tapi/depot/${id}/begin`, taken(id, 'begun')],
        [`POST /tapi/depot/${id}/end`, taken(id, 'ended')],
      ]),
    ),
  });
}
const press = (name: string) => userEvent.click(page.getByRole('button', { name }));

beforeEach(() => {
  asPhone();
  withoutSizes();
  records = ['Kaveri', 'Nandi'].map((name, at) => ({
    id: at + 1,
    version: 1,
    active: true,
    name,
    stage: 'planned',
    place: `Road ${at + 1}`,
  }));
  offered = (stage) =>
    screen
      .workflow!.transitions.filter(({ from }) => from.includes(stage))
      .map(({ name }) => ({ name, blocked: null }));
});
afterEach(() => {
  vi.unstubAllGlobals();
  forgetSession();
});

describe('step by step', () => {
  it('shows the next transition of a record as a page, asks for its fields, and continues with the next record', async () => {
    const calls = serve();
    openPage(StepsPage, screen, '?as=steps&record=1');
    await page.findByRole('region', { name: 'Begin' });
    page.getByText('Road 1');
    page.getByText('1 of 2');
    expect(JSON.parse(calls.find(({ path }) => path === '/tapi/depot')!.query.get('filter')!)).toEqual([
      'stage',
      'in',
      ['planned', 'begun'],
    ]);
    await press('Begin');
    await page.findByRole('region', { name: 'End' });
    await press('End');
    await page.findByText('This is required.');
    await userEvent.type(page.getByRole('textbox', { name: /^Reading/ }), '42');
    await press('End');
    await page.findByText('Nothing more to do.');
    expect(calls.find(({ path }) => path === '/tapi/depot/1/end')?.body).toMatchObject({ version: 2, reading: '42' });
    await press('Next');
    await page.findByRole('article', { name: 'Nandi' });
  });

  it('offers the other transitions, and explains blocked ones', async () => {
    offered = () => [
      { name: 'begin', blocked: 'It begins tomorrow.' },
      { name: 'skip', blocked: null },
    ];
    serve();
    openPage(StepsPage, screen, '?as=steps&record=2');
    await page.findByText('It begins tomorrow.');
    expect((page.getByRole('button', { name: 'Begin' }) as HTMLButtonElement).disabled).toBe(true);
    await press('Skip…');
    await page.findByRole('textbox', { name: /Why\?/ });
  });

  it('reports when somebody else has continued', async () => {
    offered = () => [];
    serve();
    openPage(StepsPage, screen, '?as=steps&record=1');
    await waitFor(() => page.getByText(/Somebody else takes the next one/));
  });
});
