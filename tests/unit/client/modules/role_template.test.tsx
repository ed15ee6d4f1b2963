import { FluentProvider, webLightTheme } from '@fluentui/react-components';
import { render, screen as page, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { SWRConfig } from 'swr';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import RoleTemplateDialog from '../../../../src/client/modules/platform/RoleTemplateDialog.tsx';
import { toasts } from '../../../../src/client/app/feedback.ts';
import { fakeFetch } from '../app/fetch_fake.ts';
import '../runtime/patience.ts';

const ticks = {
  landing: true,
  add_screen: false,
  edit_screen: false,
  view_screen: true,
  approval_screen: false,
  transfer_screen: false,
  data_scope: 'team',
};
const preview = (more: object = {}) => ({
  left: { role_name: 'Branch head', version_no: 7 },
  right: { role_name: 'Manager' },
  modules: [],
  users_affected: 3,
  warnings: [],
  screens: [{ screen_code: 'SCN_ZONE', name: 'Zones', left: null, right: ticks }],
  actions: [],
  fields: [],
  ...more,
});
const taken = { screen_code: 'SCN_BRANCH', name: 'Branches', left: ticks, right: null };
const applied = vi.fn();

function open(role: Parameters<typeof fakeFetch>[0]) {
  const calls = fakeFetch(role);
  render(
    <SWRConfig value={{ provider: () => new Map() }}>
      <FluentProvider theme={webLightTheme}>
        <RoleTemplateDialog
          role={{ id: 4, role_name: 'Branch head' }}
          template="Manager"
          onClose={vi.fn()}
          onApplied={applied}
        />
      </FluentProvider>
    </SWRConfig>,
  );
  return calls;
}

beforeEach(() => {
  applied.mockClear();
  toasts.set([]);
});

describe('the template of a role', () => {
  it('shows additions and removals before anything is stored, then stores what was reviewed', async () => {
    const calls = open({
      'GET /tapi/role/4/template': ({ query }) => ({
        body: {
          data: query.get('mode') === 'replace' ? preview({ screens: [...preview().screens, taken] }) : preview(),
        },
      }),
      'POST /tapi/role/4/template': () => ({ body: { data: { version: 8, users_affected: 3, warnings: [] } } }),
    });
    expect(await page.findByRole('row', { name: /^Zones\s*– List, View \(.*team.*\)$/ })).toBeTruthy();
    expect(page.getByText('3 users are affected at once.')).toBeTruthy();
    await userEvent.click(page.getByRole('radio', { name: 'Make the role exactly what the template gives' }));
    expect(await page.findByRole('row', { name: /^Branches\s*List, View \(.*\) –$/ })).toBeTruthy();
    expect(calls.some(({ method }) => method === 'POST')).toBe(false);
    await userEvent.click(page.getByRole('button', { name: 'Change the role' }));
    await waitFor(() => expect(applied).toHaveBeenCalledOnce());
    expect(calls.find(({ method }) => method === 'POST')?.body).toMatchObject({ version: 7, mode: 'replace' });
  });

  it('has nothing to do for a role that matches it', async () => {
    open({ 'GET /tapi/role/4/template': () => ({ body: { data: preview({ screens: [] }) } }) });
    await page.findByText('No changes: the role already has these rights.');
    expect(page.getByRole('button', { name: 'Add these rights' })).toHaveProperty('disabled', true);
  });

  it('explains why it cannot be shown', async () => {
    open({
      'GET /tapi/role/4/template': () => ({
        status: 403,
        body: { error: { code: 'elevation', message: 'You hold this role yourself.' } },
      }),
    });
    expect(await page.findByText(/You hold this role yourself/)).toBeTruthy();
  });
});
