import { screen as page, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { forgetSession } from '../../../../../src/client/app/session.ts';
import ThreadPage from '../../../../../src/client/runtime/looks/thread/ThreadPage.tsx';
import type { FakeCall } from '../../app/fetch_fake.ts';
import { fakeFetch } from '../../app/fetch_fake.ts';
import { asPhone, openPage } from '../page_harness.tsx';
import '../patience.ts';
import { withoutSizes } from '../resize_observer.ts';
import { depotScreen, field } from '../screen_fixture.ts';

const kinds = ['call', 'mail'].map((value) => ({ value, label: value === 'call' ? 'Call' : 'Mail' }));
const screen = depotScreen({
  fields: [
    field('name', 'name'),
    field('calls', 'rows', {
      title: 'What happened',
      rows: [
        field('at', 'datetime', { title: 'When' }),
        field('kind', 'enum', { options: kinds, default: 'call' }),
        field('note', 'text', { title: 'Note' }),
      ],
    }),
  ],
  label: ['name'],
  card: ['name'],
  filters: [],
  looks: { thread: { posts: 'calls', kinds: 'kind', text: 'note', at: 'at' } },
});

let record: { id: number; version: number; active: boolean; name: string; calls: Record<string, unknown>[] };
function serve(more: Parameters<typeof fakeFetch>[0] = {}): FakeCall[] {
  return fakeFetch({
    'GET /tapi/depot': () => ({
      body: {
        data: [record, { id: 2, version: 1, active: true, name: 'Nandi' }],
        pagination: { has_next: false, more: false },
        cursor: null,
      },
    }),
    'GET /tapi/depot/1': () => ({ body: { data: record } }),
    'GET /tapi/depot/2': () => ({ body: { data: { id: 2, version: 1, active: true, name: 'Nandi', calls: [] } } }),
    'PUT /tapi/depot/1': ({ body }) => {
      const { version, calls } = body as { version: number; calls: { add: Record<string, unknown>[] } };
      if (version !== record.version)
        return { status: 409, body: { error: { code: 'stale_version', message: 'Stale.' } } };
      record = { ...record, version: version + 1, calls: [...record.calls, { id: 99, ...calls.add[0] }] };
      return { body: { data: record } };
    },
    ...more,
  });
}
const said = () =>
  within(page.getByRole('list', { name: 'What happened' }))
    .getAllByRole('listitem')
    .map((item) => item.querySelector('p')?.textContent);

beforeEach(() => {
  withoutSizes();
  record = {
    id: 1,
    version: 3,
    active: true,
    name: 'Kaveri',
    calls: [
      { id: 11, at: '2026-03-05T06:00:00Z', kind: 'mail', note: 'Sent the offer.' },
      { id: 10, at: '2026-03-04T06:00:00Z', kind: 'call', note: 'Asked for an offer.' },
    ],
  };
});
afterEach(() => {
  vi.unstubAllGlobals();
  forgetSession();
});

describe('the conversations of a list', () => {
  it('show the open record’s rows, oldest first, and add new ones', async () => {
    const calls = serve();
    openPage(ThreadPage, screen, '?as=thread');
    await page.findByRole('heading', { name: 'Kaveri' });
    expect(said()).toEqual(['Asked for an offer.', 'Sent the offer.']);
    await userEvent.click(page.getByRole('button', { name: 'Send' }));
    await page.findByText('Write something first.');
    await userEvent.selectOptions(page.getByRole('combobox', { name: 'Kind' }), 'mail');
    await userEvent.type(page.getByRole('textbox', { name: 'Note' }), 'They agree.{Control>}{Enter}{/Control}');
    await waitFor(() => expect(said()).toEqual(['Asked for an offer.', 'Sent the offer.', 'They agree.']));
    expect(calls.find(({ method }) => method === 'PUT')?.body).toMatchObject({
      version: 3,
      calls: { add: [{ kind: 'mail', note: 'They agree.', at: expect.stringMatching(/Z$/) as string }], set: {} },
    });
    expect((page.getByRole('textbox', { name: 'Note' }) as HTMLTextAreaElement).value).toBe('');
  });

  it('keep messages of two people at once', async () => {
    serve();
    openPage(ThreadPage, screen, '?as=thread');
    await page.findByRole('heading', { name: 'Kaveri' });
    record = {
      ...record,
      version: 4,
      calls: [...record.calls, { id: 12, at: '2026-03-06T06:00:00Z', kind: 'call', note: 'From Ravi.' }],
    };
    await userEvent.type(page.getByRole('textbox', { name: 'Note' }), 'From me.');
    await userEvent.click(page.getByRole('button', { name: 'Send' }));
    await waitFor(() => expect(said()).toContain('From me.'));
    expect(said()).toContain('From Ravi.');
  });

  it('keep an unsent message in the box, with the reason', async () => {
    serve({
      'PUT /tapi/depot/1': () => ({
        status: 422,
        body: {
          error: { code: 'invalid', message: 'Not now.', details: [{ field: 'calls', message: 'It is full.' }] },
        },
      }),
    });
    openPage(ThreadPage, screen, '?as=thread');
    await page.findByRole('heading', { name: 'Kaveri' });
    await userEvent.type(page.getByRole('textbox', { name: 'Note' }), 'One more.');
    await userEvent.click(page.getByRole('button', { name: 'Send' }));
    await page.findByText('It is full.');
    expect((page.getByRole('textbox', { name: 'Note' }) as HTMLTextAreaElement).value).toBe('One more.');
  });

  it('show list or conversation on a phone, and are read-only without the edit right', async () => {
    asPhone();
    serve();
    openPage(ThreadPage, screen, '?as=thread', { edit_screen: false });
    await userEvent.click(await page.findByRole('button', { name: /^Kaveri/ }));
    await page.findByText('You can read this.');
    expect(page.queryByRole('textbox', { name: 'Note' })).toBeNull();
    await userEvent.click(page.getByRole('button', { name: 'All' }));
    await page.findByRole('button', { name: /^Nandi/ });
  });
});
