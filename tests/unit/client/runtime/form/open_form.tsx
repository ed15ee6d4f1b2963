import '../patience.ts';
import { FluentProvider, webLightTheme } from '@fluentui/react-components';
import { compileSchemaValidatorsCode } from '@rjsf/validator-ajv8/lib/compileSchemaValidatorsCode.js';
import type { CustomValidatorOptionsType } from '@rjsf/validator-ajv8';
import { render } from '@testing-library/react';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ComponentType } from 'react';
import { RouterProvider, createMemoryRouter, useParams, useSearchParams } from 'react-router-dom';
import type { PageType, Screen, ScreenRef } from '../../../../../src/descriptor/types.ts';
import { forgetScreens, screenRefs } from '../../../../../src/client/api/screens.ts';
import DialogHost from '../../../../../src/client/app/dialogs/dialog_host.tsx';
import { toasts } from '../../../../../src/client/app/feedback.ts';
import { rememberSession } from '../../../../../src/client/app/session.ts';
import type { PageProps } from '../../../../../src/client/runtime/page_props.ts';
import { compile, sample } from '../../../descriptor/fixtures/compile_sample.ts';
import type { FakeCall } from '../../app/fetch_fake.ts';
import { fakeFetch } from '../../app/fetch_fake.ts';
import { accessOf } from '../page_harness.tsx';
import { withoutSizes } from '../resize_observer.ts';

const options = { AjvClass: Ajv2020 as unknown as NonNullable<CustomValidatorOptionsType['AjvClass']> };

/** The module that the server compiles from a screen's schema, as an address to import; it takes so many milliseconds to load. */
function validatorOf(screen: Screen, takes = 0): string {
  // The tests' loader unpacks a default export once more than the bundler does.
  const whole = 'const whole = (part) => (typeof part === "function" ? { default: part } : part);';
  const code = `${takes > 0 ? `await new Promise((resolve) => setTimeout(resolve, ${takes}));\n` : ''}${whole}\nexport default (need) => { const exports = {}; const require = (id) => whole(need(id));\n${compileSchemaValidatorsCode(screen.schema as object, options)}\nreturn exports; };\n`;
  return `data:text/javascript;base64,${Buffer.from(code).toString('base64')}`;
}

/** What the server answers for a screen. */
export function screenAnswer(screen: Screen, takes = 0) {
  return { body: { data: { screen, validator: validatorOf(screen, takes) } } };
}

/** A contract with conditions, a formula, references that bring values along, and rows. */
export function agreementScreen(conditions: Record<string, unknown> = {}): Screen {
  const agreement = sample(
    {
      title: 'Agreement',
      access: { screen: 'SCN_AGREEMENT' },
      unique: [['code']],
      rules: [{ assert: 'value <= 1000000', message: 'More than ten lakh needs two agreements.', field: 'value' }],
      form: {
        tabs: [
          {
            title: 'Main',
            sections: [
              { title: 'Names', fields: ['code', 'name', 'status', 'reason', 'email'] },
              { title: 'Amounts', fields: ['value', 'advance', 'balance'] },
            ],
          },
          { title: 'Place', sections: [{ fields: ['branch_id', 'city_id', 'address', 'pin'] }] },
          { title: 'Rows', sections: [{ fields: ['lines', 'total'] }] },
        ],
      },
    },
    {
      status: { $ref: 'types#enum', title: 'Status', enum: ['draft', 'active', 'held', 'ended'], default: 'draft' },
      reason: {
        $ref: 'types#text',
        title: 'Reason',
        'x-when': "status == 'ended'",
        'x-required-when': "status == 'ended'",
      },
      email: { $ref: 'types#email', title: 'Email' },
      value: { $ref: 'types#money', title: 'Value' },
      advance: { $ref: 'types#money', title: 'Advance' },
      balance: { $ref: 'types#money', title: 'Balance', 'x-formula': 'value - coalesce(advance, 0)' },
      branch_id: { $ref: 'types#ref', title: 'Branch', 'x-ref': 'branch' },
      city_id: { $ref: 'types#ref', title: 'City', 'x-ref': 'town', 'x-ref-filter': { branch_id: 'branch_id' } },
      address: { $ref: 'types#text', title: 'Address', 'x-fetch': 'branch_id.address' },
      pin: { $ref: 'types#text', title: 'Pin', 'x-secret': true },
      lines: {
        type: 'array',
        title: 'Lines',
        items: {
          type: 'object',
          required: ['item'],
          properties: {
            item: { $ref: 'types#text', title: 'Item' },
            qty: { $ref: 'types#integer', title: 'Qty' },
            rate: { $ref: 'types#money', title: 'Rate' },
            amount: { $ref: 'types#money', title: 'Amount', 'x-formula': 'qty * rate' },
            due: { $ref: 'types#date', title: 'Due' },
            site_id: { $ref: 'types#ref', title: 'Site', 'x-ref': 'branch' },
          },
        },
      },
      total: { $ref: 'types#money', title: 'Total', 'x-formula': 'sum(lines.amount)' },
    },
  );
  Object.assign(agreement.schema as object, conditions);
  const branch = sample(
    { title: 'Branch', access: { screen: 'SCN_BRANCH' } },
    { address: { $ref: 'types#text', title: 'Address' } },
  );
  const town = sample(
    { title: 'Town', access: { screen: 'SCN_TOWN' } },
    { branch_id: { $ref: 'types#ref', title: 'Branch', 'x-ref': 'branch' } },
  );
  const { screens, problems } = compile({ agreement, branch, town });
  if (problems.length > 0) throw new Error(JSON.stringify(problems, null, 2));
  return screens.get('agreement')!;
}

