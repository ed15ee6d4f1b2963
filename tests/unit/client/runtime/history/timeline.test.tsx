import { FluentProvider, webLightTheme } from '@fluentui/react-components';
import { render, screen as page, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import DialogHost from '../../../../../src/client/app/dialogs/dialog_host.tsx';
import { forgetSession, rememberSession } from '../../../../../src/client/app/session.ts';
import Timeline from '../../../../../src/client/runtime/history/Timeline.tsx';
import type { FakeCall } from '../../app/fetch_fake.ts';
import { fakeFetch } from '../../app/fetch_fake.ts';
import { contractScreen } from '../contract_screen.ts';
import '../patience.ts';
import { fakeUpload } from '../excel/upload_fake.ts';
import { withoutSizes } from '../resize_observer.ts';

const screen = contractScreen();
const change = (version: number, more: object = {}) => ({
  version,
  op: 'U',
  at: `2026-11-${String(10 + version)}T04:45:00Z`,
  by: 7,
  by__label: 'Asha Rao',
  what: 'form',
  change: {},
  ...more,
});
const history = [
  change(4, { op: 'X' }),
  change(3, { change: { status: ['draft', 'active'] }, done_at: '2026-11-12T09:30:00Z' }),
  change(2, { change: { branch_id: [3, 4], value: ['125000.00', '150000.00'] } }),
];
const comment = {
  id: 1,
  text: 'Customer asked for two weeks.',
  at: '2026-11-13T01:00:00Z',
  by: 8,
  by__label: 'Vikram Iyer',
  mine: false,
};

function open(more: Parameters<typeof fakeFetch>[0] = {}): FakeCall[] {
  const calls = fakeFetch({
    'GET /tapi/contract/5/history': ({ query }) =>
      query.get('page') === '2'
        ? { body: { data: [change(1, { op: 'I', what: 'import 5' })], pagination: { has_next: false } } }
        : { body: { data: history, pagination: { has_next: true } } },
    'GET /tapi/contract/5/comments': () => ({ body: { data: [comment] } }),
    'GET /tapi/contract/5/attachments': () => ({ body: { data: [] } }),
    'GET /tapi/branch/options': () => ({
      body: {
        data: [
          { id: 3, label: 'Chennai' },
          { id: 4, label: 'Madurai' },
        ],
      },
    }),
    ...more,
  });
  render(
    <FluentProvider theme={webLightTheme}>
      <Timeline screen={screen} id={5} />
      <DialogHost />
    </FluentProvider>,
  );
  return calls;
}
const lines = () => page.getAllByRole('listitem').filter((line) => line.dataset.kind);
const words = (line: HTMLElement | undefined) => line?.textContent?.replace(/\s+/g, ' ') ?? '';

beforeEach(() => {
  withoutSizes();
  rememberSession({ token: 'tok', user_id: 7, user_name: 'Asha Rao', entity_id: 1 });
});
afterEach(() => forgetSession());

describe('the timeline', () => {
  it('describes events, newest first', async () => {
    open();
    await page.findByText(/deactivated this contract/);
    expect(words(lines()[0])).toMatch(/^Asha Rao deactivated this contract/);
    expect(words(lines()[1])).toMatch(/^Asha Rao changed Status from Draft to Active/);
    expect(words(lines()[1])).toMatch(/Done offline on 12-11-2026 09:30 AM/);
    expect(words(lines()[2])).toMatch(/^Vikram Iyer wrote 13-11-2026/);
    expect(words(lines()[3])).toMatch(/^Asha Rao changed 2 fields/);
    await page.findByText('Branch from Chennai to Madurai');
    expect(page.getByText('Value from 1,25,000.00 to 1,50,000.00')).toBeTruthy();
    expect(page.queryByText('Customer asked for two weeks.')?.closest('li')?.dataset.kind).toBe('comment');
  });

  it('loads older entries on request', async () => {
    open();
    await userEvent.click(await page.findByRole('button', { name: 'Show older' }));
    await page.findByText(/added this contract by an import/);
    expect(page.queryByRole('button', { name: 'Show older' })).toBeNull();
  });

  it('filters by kind', async () => {
    open();
    await userEvent.click(await page.findByRole('button', { name: /^Comments/ }));
    expect(lines().map((line) => line.dataset.kind)).toEqual(['comment']);
    await userEvent.click(page.getByRole('button', { name: 'Files' }));
    expect(page.getByText('No files yet.')).toBeTruthy();
  });

  it('adds a comment, and deletes only one’s own', async () => {
    const calls = open({
      'POST /tapi/contract/5/comments': ({ body }) => ({
        status: 201,
        body: {
          data: {
            id: 2,
            text: (body as { text: string }).text,
            at: '2026-11-20T04:45:00Z',
            by: 7,
            by__label: 'Asha Rao',
            mine: true,
          },
        },
      }),
      'DELETE /tapi/contract/5/comments/2': () => ({ status: 204 }),
    });
    await page.findByText('Customer asked for two weeks.');
    const box = page.getByRole('textbox', { name: 'Comment' });
    await userEvent.type(box, '  Granted.  ');
    await userEvent.keyboard('{Control>}{Enter}{/Control}');
    const mine = (await page.findByText('Granted.')).closest('li');
    expect(box).toHaveProperty('value', '');
    expect(page.getAllByRole('button', { name: 'Delete this comment' })).toHaveLength(1);
    await userEvent.click(within(mine!).getByRole('button', { name: 'Delete this comment' }));
    await userEvent.click(within(await page.findByRole('alertdialog')).getByRole('button', { name: 'Yes' }));
    await waitFor(() => expect(page.queryByText('Granted.')).toBeNull());
    expect(calls.find(({ method }) => method === 'POST')?.body).toMatchObject({ text: 'Granted.' });
  });

  it('keeps the text of a refused comment', async () => {
    open({
      'POST /tapi/contract/5/comments': () => ({
        status: 422,
        body: { error: { code: 'invalid', message: 'Too long.' } },
      }),
    });
    await page.findByText('Customer asked for two weeks.');
    await userEvent.type(page.getByRole('textbox', { name: 'Comment' }), 'Granted.');
    await userEvent.click(page.getByRole('button', { name: 'Comment' }));
    await waitFor(() => expect(page.getByRole('button', { name: 'Comment' })).toHaveProperty('disabled', false));
    expect(page.getByRole('textbox', { name: 'Comment' })).toHaveProperty('value', 'Granted.');
  });

  it('attaches a file and opens it by a signed address', async () => {
    const sent = fakeUpload({
      status: 201,
      body: {
        data: {
          id: 1,
          file_id: 44,
          name: 'drawing.pdf',
          size: 2048,
          type: 'application/pdf',
          at: '2026-11-20T04:45:00Z',
          by__label: 'Asha Rao',
        },
      },
    });
    const opened: string[] = [];
    const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      opened.push(this.getAttribute('href') ?? '');
    });
    open({ 'GET /tapi/files/44/link': () => ({ body: { url: '/files/signed' } }) });
    await page.findByText('Customer asked for two weeks.');
    await userEvent.upload(page.getByLabelText('Files'), new File(['pdf'], 'drawing.pdf', { type: 'application/pdf' }));
    await userEvent.click(await page.findByRole('button', { name: /drawing.pdf 2 kB/ }));
    await waitFor(() => expect(opened).toEqual(['/files/signed']));
    expect(sent[0]?.address).toBe('/tapi/contract/5/attachments');
    click.mockRestore();
  });

  it('offers to load a failed timeline again', async () => {
    let fails = true;
    open({
      'GET /tapi/contract/5/comments': () => (fails ? { status: 500, body: {} } : { body: { data: [comment] } }),
    });
    await page.findByText('The timeline could not be loaded.');
    fails = false;
    await userEvent.click(page.getByRole('button', { name: 'Try again' }));
    await page.findByText('Customer asked for two weeks.');
  });
});
