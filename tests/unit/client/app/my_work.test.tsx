import { FluentProvider, webLightTheme } from '@fluentui/react-components';
import { render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { SWRConfig } from 'swr';
import { afterEach, expect, it } from 'vitest';
import MyWork from '../../../../src/client/app/home/MyWork.tsx';
import { forgetSession, rememberSession } from '../../../../src/client/app/session.ts';
import { today } from '../../../../src/descriptor/place.ts';
import { addDays } from '../../../../src/client/runtime/fields/calendar/days.ts';
import { fakeFetch } from './fetch_fake.ts';

afterEach(() => forgetSession());

const event = (label: string, day: string) => ({
  day,
  type: 'tis_inspection',
  title: 'Inspection is planned',
  label,
  route: `/tis/view/${label}`,
});

function show(events: object[]) {
  rememberSession({ token: 't', user_id: 7, entity_id: 1 });
  const calls = fakeFetch({
    'GET /tapi/calendar': () => ({
      body: { data: { week_offs: [], half_days: [], holidays: [], events, more: false } },
    }),
  });
  const page = render(
    <FluentProvider theme={webLightTheme}>
      <SWRConfig value={{ provider: () => new Map() }}>
        <MemoryRouter>
          <MyWork />
        </MemoryRouter>
      </SWRConfig>
    </FluentProvider>,
  );
  return { calls, page };
}

it('tells what waits for me, what is late first, and leads to it', async () => {
  const now = today();
  const { calls } = show([event('T3', addDays(now, 2)), event('T2', now), event('T1', addDays(now, -3))]);
  const links = await screen.findAllByRole('link', { name: /Inspection/ });
  const written = (day: string) => day.split('-').reverse().join('-');
  expect(links.map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
    [`T1Inspection is planned, was due ${written(addDays(now, -3))}`, '/tis/view/T1'],
    ['T2Inspection is planned today', '/tis/view/T2'],
    [`T3Inspection is planned, ${written(addDays(now, 2))}`, '/tis/view/T3'],
  ]);
  expect(Object.fromEntries(calls[0]!.query)).toEqual({ from: addDays(now, -30), to: addDays(now, 7), mine: '1' });
});

it('shows eight at most and leads to all; nothing where nothing waits', async () => {
  const { page } = show(Array.from({ length: 9 }, (_, n) => event(`T${n}`, today())));
  expect((await screen.findByRole('link', { name: 'All 9' })).getAttribute('href')).toBe('/Calendar');
  expect(screen.getAllByRole('link', { name: /Inspection/ })).toHaveLength(8);
  page.unmount();
  const { calls, page: empty } = show([]);
  await expect.poll(() => calls.length).toBe(1);
  expect(empty.container.querySelector('section')).toBeNull();
});
