import { screen as page, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, describe, expect, it } from 'vitest';
import { toasts } from '../../../../../src/client/app/feedback.ts';
import { forgetSession } from '../../../../../src/client/app/session.ts';
import FormPage from '../../../../../src/client/runtime/form/FormPage.tsx';
import type { FakeCall } from '../../app/fetch_fake.ts';
import { fakeFetch } from '../../app/fetch_fake.ts';
import { asPhone } from '../page_harness.tsx';
import { withoutSizes } from '../resize_observer.ts';
import { screenOf } from '../../../descriptor/fixtures/compile_sample.ts';
import { agreementScreen, forgetForm, openForm, screenAnswer } from './open_form.tsx';
import type { Screen } from '../../../../../src/descriptor/types.ts';

const screen = agreementScreen();
const stored = {
  id: 5,
  version: 3,
  active: true,
  code: 'AG5',
  name: 'Lift service',
  status: 'active',
  value: '123456.50',
  advance: null,
  balance: '123456.50',
  email: 'bills@acme.in',
  branch_id: 3,
  branch_id__label: 'Chennai',
  lines: [{ id: 51, item: 'Rope', qty: 2, rate: '100.00', amount: '200.00', due: '2026-04-01' }],
  total: '200.00',
};

function serve(record: Record<string, unknown> = {}, more: Parameters<typeof fakeFetch>[0] = {}): FakeCall[] {
  withoutSizes();
  return fakeFetch({
    'GET /tapi/screens/agreement': () => screenAnswer(screen),
    'GET /tapi/agreement/5': () => ({ body: { data: { ...stored, ...record } } }),
    'GET /tapi/agreement/5/history': () => ({ body: { data: [], pagination: { has_next: false, more: false } } }),
    'GET /tapi/agreement/5/comments': () => ({ body: { data: [] } }),
    'GET /tapi/agreement/5/attachments': () => ({ body: { data: [] } }),
    ...more,
  });
}

const view = (rights = {}) => openForm(FormPage, screen, { page: 'view_screen', id: '5', rights });
const fact = async (title: string) =>
  (await page.findByText(title, { selector: 'dt' })).parentElement!.querySelector('dd')!.textContent;

async function choose(name: string): Promise<void> {
  await userEvent.click(await page.findByRole('button', { name: /more/i }));
  await userEvent.click(await page.findByRole('menuitem', { name }));
}

afterEach(() => {
  forgetSession();
  forgetForm();
});

