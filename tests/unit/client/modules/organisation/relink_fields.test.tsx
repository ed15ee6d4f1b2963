import { FluentProvider, webLightTheme } from '@fluentui/react-components';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { SWRConfig } from 'swr';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { screenRefs } from '../../../../../src/client/api/screens.ts';
import { forgetSession, rememberSession } from '../../../../../src/client/app/session.ts';
import type { Relinked } from '../../../../../src/client/modules/organisation/move_call.ts';
import { linkedBack } from '../../../../../src/client/modules/organisation/move_call.ts';
import type { OpenPlan } from '../../../../../src/client/modules/organisation/open_plan.ts';
import { newPlan } from '../../../../../src/client/modules/organisation/open_plan.ts';
import PlanDialog from '../../../../../src/client/modules/organisation/PlanDialog.tsx';
import { RelinkFields } from '../../../../../src/client/modules/organisation/RelinkFields.tsx';
import { fakeFetch } from '../../app/fetch_fake.ts';

beforeEach(() => rememberSession({ token: 't', user_id: 7, entity_id: 1 }));
afterEach(() => forgetSession());

const none = { sheet_id: null, name: 'None', from: '2026-07' };

it('a move offers the new manager’s sheet for each KPI from its first open month; figures of units stay', async () => {
  fakeFetch({
    'GET /tapi/employee/5/move_links': () => ({
      body: {
        data: [
          {
            sheet_id: 11,
            kpi_id: 1,
            kpi: 'Sales',
            owner: 'Asha',
            into: { sheet_id: 21, name: 'Mina', isUnit: false },
            choices: [{ sheet_id: 31, name: 'Head', from: '2026-07' }, none],
          },
          {
            sheet_id: 12,
            kpi_id: 1,
            kpi: 'Sales',
            owner: 'Chennai',
            into: { sheet_id: 22, name: 'South', isUnit: true },
            choices: [none],
          },
        ],
      },
    }),
  });
  let got: readonly Relinked[] = [];
  function Dialog() {
    const [chosen, setChosen] = useState<Readonly<Record<string, string>>>({});
    const [, setRelinks] = useState<readonly Relinked[]>([]);
    return (
      <RelinkFields
        id={5}
        name="Asha"
        manager={9}
        from="2026-07-15"
        chosen={chosen}
        onChoose={setChosen}
        onRelinks={(relinks) => {
          got = relinks;
          setRelinks(relinks);
        }}
      />
    );
  }
  render(
    <SWRConfig value={{ provider: () => new Map() }}>
      <FluentProvider theme={webLightTheme}>
        <Dialog />
      </FluentProvider>
    </SWRConfig>,
  );
  const own = await screen.findByLabelText<HTMLSelectElement>('Sales');
  const unit = screen.getByLabelText<HTMLSelectElement>('Sales of Chennai');
  expect([own.value, unit.selectedOptions[0]!.text]).toEqual(['31', 'Still counts into South']);
  screen.getByText('From July 2026. Months before stay with Mina.');
  expect(got).toEqual([{ sheet_id: 11, kpi_id: 1, to: 31, was: 21 }]);
  // Undo leads back to the sheet into which it counted.
  expect(linkedBack({ id: 5, manager: 9, from: '', reason: '', movesOpen: false, relinks: got })).toEqual([
    { sheet_id: 11, kpi_id: 1, to: 21, was: 31 },
  ]);
  fireEvent.change(own, { target: { value: 'stays' } });
  fireEvent.change(unit, { target: { value: 'none' } });
  expect(got).toEqual([{ sheet_id: 12, kpi_id: 1, to: null, was: 22 }]);
});

it('a plan is saved with the KPIs of each member who moves, once they are known', async () => {
  screenRefs.set([{ name: 'kpi_actual' }] as Parameters<typeof screenRefs.set>[0]);
  const links = (id: number, sheet: number) => ({
    body: {
      data: [
        {
          sheet_id: sheet,
          kpi_id: 1,
          kpi: 'Sales',
          owner: id === 5 ? 'Asha' : 'Ravi',
          into: { sheet_id: 21, name: 'Mina', isUnit: false },
          choices: [{ sheet_id: 31, name: 'Head', from: '2026-07' }, none],
        },
      ],
    },
  });
  const calls = fakeFetch({
    'GET /tapi/employee/5/move_links': () => links(5, 11),
    'GET /tapi/employee/6/move_links': () => links(6, 12),
    'POST /tapi/org_plan': ({ body }) => ({ status: 201, body: { data: { id: 3, version: 1, ...(body as object) } } }),
  });
  let saved: OpenPlan | null = null;
  const moves = new Map<number, number | null>([
    [5, 9],
    [6, 9],
    [7, null],
  ]);
  render(
    <SWRConfig value={{ provider: () => new Map() }}>
      <FluentProvider theme={webLightTheme}>
        <PlanDialog
          plan={{ ...newPlan(), name: 'Fewer levels', reason: 'Shorter ways', moves }}
          nameOf={(id) => ({ 5: 'Asha', 6: 'Ravi' })[id] ?? 'Nobody'}
          onDone={(plan) => (saved = plan)}
          onClose={() => undefined}
        />
      </FluentProvider>
    </SWRConfig>,
  );
  const [ofAsha, ofRavi] = await screen.findAllByLabelText<HTMLSelectElement>('Sales');
  screen.getByText('KPIs of Ravi that count into sheets of the former manager');
  expect([ofAsha!.value, ofRavi!.value]).toEqual(['31', '31']);
  fireEvent.change(ofRavi!, { target: { value: 'none' } });
  fireEvent.click(screen.getByText('Save only'));
  await waitFor(() => expect(saved).not.toBe(null));
  expect(calls.find(({ method }) => method === 'POST')!.body).toMatchObject({
    links: [
      { employee_id: 5, sheet_id: 11, kpi_id: 1, to_sheet_id: 31 },
      { employee_id: 6, sheet_id: 12, kpi_id: 1, to_sheet_id: null },
    ],
  });
});
