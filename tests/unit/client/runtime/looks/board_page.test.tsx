import { act, fireEvent, screen as page, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { toasts } from '../../../../../src/client/app/feedback.ts';
import { forgetSession } from '../../../../../src/client/app/session.ts';
import BoardPage from '../../../../../src/client/runtime/looks/board/BoardPage.tsx';
import { columnsFor } from '../../../../../src/client/runtime/looks/board/move_card.ts';
import type { Screen, ScreenRef, WireRecord } from '../../../../../src/descriptor/types.ts';
import type { OfferedStep, Transition } from '../../../../../src/descriptor/workflow.ts';
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
function step(name: string, to: string, more: Partial<Transition>): Transition {
  const title = name.charAt(0).toUpperCase() + name.slice(1);
  return { name, title, from: ['new', 'demo'], to, guard: [], ask: [], set: {}, effects: [], ...more };
}
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
  workflow: {
    field: 'stage',
    states: stages.map(({ value, label }) => ({
      name: value,
      title: label,
      colour: 'neutral',
      is: value === 'lost' ? 'cancelled' : 'open',
      edit: true,
    })),
    transitions: [
      step('show', 'demo', { from: ['new'] }),
      step('return', 'new', { from: ['demo'] }),
      step('lose', 'lost', { ask: [{ field: 'reason', required: true }] }),
    ],
  },
  looks: { board: { by: 'stage', sum: 'value', card: ['value'] } },
});

interface Card {
  id: number;
  version: number;
  active: boolean;
  name: string;
  due_on?: string;
  stage: string;
  value: string;
}
let cards: Card[];
type Row = Record<string, unknown>;
/** What the server offers for a card. */
let offered: (stage: string) => OfferedStep[];

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
    ...Object.fromEntries(
      [1, 2, 3].flatMap((id) => {
        const card = () => cards.find((one) => one.id === id)!;
        const take =
          (stage: string, wanted: (body: Row) => boolean = () => true) =>
          ({ body }: { body: unknown }) => {
            if (!wanted(body as Row))
              return { status: 422, body: { error: { code: 'invalid', message: 'Reason is required.' } } };
            cards = cards.map((one) => (one.id === id ? { ...one, stage, version: one.version + 1 } : one));
            return { body: { data: card() } };
          };
        return [
          [`GET /tapi/depot/${id}`, () => ({ body: { data: { ...card(), _can: offered(card().stage) } } })],
          [`POST /tapi/depot/${id}/show`, take('demo')],
          [`POST /tapi/depot/${id}/return`, take('new')],
          [`POST /tapi/depot/${id}/lose`, take('lost', ({ reason }) => Boolean(reason))],
        ];
      }),
    ),
    ...more,
  });
}
/** Behind an open dialog too, which hides the rest of the page after a moment. */
const column = (name: string) => page.getByRole('region', { name: new RegExp(`^${name},`), hidden: true });
const held = (name: string) =>
  within(column(name))
    .queryAllByRole('link', { hidden: true })
    .map((link) => link.textContent);
const pressed = (name: string | RegExp) => userEvent.click(page.getByRole('button', { name }));

