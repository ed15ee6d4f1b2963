import { act, screen as page, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { toasts } from '../../../../../src/client/app/feedback.ts';
import { forgetSession } from '../../../../../src/client/app/session.ts';
import KanbanPage from '../../../../../src/client/runtime/kanban/KanbanPage.tsx';
import { nextValues } from '../../../../../src/client/runtime/kanban/move_card.ts';
import type { FakeCall } from '../../app/fetch_fake.ts';
import { fakeFetch } from '../../app/fetch_fake.ts';
import { asPhone, openPage } from '../page_harness.tsx';
import '../patience.ts';
import { withoutSizes } from '../resize_observer.ts';
import { depotScreen, field } from '../screen_fixture.ts';

const stages = ['new', 'demo', 'lost'].map((value) => ({
  value,
  label: value.charAt(0).toUpperCase() + value.slice(1),
}));
const screen = depotScreen({
  fields: [
    field('name', 'name', { required: true }),
    field('stage', 'enum', { options: stages }),
    field('value', 'money'),
    field('reason', 'text'),
  ],
  label: ['name'],
  card: [],
  filters: [],
  flow: { field: 'stage', moves: { new: ['demo', 'lost'], demo: ['new', 'lost'] } },
  kanban: { field: 'stage', sum: 'value', card: ['value'] },
});

interface Card {
  id: number;
  version: number;
  active: boolean;
  name: string;
  stage: string;
  value: string;
}
let cards: Card[];

/** A server that keeps the cards; a lost one needs a reason. */
function serve(more: Parameters<typeof fakeFetch>[0] = {}): FakeCall[] {
  return fakeFetch({
    'GET /tapi/depot/board': () => ({
      body: {
        data: Object.entries(Object.groupBy(cards, ({ stage }) => stage)).map(([value, held]) => ({
          value,
          count: held!.length,
          sum: String(held!.reduce((sum, card) => sum + Number(card.value), 0)),
        })),
      },
    }),
    'GET /tapi/depot': ({ query }) => {
      const filter = JSON.parse(query.get('filter')!) as [string, string, string];
      return {
        body: {
          data: cards.filter(({ stage }) => stage === filter[2]),
          pagination: { has_next: false, more: false },
          cursor: null,
        },
      };
    },
    'PUT /tapi/depot/1': ({ body }) => {
      const given = body as { stage: string; reason?: string };
      if (given.stage === 'lost' && !given.reason)
        return {
          status: 422,
          body: {
            error: {
              code: 'invalid',
              message: 'Reason is required.',
              details: [{ field: 'reason', message: 'Reason is required.' }],
            },
          },
        };
      cards = cards.map((card) => (card.id === 1 ? { ...card, stage: given.stage, version: card.version + 1 } : card));
      return { body: { data: cards[0] } };
    },
    ...more,
  });
}
const column = (name: string) => page.getByRole('region', { name: new RegExp(`^${name},`) });
const held = (name: string) =>
  within(column(name))
    .queryAllByRole('link')
    .map((link) => link.textContent);
const pressed = (name: string | RegExp) => userEvent.click(page.getByRole('button', { name }));

beforeEach(() => {
  withoutSizes();
  cards = [
    { id: 1, version: 3, active: true, name: 'Kaveri', stage: 'new', value: '100000.00' },
    { id: 2, version: 1, active: true, name: 'Nandi', stage: 'new', value: '50000.00' },
    { id: 3, version: 1, active: true, name: 'Om', stage: 'demo', value: '20000.00' },
  ];
});
afterEach(() => {
  vi.unstubAllGlobals();
  forgetSession();
});

describe('the board', () => {
  it('has a column for each value, with what is in it and its total', async () => {
    serve();
    openPage(KanbanPage, screen, '?board');
    await waitFor(() => expect(held('New')).toEqual(['Kaveri', 'Nandi']));
    expect(column('New').textContent).toContain('1,50,000.00');
    expect(held('Demo')).toEqual(['Om']);
    expect(held('Lost')).toEqual([]);
  });

  it('moves a card by its menu, with its version, to where its steps lead, and takes it back', async () => {
    const calls = serve();
    openPage(KanbanPage, screen, '?board');
    await page.findByText('Kaveri');
    await pressed('Move Kaveri');
    expect(page.getAllByRole('menuitem').map((item) => item.textContent)).toEqual(['Demo', 'Lost']);
    await userEvent.click(page.getByRole('menuitem', { name: 'Demo' }));
    await waitFor(() => expect(held('Demo')).toEqual(['Kaveri', 'Om']));
    expect(calls.find(({ method }) => method === 'PUT')?.body).toMatchObject({ version: 3, stage: 'demo' });
    await waitFor(() => expect(toasts.get().map(({ text }) => text)).toContain('Kaveri: Demo.'));
    act(() => toasts.get()[0]!.action!.onClick());
    await waitFor(() => expect(held('New')).toEqual(['Kaveri', 'Nandi']));
  });

  it('goes by keys from card to card, and M opens where one may go', async () => {
    serve();
    openPage(KanbanPage, screen, '?board');
    await page.findByText('Kaveri');
    act(() => page.getByRole('listitem', { name: /^Kaveri/ }).focus());
    await userEvent.keyboard('{ArrowDown}{ArrowRight}');
    expect(document.activeElement?.getAttribute('aria-label')).toMatch(/^Om/);
    await userEvent.keyboard('m');
    expect((await page.findAllByRole('menuitem')).map((item) => item.textContent)).toEqual(['New', 'Lost']);
  });

  it('asks before a last step, and for what it needs', async () => {
    const calls = serve();
    openPage(KanbanPage, screen, '?board');
    await page.findByText('Kaveri');
    await pressed('Move Kaveri');
    await userEvent.click(page.getByRole('menuitem', { name: 'Lost' }));
    await userEvent.click(await page.findByRole('button', { name: 'Move' }));
    const reason = await page.findByRole('textbox', { name: /Reason/ });
    await waitFor(() => expect(held('New')).toEqual(['Kaveri', 'Nandi']));
    await userEvent.type(reason, 'Price');
    await userEvent.click(within(page.getByRole('dialog')).getByRole('button', { name: 'Move' }));
    await waitFor(() => expect(held('Lost')).toEqual(['Kaveri']));
    expect(calls.filter(({ method }) => method === 'PUT').at(-1)?.body).toMatchObject({
      version: 3,
      stage: 'lost',
      reason: 'Price',
    });
    expect(page.queryByRole('button', { name: 'Move Kaveri' })).toBeNull();
  });

  it('puts a card back and says who was quicker', async () => {
    serve({
      'PUT /tapi/depot/1': () => ({
        status: 409,
        body: { error: { code: 'stale_version', message: 'Stale.', changed_by: 'Ravi Kumar' } },
      }),
    });
    openPage(KanbanPage, screen, '?board');
    await page.findByText('Kaveri');
    await pressed('Move Kaveri');
    await userEvent.click(page.getByRole('menuitem', { name: 'Demo' }));
    await waitFor(() =>
      expect(toasts.get().map(({ text }) => text)).toEqual([
        expect.stringMatching(/^Ravi Kumar has changed this meanwhile/),
      ]),
    );
    await waitFor(() => expect(held('New')).toEqual(['Kaveri', 'Nandi']));
  });

  it('shows one column at a time on a phone', async () => {
    asPhone();
    serve();
    openPage(KanbanPage, screen, '?board');
    await page.findByText('Kaveri');
    expect(page.queryByText('Om')).toBeNull();
    await userEvent.selectOptions(page.getByRole('combobox', { name: 'Stage' }), 'demo');
    expect(held('Demo')).toEqual(['Om']);
  });

  it('only shows cards to whoever may not change them', async () => {
    serve();
    openPage(KanbanPage, screen, '?board', { edit_screen: false });
    await page.findByText('Kaveri');
    expect(page.queryByRole('button', { name: 'Move Kaveri' })).toBeNull();
  });
});

it('offers steps that approve to those alone who take them', () => {
  const decided = { ...screen, flow: { ...screen.flow!, approve: { moves: { new: ['demo'] } } } };
  expect(nextValues(decided, 'new')).toEqual(['demo', 'lost']);
  expect(nextValues(decided, 'new', false)).toEqual(['lost']);
});
