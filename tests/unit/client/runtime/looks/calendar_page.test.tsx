import { act, createEvent, fireEvent, screen as page, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { toasts } from '../../../../../src/client/app/feedback.ts';
import { forgetSession } from '../../../../../src/client/app/session.ts';
import CalendarPage from '../../../../../src/client/runtime/looks/calendar/CalendarPage.tsx';
import { entriesByDay, movedBy, sideBySide } from '../../../../../src/client/runtime/looks/calendar/entries.ts';
import type { FilterExpression, WireRecord } from '../../../../../src/descriptor/types.ts';
import type { FakeCall } from '../../app/fetch_fake.ts';
import { fakeFetch } from '../../app/fetch_fake.ts';
import { asPhone, openPage } from '../page_harness.tsx';
import '../patience.ts';
import { withoutSizes } from '../resize_observer.ts';
import { depotScreen, field } from '../screen_fixture.ts';

const screen = depotScreen({
  fields: [field('name', 'name'), field('from', 'date'), field('until', 'date'), field('at', 'datetime')],
  label: ['name'],
  card: [],
  filters: [],
  looks: { calendar: { date: 'from', to: 'until', move: 'edit' } },
});
const row = (id: number, name: string, from: string, until: string | null = null) => ({
  id,
  version: 1,
  active: true,
  name,
  from,
  until,
});

let rows: ReturnType<typeof row>[];
function serve(more: Parameters<typeof fakeFetch>[0] = {}): FakeCall[] {
  return fakeFetch({
    'GET /tapi/depot': () => ({ body: { data: rows, pagination: { has_next: false, more: false }, cursor: null } }),
    'PUT /tapi/depot/1': ({ body }) => {
      rows = rows.map((one) => (one.id === 1 ? { ...one, ...(body as object), version: 2 } : one));
      return { body: { data: rows.find(({ id }) => id === 1) } };
    },
    ...more,
  });
}
const asked = (calls: FakeCall[]) =>
  JSON.parse(calls.findLast(({ path }) => path === '/tapi/depot')!.query.get('filter')!) as FilterExpression;
const dayCell = (day: string) => page.getByRole('button', { name: day }).closest('td')!;
const held = (day: string) =>
  within(dayCell(day))
    .queryAllByRole('listitem')
    .map((item) => item.getAttribute('aria-label')!.split(',')[0]);

beforeEach(() => {
  withoutSizes();
  rows = [row(1, 'Pongal', '2026-01-14', '2026-01-15'), row(2, 'Republic Day', '2026-01-26')];
});
afterEach(() => {
  vi.unstubAllGlobals();
  forgetSession();
});

it('a record that is open past the day on which it falls due is marked as late', () => {
  const filing = depotScreen({
    fields: [field('name', 'name'), field('from', 'date'), field('status', 'enum')],
    label: ['name'],
    looks: { calendar: { date: 'from' } },
    due: [{ event: 'due', title: 'Due', date: 'from', open: ['status', 'in', ['open']], people: {} }],
    workflow: {
      field: 'status',
      states: [
        { name: 'open', title: 'Open', is: 'open' },
        { name: 'filed', title: 'Filed', is: 'closed' },
      ],
      transitions: [],
    } as never,
  });
  const on = (id: number, status: string, from: string) => ({ ...row(id, `Form ${id}`, from), status });
  const far = '2999-01-01';
  const rows = [on(1, 'open', '2026-01-14'), on(2, 'filed', '2026-01-14'), on(3, 'open', far)];
  const found = [...entriesByDay(filing, rows, ['2026-01-14', far]).values()].flat();
  expect(found.map(({ late }) => late !== null)).toEqual([true, false, false]);
});

describe('the calendar of a list', () => {
  it('loads only the shown days, and shows each record on its days', async () => {
    const calls = serve();
    openPage(CalendarPage, screen, '?as=calendar&on=2026-01-20');
    await page.findByRole('table', { name: 'January 2026' });
    expect(asked(calls)).toEqual([
      'or',
      ['from', 'between', ['2025-12-29', '2026-02-01']],
      ['and', ['from', 'lt', '2025-12-29'], ['until', 'gte', '2025-12-29']],
    ]);
    expect(held('Wednesday, 14 January 2026')).toEqual(['Pongal']);
    expect(held('Thursday, 15 January 2026')).toEqual(['Pongal']);
    expect(held('Monday, 26 January 2026')).toEqual(['Republic Day']);
    await userEvent.click(page.getByRole('button', { name: 'Later month' }));
    await page.findByRole('table', { name: 'February 2026' });
    await waitFor(() => expect(JSON.stringify(asked(calls))).toContain('"2026-01-26","2026-03-01"'));
    await userEvent.click(page.getByRole('tab', { name: 'Week' }));
    await page.findByRole('table', { name: '16 February – 22 February 2026' });
  });

  it('moves a record by its menu, keeps its duration, and undoes it', async () => {
    const calls = serve();
    openPage(CalendarPage, screen, '?as=calendar&on=2026-01-20');
    await page.findByRole('table', { name: 'January 2026' });
    const entry = within(dayCell('Wednesday, 14 January 2026')).getByRole('listitem');
    act(() => entry.focus());
    await userEvent.keyboard('m');
    await userEvent.click(await page.findByRole('menuitem', { name: 'A week later' }));
    await waitFor(() => expect(held('Wednesday, 21 January 2026')).toEqual(['Pongal']));
    expect(calls.find(({ method }) => method === 'PUT')?.body).toMatchObject({
      version: 1,
      from: '2026-01-21',
      until: '2026-01-22',
    });
    act(() => toasts.get()[0]!.action!.onClick());
    await waitFor(() => expect(held('Wednesday, 14 January 2026')).toEqual(['Pongal']));
  });

  it('adds on a day by its button or a click on an empty part, with the date in the form', async () => {
    serve();
    const router = openPage(CalendarPage, screen, '?as=calendar&on=2026-01-20');
    await page.findByRole('table', { name: 'January 2026' });
    await userEvent.click(page.getByRole('button', { name: 'Add on Wednesday, 21 January 2026' }));
    await page.findByText('Elsewhere');
    expect(router.state.location).toMatchObject({ pathname: screen.routes.add, search: '?from=2026-01-21' });
    await act(() => router.navigate(-1));
    await page.findByRole('table', { name: 'January 2026' });
    await userEvent.click(dayCell('Thursday, 22 January 2026'));
    await page.findByText('Elsewhere');
    expect(router.state.location.search).toBe('?from=2026-01-22');
  });

  it('offers no adding without the right', async () => {
    serve();
    openPage(CalendarPage, screen, '?as=calendar&on=2026-01-20', { add_screen: false });
    await page.findByRole('table', { name: 'January 2026' });
    expect(page.queryByRole('button', { name: /^Add on / })).toBeNull();
    await userEvent.click(dayCell('Thursday, 22 January 2026'));
    expect(page.queryByText('Elsewhere')).toBeNull();
  });

  it('moves by arrow keys from day to day', async () => {
    serve();
    openPage(CalendarPage, screen, '?as=calendar&on=2026-01-20');
    await page.findByRole('table', { name: 'January 2026' });
    act(() => within(dayCell('Thursday, 15 January 2026')).getByRole('listitem').focus());
    await userEvent.keyboard('{ArrowRight}');
    expect(document.activeElement?.getAttribute('aria-label')).toMatch(/^Republic Day/);
  });

  it('is a list of days on a phone, and read-only without the edit right', async () => {
    asPhone();
    serve();
    openPage(CalendarPage, screen, '?as=calendar&on=2026-01-20', { edit_screen: false });
    await page.findByRole('heading', { name: 'Monday, 26 January 2026' });
    expect(page.queryByRole('table')).toBeNull();
    expect(page.queryByRole('button', { name: 'Move Pongal' })).toBeNull();
  });

  it('shows an error, and loads again', async () => {
    let fails = true;
    serve({
      'GET /tapi/depot': () =>
        fails
          ? { status: 500, body: { error: { code: 'failed', message: 'It failed.' } } }
          : { body: { data: rows, pagination: { has_next: false, more: false }, cursor: null } },
    });
    openPage(CalendarPage, screen, '?as=calendar&on=2026-01-20');
    await page.findByRole('heading', { name: 'The calendar of depots could not be loaded.' });
    fails = false;
    await userEvent.click(page.getByRole('button', { name: 'Try again' }));
    await page.findByRole('table', { name: 'January 2026' });
  });
});

it('keeps the time of day when moving, and sorts a day by time', () => {
  const moments = depotScreen({ fields: screen.fields, label: ['name'], looks: { calendar: { date: 'at' } } });
  const at = (id: number, value: Date) =>
    ({ id, version: 1, active: true, name: `N${id}`, at: value.toISOString() }) as WireRecord;
  const [late, early] = [at(1, new Date(2026, 2, 5, 16, 30)), at(2, new Date(2026, 2, 5, 9, 0))];
  expect(movedBy(moments, late, 3, 'edit')).toEqual({ at: new Date(2026, 2, 8, 16, 30).toISOString() });
  expect(
    entriesByDay(moments, [late, early], ['2026-03-05'])
      .get('2026-03-05')!
      .map(({ title, time }) => [title, time]),
  ).toEqual([
    ['N2', '09:00'],
    ['N1', '16:30'],
  ]);
});

describe('the hour view of a calendar', () => {
  const moments = depotScreen({
    fields: [field('name', 'name'), field('at', 'datetime'), field('until', 'datetime')],
    label: ['name'],
    card: [],
    filters: [],
    looks: { calendar: { date: 'at', to: 'until', move: 'edit' } },
  });
  const meeting = (id: number, name: string, from: Date, until: Date | null = null) =>
    ({ id, version: 1, active: true, name, at: from.toISOString(), until: until && until.toISOString() }) as WireRecord;
  const on = (hour: number, minute = 0, day = 5) => new Date(2026, 2, day, hour, minute);
  const week = '?as=calendar&on=2026-03-05&by=week';
  let held: WireRecord[];
  const open = () => {
    const calls = fakeFetch({
      'GET /tapi/depot': () => ({ body: { data: held, pagination: { has_next: false, more: false }, cursor: null } }),
      'PUT /tapi/depot/1': ({ body }) => {
        held = held.map((one) => (one.id === 1 ? { ...one, ...(body as object), version: 2 } : one));
        return { body: { data: held[0] } };
      },
    });
    return { calls, router: openPage(CalendarPage, moments, week) };
  };

  it('shows each record from start to end, across midnight, and all-day records separately', () => {
    const days = ['2026-03-04', '2026-03-05', '2026-03-06'];
    const parts = (record: WireRecord) =>
      [...entriesByDay(moments, [record], days)].map(([day, [one]]) => [day.slice(8), one!.from, one!.until]);
    expect(parts(meeting(1, 'Visit', on(9, 30), on(11)))).toEqual([['05', 570, 660]]);
    expect(parts(meeting(1, 'Moment', on(9, 30)))).toEqual([['05', 570, 600]]);
    expect(parts(meeting(1, 'Night', on(22, 0, 4), on(6)))).toEqual([
      ['04', 1_320, 1_440],
      ['05', 0, 360],
    ]);
    // What ends at midnight is not on the day that begins then.
    expect(parts(meeting(1, 'Fair', on(12, 0, 4), on(0, 0, 6)))).toEqual([
      ['04', 720, 1_440],
      ['05', 0, 1_440],
    ]);
  });

  it('shows overlapping records side by side, and others at full width', () => {
    const entries = entriesByDay(
      moments,
      [
        meeting(1, 'A', on(9), on(11)),
        meeting(2, 'B', on(10), on(12)),
        meeting(3, 'C', on(11), on(12)),
        meeting(4, 'D', on(14)),
      ],
      ['2026-03-05'],
    ).get('2026-03-05')!;
    expect(sideBySide(entries).map(({ entry, left, width }) => [entry.title, left, width])).toEqual([
      ['A', 0, 0.5],
      ['B', 0.5, 0.5],
      ['C', 0, 0.5],
      ['D', 0, 1],
    ]);
  });

  it('loads records that started before, and moves an entry by keyboard, keeping its duration', async () => {
    held = [meeting(1, 'Visit', on(9), on(11)), meeting(2, 'Fair', on(0, 0, 4), on(0, 0, 7))];
    const { calls } = open();
    const day = within(await page.findByRole('list', { name: 'Thursday, 5 March 2026' }));
    await day.findByRole('listitem', { name: /^Visit, 09:00/ });
    // The fair lasts all of three days: it stands above the hours.
    expect(day.queryByRole('listitem', { name: /^Fair/ })).toBeNull();
    expect(page.getAllByRole('listitem', { name: /^Fair/ })).toHaveLength(3);
    expect(JSON.stringify(asked(calls))).toContain('["until","gt",');
    act(() => day.getByRole('listitem', { name: /^Visit/ }).focus());
    await userEvent.keyboard('m');
    await userEvent.click(await page.findByRole('menuitem', { name: 'Half an hour later' }));
    await day.findByRole('listitem', { name: /^Visit, 09:30/ });
    expect(calls.find(({ method }) => method === 'PUT')?.body).toMatchObject({
      version: 1,
      at: on(9, 30).toISOString(),
      until: on(11, 30).toISOString(),
    });
  });

  it('accepts an entry dropped on a slot, and on a day above with its own time', async () => {
    held = [meeting(1, 'Visit', on(9), on(10))];
    open();
    const dataTransfer = { setData: () => undefined, effectAllowed: '' };
    const drag = async (name: RegExp, target: HTMLElement, clientY: number) => {
      fireEvent.dragStart(await page.findByRole('listitem', { name }), { dataTransfer });
      await waitFor(() => expect(page.getByRole('listitem', { name }).dataset.dragged).toBe('true'));
      // jsdom's drags know no place.
      for (const make of [createEvent.dragOver, createEvent.drop])
        fireEvent(target, Object.assign(make(target, { dataTransfer }), { clientY }));
    };
    // 48 pixels an hour: 14:30 and a little.
    await page.findByRole('listitem', { name: /^Visit/ });
    await drag(/^Visit, 09:00/, page.getByRole('list', { name: 'Friday, 6 March 2026' }), 14.5 * 48 + 10);
    await page.findByRole('listitem', { name: 'Visit, 14:30, Friday, 6 March 2026' });
    expect(held[0]).toMatchObject({ at: on(14, 30, 6).toISOString(), until: on(15, 30, 6).toISOString() });
    await drag(
      /^Visit, 14:30/,
      page.getByRole('button', { name: 'Monday, 2 March 2026' }).closest('[data-column]')!,
      0,
    );
    await page.findByRole('listitem', { name: 'Visit, 14:30, Monday, 2 March 2026' });
  });

  it('adds at the clicked half hour', async () => {
    held = [meeting(1, 'Visit', on(9), on(10))];
    const { router } = open();
    // 48 pixels an hour: 14:30 and a little.
    fireEvent.click(await page.findByRole('list', { name: 'Friday, 6 March 2026' }), { clientY: 14.5 * 48 + 10 });
    await page.findByText('Elsewhere');
    expect(new URLSearchParams(router.state.location.search).get('at')).toBe(on(14, 30, 6).toISOString());
  });

  it('changes to a list of days in the agenda', async () => {
    held = [meeting(1, 'Visit', on(9), on(10))];
    open();
    await page.findByRole('list', { name: 'Thursday, 5 March 2026' });
    await userEvent.click(page.getByRole('tab', { name: 'Agenda' }));
    await page.findByRole('heading', { name: 'Thursday, 5 March 2026' });
    expect(page.queryByRole('group', { name: /March/ })).toBeNull();
  });
});