beforeEach(() => {
  withoutSizes();
  offered = (stage) =>
    screen
      .workflow!.transitions.filter(({ from }) => from.includes(stage))
      .map(({ name }) => ({ name, blocked: null }));
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
  it('has a column for each value, with its records and total', async () => {
    serve();
    openPage(BoardPage, screen, '?as=board');
    await waitFor(() => expect(held('New')).toEqual(['Kaveri', 'Nandi']));
    expect(column('New').textContent).toContain('1,50,000.00');
    expect(held('Demo')).toEqual(['Om']);
    expect(held('Lost')).toEqual([]);
  });

  it('keeps the clocks of cards running', async () => {
    const begin = Date.parse('2026-03-02T10:00:00Z');
    const now = vi.spyOn(Date, 'now').mockReturnValue(begin);
    const clock = { state: 'running', since: begin, elapsed: 0, target: 30, due: begin + 1_800_000, spans: [] };
    serve();
    cards = cards.map((card) => ({ ...card, left: clock }));
    openPage(
      BoardPage,
      {
        ...screen,
        fields: [...screen.fields, field('left', 'clock')],
        looks: { ...screen.looks, board: { ...screen.looks!.board!, card: ['left'] } },
      },
      '?as=board',
    );
    const shown = () => [...document.querySelectorAll('[data-clock]')].map(({ textContent }) => textContent);
    await waitFor(() => expect(shown()).toEqual(['30 min left', '30 min left', '30 min left']));
    now.mockReturnValue(begin + 40 * 60_000);
    await waitFor(() => expect(shown()[0]).toBe('Overdue by 10 min'));
    now.mockRestore();
  });

  it('moves a card by its menu, with its version, along its transitions, and undoes it', async () => {
    const calls = serve();
    openPage(BoardPage, screen, '?as=board');
    await page.findByText('Kaveri');
    await pressed('Move Kaveri');
    expect(page.getAllByRole('menuitem').map((item) => item.textContent)).toEqual(['Demo', 'Lost']);
    await userEvent.click(page.getByRole('menuitem', { name: 'Demo' }));
    await waitFor(() => expect(held('Demo')).toEqual(['Kaveri', 'Om']));
    expect(calls.find(({ path }) => path === '/tapi/depot/1/show')?.body).toMatchObject({ version: 3 });
    await waitFor(() => expect(toasts.get().map(({ text }) => text)).toContain('Kaveri: Demo.'));
    act(() => toasts.get()[0]!.action!.onClick());
    await waitFor(() => expect(held('New')).toEqual(['Kaveri', 'Nandi']));
  });

  it('moves between cards by keyboard, and M opens the possible targets', async () => {
    serve();
    openPage(BoardPage, screen, '?as=board');
    await page.findByText('Kaveri');
    act(() => page.getByRole('listitem', { name: /^Kaveri/ }).focus());
    await userEvent.keyboard('{ArrowDown}{ArrowRight}');
    expect(document.activeElement?.getAttribute('aria-label')).toMatch(/^Om/);
    await userEvent.keyboard('m');
    expect((await page.findAllByRole('menuitem')).map((item) => item.textContent)).toEqual(['New', 'Lost']);
  });

  it('asks for the transition’s fields, and then moves the card', async () => {
    const calls = serve();
    openPage(BoardPage, screen, '?as=board');
    await page.findByText('Kaveri');
    await pressed('Move Kaveri');
    await userEvent.click(page.getByRole('menuitem', { name: 'Lost' }));
    const dialog = within(await page.findByRole('alertdialog', { name: 'Lose' }));
    await userEvent.click(dialog.getByRole('button', { name: 'Lose' }));
    expect(calls.some(({ path }) => path.endsWith('/lose'))).toBe(false);
    expect(held('New')).toEqual(['Kaveri', 'Nandi']);
    await userEvent.type(dialog.getByRole('textbox', { name: /Reason/ }), 'Price');
    await userEvent.click(dialog.getByRole('button', { name: 'Lose' }));
    await waitFor(() => expect(held('Lost')).toEqual(['Kaveri']));
    expect(calls.find(({ path }) => path.endsWith('/lose'))?.body).toMatchObject({ version: 3, reason: 'Price' });
    expect(page.queryByRole('button', { name: 'Move Kaveri' })).toBeNull();
  });

  it('moves a card back after a conflict and names the other person', async () => {
    serve({
      'POST /tapi/depot/1/show': () => ({
        status: 409,
        body: { error: { code: 'stale_version', message: 'Stale.', changed_by: 'Ravi Kumar' } },
      }),
    });
    openPage(BoardPage, screen, '?as=board');
    await page.findByText('Kaveri');
    await pressed('Move Kaveri');
    await userEvent.click(page.getByRole('menuitem', { name: 'Demo' }));
    await waitFor(() =>
      expect(toasts.get().map(({ text }) => text)).toEqual([
        expect.stringMatching(/^Ravi Kumar has changed this in the meantime/),
      ]),
    );
    await waitFor(() => expect(held('New')).toEqual(['Kaveri', 'Nandi']));
    const card = within(page.getByRole('listitem', { name: /^Kaveri/ }));
    expect(card.getByText(/^Ravi Kumar has changed this in the meantime/)).toBeTruthy();
    await userEvent.click(card.getByRole('button', { name: 'Hide the reason' }));
    expect(card.queryByText(/^Ravi Kumar has changed/)).toBeNull();
  });

  it('explains a blocked transition, and removes columns that the server does not offer', async () => {
    offered = () => [{ name: 'show', blocked: 'Enter the value first.' }];
    const calls = serve();
    openPage(BoardPage, screen, '?as=board');
    await page.findByText('Kaveri');
    await pressed('Move Kaveri');
    await waitFor(() => expect(page.getAllByRole('menuitem').map((item) => item.textContent)).toEqual(['Demo']));
    await userEvent.click(page.getByRole('menuitem', { name: 'Demo' }));
    await waitFor(() => expect(toasts.get().map(({ text }) => text)).toEqual(['Enter the value first.']));
    expect(calls.some(({ method }) => method === 'POST')).toBe(false);
  });

  it('shows one column at a time on a phone', async () => {
    asPhone();
    serve();
    openPage(BoardPage, screen, '?as=board');
    await page.findByText('Kaveri');
    expect(page.queryByText('Om')).toBeNull();
    await userEvent.selectOptions(page.getByRole('combobox', { name: 'Stage' }), 'demo');
    expect(held('Demo')).toEqual(['Om']);
  });

  it('explains why a column refuses a card: while dragging over it, when dropped, and on M', async () => {
    offered = () => [{ name: 'return', blocked: null }];
    const calls = serve();
    openPage(BoardPage, screen, '?as=board');
    await page.findByText('Om');
    const dataTransfer = { setData: () => undefined, effectAllowed: '' };
    fireEvent.dragStart(page.getByRole('listitem', { name: /^Om/ }), { dataTransfer });
    await waitFor(() => expect(column('New').dataset.takes).toBe('true'));
    await waitFor(() => expect(column('Lost').dataset.takes).toBeUndefined());
    fireEvent.dragOver(column('Lost'), { dataTransfer });
    const why = 'You cannot take the step "Lose" of "Om" now.';
    expect(within(column('Lost')).getByText(why)).toBeTruthy();
    fireEvent.drop(column('Lost'), { dataTransfer });
    // It stays where it was, with the reason.
    expect(await within(page.getByRole('listitem', { name: /^Om/ })).findByText(why)).toBeTruthy();
    expect(held('Demo')).toEqual(['Om']);
    await waitFor(() => expect(toasts.get().map(({ text }) => text)).toEqual([why]));
    cards = cards.map((card) => ({ ...card, stage: 'lost', version: card.version + 1 }));
    expect(calls.some(({ method }) => method === 'POST')).toBe(false);
  });

  it('explains why a card cannot move', async () => {
    cards = cards.map((card) => ({ ...card, stage: 'lost' }));
    serve();
    openPage(BoardPage, screen, '?as=board');
    await page.findByText('Om');
    act(() => page.getByRole('listitem', { name: /^Om/ }).focus());
    await userEvent.keyboard('m');
    await waitFor(() =>
      expect(toasts.get().map(({ text }) => text)).toEqual([
        '"Om" cannot go from "Lost" to "New": no step leads there.',
      ]),
    );
  });

  it('marks open cards that are late', async () => {
    serve();
    cards = cards.map((card) => ({ ...card, due_on: '2020-02-01', stage: card.name === 'Om' ? 'lost' : 'new' }));
    openPage(
      BoardPage,
      {
        ...screen,
        fields: [...screen.fields, field('due_on', 'date')],
        looks: { board: { ...screen.looks!.board!, late: 'due_on' } },
      },
      '?as=board',
    );
    expect(
      within(await page.findByRole('listitem', { name: /^Kaveri, Late by \d+ days/ })).getByText(/Late by/),
    ).toBeTruthy();
    expect(page.getByRole('listitem', { name: /^Om/ }).textContent).not.toContain('Late');
  });

  it('uses the list’s due dates if the board names none', async () => {
    serve();
    cards = cards.map((card) => ({ ...card, due_on: '2020-02-01', stage: card.name === 'Om' ? 'demo' : 'new' }));
    const due = { event: 'due', title: 'Due', date: 'due_on', people: [], open: ['stage', 'eq', 'new'] };
    openPage(
      BoardPage,
      { ...screen, fields: [...screen.fields, field('due_on', 'date')], due: [due] as unknown as Screen['due'] },
      '?as=board',
    );
    expect(await page.findByRole('listitem', { name: /^Kaveri, Late by \d+ days/ })).toBeTruthy();
    expect(page.getByRole('listitem', { name: /^Om/ }).textContent).not.toContain('Late');
  });

  it('has records as columns, in the server’s order, and a drop runs an action with the record', async () => {
    const owned = depotScreen({
      fields: [field('name', 'name', { required: true }), field('owner_id', 'ref', { ref: { type: 'people' } })],
      label: ['name'],
      card: [],
      filters: [],
      actions: [
        {
          title: 'Hand over',
          run: 'test.hand_over',
          on: 'record',
          params: [field('to', 'ref', { ref: { type: 'people' }, required: true })],
        },
      ],
      looks: { board: { by: 'owner_id', card: [], drop: 'test.hand_over' } },
    });
    let owner: number | null = 9;
    const calls = fakeFetch({
      'GET /tapi/depot/board': () => ({
        body: {
          data: [
            { value: '9', label: 'Zara', count: owner === 9 ? 1 : 0, sum: null },
            { value: '4', label: 'Arun', count: owner === 4 ? 1 : 0, sum: null },
          ],
        },
      }),
      'GET /tapi/depot': ({ query }) => ({
        body: {
          data:
            (JSON.parse(query.get('filter')!) as unknown[])[2] === owner
              ? [{ id: 1, version: 2, active: true, name: 'Kaveri', owner_id: owner }]
              : [],
          pagination: { has_next: false, more: false },
          cursor: null,
        },
      }),
      'GET /tapi/depot/1': () => ({
        body: { data: { id: 1, version: 2, active: true, name: 'Kaveri', owner_id: owner } },
      }),
      'POST /tapi/depot/action/test.hand_over': () => {
        owner = 4;
        return { body: { data: { set: null, done: null } } };
      },
    });
    openPage(BoardPage, owned, '?as=board');
    await waitFor(() => expect(held('Zara')).toEqual(['Kaveri']));
    expect(page.getAllByRole('heading', { level: 2 }).map((one) => one.textContent)).toEqual([
      'No owner',
      'Zara',
      'Arun',
    ]);
    // More of them would stand here when they are asked for.
    expect(page.queryByRole('button', { name: /empty columns/ })).toBeNull();
    await pressed('Move Kaveri');
    await userEvent.click(page.getByRole('menuitem', { name: 'Arun' }));
    await waitFor(() => expect(held('Arun')).toEqual(['Kaveri']));
    expect(calls.find(({ method }) => method === 'POST')!.body).toMatchObject({
      on: 'record',
      params: { to: 4 },
      id: 1,
      version: 2,
    });
  });

  it('hides empty columns of many records until they are requested', async () => {
    fakeFetch({
      'GET /tapi/depot/board': () => ({
        body: {
          data: Array.from({ length: 14 }, (_, at) => ({
            value: String(at),
            label: `P${at}`,
            count: at === 5 ? 1 : 0,
          })),
        },
      }),
      'GET /tapi/depot': () => ({
        body: {
          data: [{ id: 1, version: 2, active: true, name: 'Kaveri', owner_id: 5 }],
          pagination: { has_next: false, more: false },
          cursor: null,
        },
      }),
    });
    openPage(
      BoardPage,
      depotScreen({
        fields: [field('name', 'name'), field('owner_id', 'ref', { ref: { type: 'people' }, required: true })],
        label: ['name'],
        looks: { board: { by: 'owner_id', card: [] } },
      }),
      '?as=board',
    );
    await waitFor(() => expect(held('P5')).toEqual(['Kaveri']));
    expect(page.getAllByRole('heading', { level: 2 })).toHaveLength(1);
    await pressed('Show 13 empty columns');
    expect(page.getAllByRole('heading', { level: 2 })).toHaveLength(14);
  });

  it('is read-only without the right to change', async () => {
    serve();
    openPage(BoardPage, screen, '?as=board', { edit_screen: false });
    await page.findByText('Kaveri');
    expect(page.queryByRole('button', { name: 'Move Kaveri' })).toBeNull();
  });
});

it('offers approving transitions only to people with the right', () => {
  const [show, ...others] = screen.workflow!.transitions;
  const approved = { ...show!, right: { page: 'approval_screen' as const }, who: ['!requester'] };
  const decided = { ...screen, workflow: { ...screen.workflow!, transitions: [approved, ...others] } };
  const card = { id: 1, version: 1, active: true, stage: 'new' } as unknown as WireRecord;
  const rights = { landing: true, add_screen: true, edit_screen: true, view_screen: true, transfer_screen: false };
  const columns = (approval: boolean) =>
    columnsFor(decided, card, { ...rights, approval_screen: approval, write: true } as ScreenRef['rights'], stages).map(
      ({ value }) => value,
    );
  expect([columns(true), columns(false)]).toEqual([['demo', 'lost'], ['lost']]);
});
