import { FluentProvider, webLightTheme } from '@fluentui/react-components';
import { cleanup, render, screen as shown } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { WireRecord } from '../../../../../src/descriptor/types.ts';
import type { Transition, Workflow } from '../../../../../src/descriptor/workflow.ts';
import { rememberSession } from '../../../../../src/client/app/session.ts';
import StepDialog from '../../../../../src/client/runtime/workflow/StepDialog.tsx';
import { askedStep, needsInput } from '../../../../../src/client/runtime/workflow/take_step.ts';
import { fakeFetch } from '../../app/fetch_fake.ts';
import { depotScreen } from '../screen_fixture.ts';

const step = (more: Partial<Transition>): Transition => ({
  name: 'cancel',
  title: 'Cancel',
  from: ['open'],
  to: 'draft',
  guard: [],
  ask: [],
  set: {},
  effects: [],
  ...more,
});
const record: WireRecord = { id: 5, version: 3, active: true, name: 'Pune', status: 'open' };
const workflow: Workflow = { field: 'status', states: [], transitions: [] };

beforeEach(() => {
  rememberSession({ token: 'tok', user_id: 7, user_name: 'Asha Rao', entity_id: 1 });
});
afterEach(cleanup);

it('offers the reasons of a transition, and requires a remark if the chosen one does', async () => {
  const data = [
    { id: 1, label: 'Wrong price', remark: false },
    { id: 2, label: 'Other cause', remark: true },
  ];
  const calls = fakeFetch({
    'GET /tapi/depot/reasons/cancel': () => ({ body: { data } }),
    'POST /tapi/depot/5/cancel': () => ({ body: { data: record } }),
  });
  const sent = () => calls.filter(({ method }) => method === 'POST').map(({ body }) => body);
  const taken: WireRecord[] = [];
  render(
    <FluentProvider theme={webLightTheme}>
      <StepDialog
        screen={depotScreen({ workflow })}
        record={record}
        transition={step({ reason: 'Reason', reasonUse: 'quotation_lost' })}
        onTaken={(one) => taken.push(one)}
        onClose={() => undefined}
      />
    </FluentProvider>,
  );
  const user = userEvent;
  // Whoever does not want to cancel goes back.
  shown.getByRole('button', { name: 'Go back' });
  const cancel = shown.getByRole('button', { name: 'Cancel' });
  await user.click(cancel);
  await shown.findByText('Choose one.');
  await user.click(shown.getByRole('combobox'));
  await user.click(await shown.findByRole('option', { name: 'Other cause' }));
  await user.click(cancel);
  await shown.findByText('This is required.');
  expect(sent()).toEqual([]);
  await user.type(shown.getByRole('textbox'), 'Twice');
  await user.click(cancel);
  await expect.poll(() => taken).toHaveLength(1);
  expect(sent()).toEqual([expect.objectContaining({ version: 3, reason: 2, remark: 'Twice' })]);
});

it('lets approvers change permitted fields, and asks for their remark', async () => {
  const calls = fakeFetch({ 'POST /tapi/depot/5/approve': () => ({ body: { data: record } }) });
  const sent = () => calls.filter(({ method }) => method === 'POST').map(({ body }) => body);
  const screen = depotScreen({ workflow });
  const approve = step({ name: 'approve', title: 'Approve' });
  const offered = { name: 'approve', blocked: null, change: ['name', 'nothing_there'], remark: true as const };
  expect([needsInput(askedStep(screen, approve, offered)), needsInput(approve)]).toEqual([true, false]);
  render(
    <FluentProvider theme={webLightTheme}>
      <StepDialog
        screen={screen}
        record={record}
        transition={askedStep(screen, approve, offered)}
        onTaken={() => undefined}
        onClose={() => undefined}
      />
    </FluentProvider>,
  );
  const user = userEvent;
  const name = shown.getByRole('textbox', { name: /Name/ });
  await user.clear(name);
  await user.type(name, 'Poona');
  await user.click(shown.getByRole('button', { name: 'Approve' }));
  await shown.findByText('This is required.');
  await user.type(shown.getByRole('textbox', { name: /Remark/ }), 'As it was');
  await user.click(shown.getByRole('button', { name: 'Approve' }));
  await expect.poll(sent).toEqual([expect.objectContaining({ version: 3, name: 'Poona', remark: 'As it was' })]);
});
