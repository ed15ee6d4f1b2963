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

const job = (name: string, title: string, more: object = {}) => ({
  name,
  title,
  cron: '0 18 * * *',
  per: 'client',
  active: true,
  next_at: null,
  last_at: null,
  last_state: null,
  last_error: null,
  failures: 0,
  ...more,
});

it('jobs show their schedule and progress; a running one is stopped after confirmation, another is started', async () => {
  const run = {
    id: 8,
    name: 'release',
    title: 'Release visits',
    state: 'running',
    trigger: 'schedule',
    started_at: null,
    ms: null,
    message: null,
    error: null,
    steps: 3000,
    total: 20000,
    stopping: false,
  };
  const calls = fakeFetch({
    'GET /tapi/jobs': () => ({
      body: { data: [job('release', 'Release visits', { per: 'company' }), job('tidy', 'Tidy up')], mails: false },
    }),
    'GET /tapi/jobs/log': () => ({ body: { data: [run] } }),
    'POST /tapi/jobs/log/8/stop': () => ({ status: 202, body: { data: { id: 8 } } }),
    'POST /tapi/jobs/tidy/run': () => ({ status: 202, body: { data: { id: 9 } } }),
  });
  const sent = () => calls.filter(({ method }) => method === 'POST').map(({ path }) => path);
  render(
    <FluentProvider theme={webLightTheme}>
      <SWRConfig value={{ provider: () => new Map() }}>
        <MemoryRouter initialEntries={['/jobs']}>
          <JobsPage />
        </MemoryRouter>
      </SWRConfig>
    </FluentProvider>,
  );
  const row = within((await screen.findByText('Release visits')).closest('tr')!);
  expect(row.getByText('daily at 18:00, each company')).toBeTruthy();
  expect(await row.findByRole('progressbar', { name: 'Release visits: 3,000 of 20,000' })).toBeTruthy();
  expect(screen.queryByRole('tab', { name: 'Mails' })).toBeNull();
  fireEvent.click(row.getByRole('button', { name: 'Stop Release visits' }));
  await expect.poll(() => dialogs.get().length).toBe(1);
  expect(sent()).toEqual([]);
  answerDialog(dialogs.get()[0]!.id, true);
  await expect.poll(sent).toEqual(['/tapi/jobs/log/8/stop']);
  fireEvent.click(screen.getByRole('button', { name: 'Run Tidy up now' }));
  await expect.poll(sent).toContain('/tapi/jobs/tidy/run');
});
