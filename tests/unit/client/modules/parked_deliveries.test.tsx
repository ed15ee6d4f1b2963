import { FluentProvider, webLightTheme } from '@fluentui/react-components';
import { fireEvent, render, screen, within } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { SWRConfig } from 'swr';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { answerDialog, dialogs } from '../../../../src/client/app/feedback.ts';
import { forgetSession, rememberSession } from '../../../../src/client/app/session.ts';
import JobsPage from '../../../../src/client/modules/platform/JobsPage.tsx';
import { fakeFetch } from '../app/fetch_fake.ts';

beforeEach(() => rememberSession({ token: 't', user_id: 7, entity_id: 1 }));
afterEach(() => forgetSession());

it('parked deliveries are shown, retried, and dropped after confirmation', async () => {
  const one = {
    id: 4,
    event: 'admin_lead.win',
    subscriber: 'admin',
    record_type: 'admin_lead',
    record_id: 12,
    at: '2026-05-04T10:00:00Z',
    attempts: 6,
    error: 'The name is taken.',
    waiting: 2,
  };
  const calls = fakeFetch({
    'GET /tapi/event_delivery': () => ({ body: { data: [one] } }),
    'POST /tapi/event_delivery/4/retry': () => ({ status: 202, body: { data: { id: 4 } } }),
    'POST /tapi/event_delivery/4/drop': () => ({ status: 202, body: { data: { id: 4 } } }),
  });
  const sent = () => calls.filter(({ method }) => method === 'POST').map(({ path }) => path.split('/').at(-1));
  render(
    <FluentProvider theme={webLightTheme}>
      <SWRConfig value={{ provider: () => new Map() }}>
        <MemoryRouter initialEntries={['/jobs?tab=parked']}>
          <JobsPage />
        </MemoryRouter>
      </SWRConfig>
    </FluentProvider>,
  );
  const row = (await screen.findByText(/Admin lead: win \(12\)/)).closest('tr')!;
  expect(within(row).getByText('The name is taken.')).toBeTruthy();
  expect([...row.querySelectorAll('td')].slice(2, 4).map(({ textContent }) => textContent)).toEqual(['6', '2']);
  fireEvent.click(within(row).getByRole('button', { name: 'Try again' }));
  await expect.poll(sent).toEqual(['retry']);
  for (const answer of [false, true]) {
    fireEvent.click(within(row).getByRole('button', { name: 'Drop' }));
    await expect.poll(() => dialogs.get().length).toBe(1);
    expect(sent()).toEqual(['retry']);
    answerDialog(dialogs.get()[0]!.id, answer);
  }
  await expect.poll(sent).toEqual(['retry', 'drop']);
});
