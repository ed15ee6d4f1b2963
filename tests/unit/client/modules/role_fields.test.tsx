import { FluentProvider, webLightTheme } from '@fluentui/react-components';
import { render, screen as page } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { SWRConfig } from 'swr';
import { expect, it, vi } from 'vitest';
import RoleFields from '../../../../src/client/modules/platform/RoleFields.tsx';
import type { FieldLine, Matrix, ScreenRow } from '../../../../src/client/modules/platform/rights_matrix.ts';
import { withField } from '../../../../src/client/modules/platform/rights_matrix.ts';
import { fakeFetch } from '../app/fetch_fake.ts';
import '../runtime/patience.ts';

const row = (code: string, adds: boolean): ScreenRow => ({
  screen_code: code,
  name: code,
  route: '/',
  modules: [],
  products: [],
  has: ['landing', 'add_screen'],
  available: true,
  data_scope: 'company',
  landing: true,
  add_screen: adds,
  edit_screen: false,
  view_screen: false,
  approval_screen: false,
  transfer_screen: false,
});
const matrix = (fields: FieldLine[], adds = false): Matrix => ({
  role: { id: 1, code: 'R', role_name: 'Role', version: 1, is_system: false },
  modules: [],
  screens: [row('SCN_GRADE', adds)],
  actions: [],
  action_codes: [],
  warnings: [],
  fields,
  record_types: [
    { name: 'grade', plural: 'Grades', screens: ['SCN_GRADE'] },
    { name: 'zone', plural: 'Zones', screens: ['SCN_ZONE'] },
  ],
});
const free = { hidden: null, masked: null, read: null, write: null };
const gradeFields = [
  {
    name: 'name',
    title: 'Name',
    must: true,
    reasons: {
      ...free,
      hidden: 'Name cannot be hidden: it names the record.',
      masked: 'Name cannot be hidden: it names the record.',
    },
  },
  { name: 'pay', title: 'Pay', must: false, reasons: { ...free, masked: 'Pay has no last four characters to show.' } },
];

const told = vi.fn<(fields: FieldLine[]) => void>();
function Around({ first }: { first: Matrix }) {
  const [draft, setDraft] = useState(first);
  const change = (line: FieldLine) => {
    const fields = withField(draft.fields!, line);
    told(fields);
    setDraft({ ...draft, fields });
  };
  return <RoleFields draft={draft} onChange={change} />;
}
function open(first: Matrix) {
  fakeFetch({
    'GET /tapi/role_fields/grade': () => ({ body: { data: gradeFields } }),
    'GET /tapi/role_fields/zone': () => ({
      status: 403,
      body: { error: { code: 'forbidden', message: 'You need List on Role.' } },
    }),
  });
  render(
    <SWRConfig value={{ provider: () => new Map() }}>
      <FluentProvider theme={webLightTheme}>
        <Around first={first} />
      </FluentProvider>
    </SWRConfig>,
  );
}
const choices = (name: string) =>
  [...page.getByRole<HTMLSelectElement>('combobox', { name }).options].map(({ text }) => text);

it('lists restricted fields, links to their list, and removes restrictions', async () => {
  open(matrix([{ record_type: 'grade', field: 'pay', access: 'hidden', title: 'Pay' }]));
  expect(choices('Pay of Grades')).toEqual(['Not at all', 'Read and write']);
  await userEvent.click(page.getByRole('button', { name: 'Grades' }));
  expect(await page.findByRole('row', { name: /^Name/ })).toBeTruthy();
  // Only what is possible is offered.
  expect(choices('Pay of Grades')).toEqual(['Read and write', 'Read', 'Not at all']);
  expect(choices('Name of Grades')).toEqual(['Read and write', 'Read']);
  await userEvent.selectOptions(page.getByRole('combobox', { name: 'Pay of Grades' }), 'Read');
  expect(told).toHaveBeenLastCalledWith([{ record_type: 'grade', field: 'pay', access: 'read', title: 'Pay' }]);
  await userEvent.selectOptions(page.getByRole('combobox', { name: 'Pay of Grades' }), 'Read and write');
  await userEvent.selectOptions(page.getByRole('combobox', { name: 'List' }), '');
  expect(page.getByText(/This role restricts no fields/)).toBeTruthy();
});

it('explains why a required field of a role that adds records stays writable', async () => {
  open(matrix([], true));
  await userEvent.selectOptions(page.getByRole('combobox', { name: 'List' }), 'grade');
  expect(await page.findByText('Name cannot be hidden: it names the record.')).toBeTruthy();
  expect(page.queryByRole('combobox', { name: 'Name of Grades' })).toBeNull();
});

it('explains why the fields of a list cannot be shown', async () => {
  open(matrix([]));
  await userEvent.selectOptions(page.getByRole('combobox', { name: 'List' }), 'zone');
  expect(await page.findByText(/You need List on Role/)).toBeTruthy();
  expect(page.getByRole('button', { name: /again/i })).toBeTruthy();
});