interface Opening {
  page?: PageType;
  id?: string;
  query?: string;
  rights?: Partial<ScreenRef['rights']>;
}

/** Opens a form page in the way the router does; other addresses say "Elsewhere". */
export function openForm(
  Kind: ComponentType<PageProps>,
  screen: Screen,
  { page = 'add_screen', id, query = '', rights = {} }: Opening = {},
) {
  rememberSession({ token: 'tok', user_id: 7, user_name: 'Asha Rao', entity_id: 1 });
  toasts.set([]);
  const access = accessOf(screen, rights);
  screenRefs.set([access]);
  function Mounted() {
    const [params] = useSearchParams();
    const { id: from } = useParams();
    return (
      <Kind screen={screen} access={access} page={page} query={params} {...(from !== undefined && { id: from })} />
    );
  }
  const { routes } = screen;
  const path =
    page === 'add_screen'
      ? routes.add!
      : page === 'edit_screen'
        ? routes.edit!
        : page === 'view_screen'
          ? routes.view!
          : routes.landing;
  const router = createMemoryRouter(
    [
      { path, Component: Mounted },
      { path: '*', element: <p>Elsewhere</p> },
    ],
    { initialEntries: [`${path.replace(':id', id ?? '')}${query}`] },
  );
  render(
    <FluentProvider theme={webLightTheme}>
      <RouterProvider router={router} />
      <DialogHost />
    </FluentProvider>,
  );
  return router;
}

/** Nothing is left of one test for the next. */
export function forgetForm(): void {
  forgetScreens();
  localStorage.clear();
}

/** An agreement that is stored. */
const storedAgreement = {
  id: 5,
  version: 3,
  active: true,
  code: 'AG5',
  name: 'Lift service',
  status: 'active',
  value: '1000.00',
  advance: null,
  lines: [],
};

/** A server with one agreement, which takes others; `more` answers in its place. */
export function serveAgreements(screen: Screen, more: Parameters<typeof fakeFetch>[0] = {}): FakeCall[] {
  withoutSizes();
  return fakeFetch({
    'GET /tapi/screens/agreement': () => screenAnswer(screen),
    'POST /tapi/agreement': ({ body }) => ({
      status: 201,
      body: { data: { id: 9, version: 1, active: true, ...(body as object) } },
    }),
    'GET /tapi/agreement/5': () => ({ body: { data: storedAgreement } }),
    'POST /tapi/agreement/check': () => ({ body: { data: [] } }),
    'PUT /tapi/agreement/5': ({ body }) => ({
      body: { data: { ...storedAgreement, ...(body as object), version: 4 } },
    }),
    ...more,
  });
}

/** A server that finds something wrong in a field of a new agreement. */
export const findsIn = (field: string, message: string): Parameters<typeof fakeFetch>[0] => ({
  'POST /tapi/agreement': () => ({
    status: 422,
    body: { error: { code: 'invalid', message: 'Not saved.', details: [{ field, message }] } },
  }),
});
