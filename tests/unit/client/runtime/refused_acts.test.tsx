import { FluentProvider, webLightTheme } from '@fluentui/react-components';
import { cleanup, fireEvent, render, screen as shown, within } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { SWRConfig } from 'swr';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { rememberSession } from '../../../../src/client/app/session.ts';
import { removeAct, storeAct, storedActs } from '../../../../src/client/runtime/offline/device_store.ts';
import { editableFields } from '../../../../src/client/runtime/offline/edited_act.ts';
import OutboxDialog from '../../../../src/client/runtime/offline/OutboxDialog.tsx';
import RefusedHere from '../../../../src/client/runtime/offline/RefusedHere.tsx';
import RefusedWork from '../../../../src/client/runtime/offline/RefusedWork.tsx';
import { waitingActs } from '../../../../src/client/runtime/offline/outbox.ts';
import { fakeFetch } from '../app/fetch_fake.ts';
import { depotScreen, field } from './screen_fixture.ts';

const visit = () =>
  depotScreen({
    name: 'visit',
    title: 'Visit',
    routes: { landing: '/visit', add: '/visit/add', edit: '/visit/edit/:id', view: '/visit/view/:id' },
    fields: [field('found', 'text'), field('place', 'name'), field('picture', 'image'), field('left_on', 'date')],
  });
const answers = () => ({
  'GET /tapi/screens/visit': () => ({ body: { data: { screen: visit(), validator: '' } } }),
  'GET /tapi/visit/3': () => ({ body: { data: { id: 3, version: 2, active: true, found: 'theirs', place: 'North' } } }),
});
const text = (of: HTMLElement) => [...of.querySelectorAll('span')].map(({ textContent }) => textContent);

beforeEach(async () => {
  rememberSession({ token: 'tok', user_id: 7, user_name: 'Asha Rao', entity_id: 1 });
  for (const { seq } of await storedActs()) await removeAct(seq);
});
afterEach(() => {
  cleanup();
  waitingActs.set([]);
});

it('a refused change is shown beside the current record, edited, and resent in its place', async () => {
  const calls = fakeFetch({
    ...answers(),
    'POST /tapi/offline': ({ body }) => ({
      body: { data: (body as { acts: { key: string }[] }).acts.map(({ key }) => ({ key, state: 'done' })) },
    }),
  });
  const sent = () => calls.filter(({ method }) => method === 'POST').map(({ body }) => body);
  await storeAct({
    key: 'refused-here-1',
    person: 7,
    entityId: 1,
    type: 'visit',
    id: 3,
    title: 'North: changed',
    do: 'change',
    input: { found: ['nothing', 'mine'], place: ['North', 'North gate'] },
    at: '2026-03-31T09:30:00Z',
    needs: { message: 'Somebody else has changed this in the meantime.', theirs: { found: 'theirs' } },
  });
  waitingActs.set(await storedActs());
  render(
    <FluentProvider theme={webLightTheme}>
      <OutboxDialog onClose={() => undefined} />
    </FluentProvider>,
  );
  const act = await shown.findByRole('region', { name: 'North: changed' });
  await expect.poll(() => text(act).slice(-3)).toEqual(['Found', 'mine', 'theirs']);
  fireEvent.click(await within(act).findByRole('button', { name: 'Edit first' }));
  const found = await within(act).findByLabelText('Found');
  expect((found as HTMLInputElement).value).toBe('mine');
  fireEvent.change(found, { target: { value: 'both' } });
  fireEvent.blur(found);
  fireEvent.click(within(act).getByRole('button', { name: 'Send' }));
  await expect.poll(sent).toHaveLength(1);
  expect(sent()[0]).toMatchObject({
    acts: [{ input: { found: ['theirs', 'both'], place: ['North', 'North gate'] }, instead: 'refused-here-1' }],
  });
  await shown.findByText('Everything is sent.');
});

it('references to a file or a record of this device are kept', () => {
  const act = { do: 'create', input: { found: 'x', picture: 'sha256:00', place: 'client:made-1', left_on: null } };
  expect(editableFields(visit(), act).map(({ name }) => name)).toEqual(['found', 'left_on']);
});

it('a manager sees refused changes of their team with both versions, but not their own', async () => {
  const one = {
    key: 'a',
    type: 'visit',
    id: 3,
    do: 'change',
    title: 'North: changed',
    done_at: '2026-03-31T09:30:00Z',
  };
  const act = { ...one, input: { found: ['nothing', 'a worn rope'] }, message: 'Too short.', theirs: {} };
  fakeFetch({
    ...answers(),
    'GET /tapi/offline/refused': () => ({
      body: {
        data: [
          { ...act, by: 8, by__label: 'Binu' },
          { ...act, title: 'Own', by: 7, by__label: 'Asha Rao' },
        ],
      },
    }),
  });
  render(
    <FluentProvider theme={webLightTheme}>
      <SWRConfig value={{ provider: () => new Map() }}>
        <MemoryRouter initialEntries={['/team_list']}>
          <RefusedWork />
        </MemoryRouter>
      </SWRConfig>
    </FluentProvider>,
  );
  await shown.findByText('1 change that your team made offline was refused.');
  fireEvent.click(shown.getByRole('button', { name: 'Show' }));
  const region = await shown.findByRole('region', { name: 'North: changed, Binu' });
  expect(within(region).getByText('Too short.')).toBeTruthy();
  await expect.poll(() => text(region).slice(1)).toEqual(['Field', 'Binu', 'Now', 'Found', 'a worn rope', 'theirs']);
  expect(shown.queryByText('Own')).toBeNull();
});

it('on the page of a record others read what was refused, when and why', async () => {
  const act = { key: 'a', type: 'visit', id: 3, do: 'leave', title: 'North: Leave', input: {}, theirs: {} };
  fakeFetch({
    ...answers(),
    'GET /tapi/offline/refused': () => ({
      body: {
        data: [{ ...act, done_at: '2026-03-31T09:30:00Z', message: 'Nothing is there.', by: 8, by__label: 'Binu' }],
      },
    }),
  });
  render(
    <FluentProvider theme={webLightTheme}>
      <SWRConfig value={{ provider: () => new Map() }}>
        <RefusedHere screen={visit()} id="3" />
      </SWRConfig>
    </FluentProvider>,
  );
  await shown.findByText(/made offline by Binu on .* was refused/);
  expect(shown.getByText(/Nothing is there\. Binu can correct it and send it again/)).toBeTruthy();
});