describe('the view of a record', () => {
  it('shows values as text, not as greyed inputs', async () => {
    serve();
    view();
    expect(await page.findByRole('heading', { name: /Lift service/ })).toBeTruthy();
    expect(await fact('Value')).toContain('1,23,456.50');
    expect(await fact('Advance')).toMatch(/^[–—-]?$/);
    expect(page.getByRole('link', { name: 'bills@acme.in' }).getAttribute('href')).toBe('mailto:bills@acme.in');
    expect(document.querySelectorAll('dl input')).toHaveLength(0);
  });

  it('shows the levels of a request for approval on its page, without those of others', async () => {
    const request = (id: number, name: string) => ({
      id,
      process: name,
      state: 'waiting',
      asked_by: 'Asha',
      asked_at: '2026-03-02T10:00:00Z',
      waits_since: '2026-03-02T10:00:00Z',
      due_at: null,
      changes: null,
      levels: [
        { level: 1, state: 'done', need: 'any_one', need_n: null, people: [] },
        { level: 2, state: 'waiting', need: 'any_one', need_n: null, people: [] },
      ],
    });
    serve(
      { document: 'quotation', record_id: 7 },
      { 'GET /tapi/quotation/7/approval': () => ({ body: { data: [request(5, 'Offers'), request(6, 'Discounts')] } }) },
    );
    const requests = {
      ...screen,
      fields: [
        ...screen.fields,
        { ...screen.fields[0]!, name: 'document', approvedTypes: true as const },
        { ...screen.fields[0]!, name: 'record_id', refBy: { field: 'document', types: ['quotation'] } },
      ],
    };
    openForm(FormPage, requests, { page: 'view_screen', id: '5' });
    const levels = await page.findByRole('region', { name: 'Approval: Offers' });
    expect(within(levels).getAllByRole('listitem')[1]!.getAttribute('aria-current')).toBe('step');
    expect(page.queryByRole('region', { name: 'Approval: Discounts' })).toBeNull();
  });

  it('hides a field by its condition', async () => {
    serve();
    view();
    await fact('Value');
    expect(page.queryByText('Reason', { selector: 'dt' })).toBeNull();
  });

  it('shows the sections of the form as tabs, with arrow keys', async () => {
    serve();
    view();
    const main = await page.findByRole('tab', { name: 'Main' });
    main.focus();
    await userEvent.keyboard('{ArrowRight}');
    expect(page.getByRole('tab', { name: 'Place' }).getAttribute('aria-selected')).toBe('true');
    expect(await fact('Branch')).toContain('Chennai');
    await userEvent.click(page.getByRole('tab', { name: 'Rows' }));
    expect(await page.findByText('Rope')).toBeTruthy();
  });

  it('offers only permitted actions', async () => {
    serve();
    view();
    expect((await page.findByRole('link', { name: 'Edit' })).getAttribute('href')).toBe('/agreement/edit/5');
    expect(page.getByRole('link', { name: 'Copy' }).getAttribute('href')).toBe('/agreement/add?copy=5');
  });

  it('offers no changes to a read-only user', async () => {
    serve();
    view({ write: false, remove: false, edit_screen: false, add_screen: false });
    await fact('Value');
    expect(page.queryByRole('link', { name: 'Edit' })).toBeNull();
    expect(page.queryByRole('link', { name: 'Copy' })).toBeNull();
    expect(page.queryByRole('button', { name: /more/i })).toBeNull();
  });

  it('deactivates with the displayed version, and reads the record again', async () => {
    let active = true;
    const calls = serve(
      {},
      {
        'GET /tapi/agreement/5': () => ({ body: { data: { ...stored, active, version: active ? 3 : 4 } } }),
        'POST /tapi/agreement/5/deactivate': () => {
          active = false;
          return { body: { data: { ...stored, active: false, version: 4 } } };
        },
      },
    );
    view();
    await choose('Deactivate');
    await page.findByText('Inactive');
    expect(calls.find(({ path }) => path.endsWith('/deactivate'))?.body).toMatchObject({ version: 3 });
    expect(toasts.get()[0]?.text).toBe('Lift service is inactive now.');
  });

  it('deletes after confirmation', async () => {
    const calls = serve({}, { 'DELETE /tapi/agreement/5': () => ({ status: 204 }) });
    const router = view();
    await choose('Delete');
    await userEvent.click(await page.findByRole('button', { name: 'Cancel' }));
    expect(calls.some(({ method }) => method === 'DELETE')).toBe(false);
    await choose('Delete');
    await userEvent.click(await page.findByRole('button', { name: 'Yes' }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/agreement'));
  });

  it('shows where a record is used and offers to deactivate it instead', async () => {
    const calls = serve(
      {},
      {
        'DELETE /tapi/agreement/5': () => ({
          status: 409,
          body: {
            error: {
              code: 'in_use',
              message: 'In use.',
              used_by: [{ type: 'visit', title: 'Visits', count: 12, route: '/visit?filter=x' }],
            },
          },
        }),
        'POST /tapi/agreement/5/deactivate': () => ({ body: { data: { ...stored, active: false, version: 4 } } }),
      },
    );
    view();
    await choose('Delete');
    await userEvent.click(await page.findByRole('button', { name: 'Yes' }));
    const dialog = await page.findByRole('dialog', { name: 'Lift service is in use' });
    expect(within(dialog).getByRole('link', { name: '12 in Visits' }).getAttribute('href')).toBe('/visit?filter=x');
    await userEvent.click(within(dialog).getByRole('button', { name: 'Deactivate instead' }));
    await waitFor(() => expect(calls.some(({ path }) => path.endsWith('/deactivate'))).toBe(true));
  });

  it('reports a missing record', async () => {
    serve(
      {},
      {
        'GET /tapi/agreement/5': () => ({
          status: 404,
          body: { error: { code: 'not_found', message: 'This agreement does not exist.' } },
        }),
      },
    );
    view();
    expect(await page.findByText(/does not exist/)).toBeTruthy();
  });
});

describe('the view of a record with steps', () => {
  const drawn = screenOf({
    title: 'Order',
    workflow: {
      states: { draft: {}, sent: {}, done: { is: 'closed' }, dropped: { is: 'cancelled' } },
      transitions: {
        drop: { from: ['draft', 'sent'], to: 'dropped', title: 'Drop', reason: true },
        send: { from: ['draft'], to: 'sent', title: 'Send' },
        finish: { from: ['sent'], to: 'done', title: 'Finish' },
        reopen: { from: ['done'], to: 'sent', title: 'Reopen', reason: true },
      },
    },
  });
  const open = async (status: string, steps: string[], order: Screen = drawn) => {
    withoutSizes();
    const record = { id: 5, version: 3, active: true, code: 'O5', name: 'Rope', status };
    fakeFetch({
      'GET /tapi/screens/thing': () => screenAnswer(order),
      'GET /tapi/thing/5': () => ({
        body: { data: { ...record, _can: steps.map((name) => ({ name, blocked: null })) } },
      }),
      'GET /tapi/thing/5/history': () => ({ body: { data: [], pagination: { has_next: false, more: false } } }),
      'GET /tapi/thing/5/comments': () => ({ body: { data: [] } }),
      'GET /tapi/thing/5/attachments': () => ({ body: { data: [] } }),
    });
    openForm(FormPage, order, { page: 'view_screen', id: '5' });
    const bar = await page.findByRole('list', { name: 'Steps of the order' });
    return within(bar)
      .getAllByRole('listitem')
      .map((one) => `${one.getAttribute('aria-current') ? '>' : ''}${one.textContent}`);
  };
  const isBefore = (one: HTMLElement, other: HTMLElement) =>
    (one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;

  it('shows its states, has the next transition as its main button, and others and Edit beside it', async () => {
    expect(await open('draft', ['drop', 'send'])).toEqual(['>1Draft', '2Sent', '3Done']);
    // The main button stands last in the bar; nothing of this is in the menu.
    const send = page.getByRole('button', { name: 'Send' });
    for (const beside of [page.getByRole('button', { name: 'Drop' }), page.getByRole('link', { name: 'Edit' })])
      expect(isBefore(beside, send)).toBe(true);
  });

  it('shows a state beside the normal path where it stands among the states', async () => {
    const { states, transitions } = drawn.workflow!;
    const held: Screen = {
      ...drawn,
      workflow: {
        ...drawn.workflow!,
        states: states.toSpliced(1, 0, { ...states[1]!, name: 'held', title: 'Held' }),
        transitions,
      },
    };
    expect(await open('held', [], held)).toEqual(['✓Draft', '>2Held', '3Sent', '4Done']);
  });

  it('keeps Edit beside the main button on a phone, outside of the menu', async () => {
    asPhone();
    await open('draft', ['drop', 'send']);
    const edit = page.getByRole('link', { name: 'Edit' });
    expect(edit.parentElement).toBe(page.getByRole('button', { name: 'Send' }).parentElement);
    expect(page.queryByRole('button', { name: 'Drop' })).toBeNull();
  });

  it('hides edits in a closed state, and offers the remaining actions', async () => {
    expect(await open('done', ['reopen'])).toEqual(['✓Draft', '✓Sent', '>3Done']);
    expect(page.queryByRole('link', { name: 'Edit' })).toBeNull();
    expect(page.getByRole('button', { name: 'Reopen' })).toBeTruthy();
    expect(page.getByRole('link', { name: 'Copy' })).toBeTruthy();
  });
});
