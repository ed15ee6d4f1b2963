import { act, createEvent, fireEvent, screen as page, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { forgetSession } from '../../../../../src/client/app/session.ts';
import { addDays } from '../../../../../src/client/runtime/fields/calendar/days.ts';
import TimelinePage from '../../../../../src/client/runtime/looks/timeline/TimelinePage.tsx';
import {
  linesOf,
  periodAround,
  periodInWords,
  placeOf,
  ticks,
} from '../../../../../src/client/runtime/looks/timeline/lanes.ts';
import type { WireRecord } from '../../../../../src/descriptor/types.ts';
import { fakeFetch } from '../../app/fetch_fake.ts';
import { openPage } from '../page_harness.tsx';
import '../patience.ts';
import { withSizes } from '../resize_observer.ts';
import { depotScreen, field } from '../screen_fixture.ts';

const screen = depotScreen({
  fields: [field('name', 'name'), field('from', 'date'), field('until', 'date'), field('branch_id', 'ref')],
  label: ['name'],
  card: [],
  filters: [],
  looks: { timeline: { from: 'from', to: 'until', lane: 'branch_id' } },
});
const row = (id: number, branch: string, from: string, until: string | null): WireRecord => ({
  id,
  version: 1,
  active: true,
  name: `N${id}`,
  branch_id: branch.length,
  branch_id__label: branch,
  from,
  until,
});
const year = periodAround('2026-05-17', 'year');

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  forgetSession();
});

describe('lanes', () => {
  it('have bars for their part of the period, cut at its ends', () => {
    const [head, line] = linesOf(screen, [row(1, 'Adyar', '2025-06-01', null)], year);
    expect(head).toMatchObject({ lane: 'Adyar', count: 1 });
    expect(line).toMatchObject({ bars: [{ start: 0, end: 1, before: true, after: true }] });
    const [, short] = linesOf(screen, [row(1, 'Adyar', '2026-01-01', '2026-01-01')], year);
    expect(short).toMatchObject({ bars: [{ start: 0, end: 1 / 365, before: false, after: false }] });
  });

  it('never overlap bars, and lose none', () => {
    const spans = fc.array(fc.tuple(fc.integer({ min: -40, max: 390 }), fc.integer({ min: 0, max: 60 })), {
      maxLength: 40,
    });
    fc.assert(
      fc.property(spans, (given) => {
        const rows = given.map(([start, days], at) =>
          row(at + 1, 'A', addDays('2026-01-01', start), addDays('2026-01-01', start + days)),
        );
        const lines = linesOf(screen, rows, year).flatMap((line) => ('bars' in line ? [line.bars] : []));
        for (const bars of lines)
          bars.forEach((bar, at) => at > 0 && expect(bar.start).toBeGreaterThanOrEqual(bars[at - 1]!.end));
        expect(lines.flat()).toHaveLength(rows.length);
      }),
    );
  });

  it('show their time in words and marks', () => {
    expect(periodAround('2026-05-17', 'quarter')).toEqual({ first: '2026-04-01', last: '2026-06-30' });
    expect(periodInWords(periodAround('2026-05-17', 'quarter'), 'quarter')).toBe('Apr – Jun 2026');
    expect(ticks(year, 'year')).toHaveLength(12);
    expect(ticks(periodAround('2026-02-10', 'month'), 'month').map(({ label }) => label)).toEqual([
      '2',
      '9',
      '16',
      '23',
    ]);
    expect([placeOf('2026-01-01', year), placeOf('2027-01-01', year)]).toEqual([0, null]);
  });
});

describe('the timeline of a list', () => {
  it('loads its period, in lanes, and is navigated by arrow keys', async () => {
    withSizes();
    const calls = fakeFetch({
      'GET /tapi/depot': () => ({
        body: {
          data: [
            row(1, 'Adyar', '2026-02-01', '2026-03-31'),
            row(2, 'Adyar', '2026-05-01', null),
            row(3, 'Mylapore', '2026-01-05', '2026-12-31'),
          ],
          pagination: { has_next: false, more: false },
          cursor: null,
        },
      }),
    });
    openPage(TimelinePage, screen, '?as=timeline&on=2026-05-17');
    await page.findByRole('heading', { name: 'Adyar 2' });
    page.getByRole('heading', { name: 'Mylapore 1' });
    const query = calls.find(({ path }) => path === '/tapi/depot')!.query;
    expect(JSON.parse(query.get('filter')!)).toEqual([
      'and',
      ['from', 'lte', '2026-12-31'],
      ['or', ['until', 'gte', '2026-01-01'], ['until', 'empty']],
    ]);
    expect(query.get('sort')).toBe('branch_id,from');
    act(() => page.getByRole('listitem', { name: 'N1, Adyar, 01-02-2026 – 31-03-2026' }).focus());
    await userEvent.keyboard('{ArrowRight}');
    expect(document.activeElement?.getAttribute('aria-label')).toBe('N2, Adyar, 01-05-2026 – no end');
    await userEvent.keyboard('{ArrowDown}');
    expect(document.activeElement?.getAttribute('aria-label')).toMatch(/^N3, Mylapore/);
    await userEvent.click(page.getByRole('tab', { name: 'Quarter' }));
    await waitFor(() => page.getByRole('heading', { name: 'Apr – Jun 2026' }));
  });

  it('moves a bar by keyboard and by dragging, with its last day', async () => {
    withSizes();
    let held = row(1, 'Adyar', '2026-02-01', '2026-03-31');
    const calls = fakeFetch({
      'GET /tapi/depot': () => ({
        body: { data: [held], pagination: { has_next: false, more: false }, cursor: null },
      }),
      'PUT /tapi/depot/1': ({ body }) => {
        held = { ...held, ...(body as object) };
        return { body: { data: held } };
      },
    });
    openPage(
      TimelinePage,
      { ...screen, looks: { timeline: { ...screen.looks!.timeline!, move: 'edit' } } },
      '?as=timeline&on=2026-05-17',
    );
    const bar = await page.findByRole('listitem', { name: 'N1, Adyar, 01-02-2026 – 31-03-2026' });
    act(() => bar.focus());
    await userEvent.keyboard('m');
    await userEvent.click(await page.findByRole('menuitem', { name: 'A week later' }));
    const later = await page.findByRole('listitem', { name: 'N1, Adyar, 08-02-2026 – 07-04-2026' });
    expect(calls.find(({ method }) => method === 'PUT')!.body).toMatchObject({
      from: '2026-02-08',
      until: '2026-04-07',
    });
    // A tenth of the year's width to the left is 37 days of it.
    const width = page.getByRole('group', { name: 'Timeline of Depots' }).clientWidth;
    const dataTransfer = { setData: () => undefined, effectAllowed: '', dropEffect: 'move' };
    for (const [make, clientX] of [
      [createEvent.dragStart, 500],
      [createEvent.dragEnd, 500 - width / 10],
    ] as const)
      fireEvent(later, Object.assign(make(later, { dataTransfer }), { clientX }));
    await page.findByRole('listitem', { name: /^N1, Adyar, 0[23]-01-2026 – / });
  });
});
