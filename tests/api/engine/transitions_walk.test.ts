import { randomUUID } from 'node:crypto';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { APPROVALS, copySchemas } from '../schemas_with.ts';
import { PAGE_TYPES } from '../../../src/server/access/rights/rights.ts';
import { writeUserTypes } from '../../../src/server/platform/clients/user_types.ts';
import { ensureTables } from '../../../src/server/db/tenants.ts';
import type { PageType } from '../../../src/descriptor/types.ts';
import type { Person, Row, Subject } from './walked_transitions.ts';
import { look, otherWays, put, takeAll } from './walked_transitions.ts';
import { ADMIN, platformPerson } from '../clients/platform_people.ts';
import { upload } from '../multipart.ts';
import type { Caller, TestTenant, World } from '../world.ts';
import { startWorld } from '../world.ts';

// Every transition of every type, from every state, by every kind of person; the descriptor says what must happen.

const EDITS: readonly PageType[] = ['landing', 'add_screen', 'edit_screen', 'view_screen'];
const ALL: readonly PageType[] = [...EDITS, 'approval_screen'];
const VIEWS: readonly PageType[] = ['landing', 'view_screen'];
const TYPES = [
  'quotation_erp',
  'sales_order_erp',
  'purchase_receipt_erp',
  'tis_inspection',
  'admin_lead',
  'blog',
  'client_account',
];
const WALKED_FILES = ['quotation_erp', 'sales_order_erp', 'purchase_receipt_erp'].map((name) => `${name}.json`);
const today = new Date().toISOString().slice(0, 10);

/** An import, as its checker and its writer leave it. */
interface Run {
  state: string;
  errors: object[];
  notices: string[];
}
const ONCE_DONE = { timeout: 60_000, interval: 20 };

let schemasDir: string;
let world: World;
let acme: TestTenant;
let zenith: TestTenant;
const subjects = new Map<string, Subject>();
let keyCall: Caller['call'];

async function made(by: Pick<Caller, 'call'>, type: string, body: object): Promise<Row> {
  const answer = await by.call('POST', `/tapi/${type}`, body);
  expect(answer.statusCode, `${type} ${answer.body}`).toBe(201);
  return answer.json<{ data: Row }>().data;
}

beforeAll(async () => {
  schemasDir = mkdtempSync(join(tmpdir(), 'walk-'));
  copySchemas(schemasDir, [...APPROVALS, 'terms_and_conditions', 'tis_inspection']);
  for (const file of WALKED_FILES)
    cpSync(join(import.meta.dirname, 'erp', file), join(schemasDir, 'organisation', file));
  world = await startWorld({ schemasDir, alone: true });
  acme = await world.tenant({ companies: 2 });
  zenith = await world.tenant();
  await companyTypes();
  await platformTypes();
});
afterAll(async () => {
  await world.close();
  rmSync(schemasDir, { recursive: true, force: true });
});

async function companyTypes(): Promise<void> {
  const codes = ['SCN_ERP_QUOTATION', 'SCN_ERP_ORDER', 'SCN_ERP_RECEIPT', 'SCN_FMS_TIS'];
  const role = (pages: readonly PageType[]) =>
    acme.role({
      modules: ['MASTERS', 'FMS'],
      screens: Object.fromEntries(
        codes.map((code) => [code, { module: code === 'SCN_FMS_TIS' ? 'FMS' : 'MASTERS', pages: [...pages] }]),
      ),
      actions: ['IMPORT_DATA'],
    });
  const [all, edits, views, none] = [await role(ALL), await role(EDITS), await role(VIEWS), await role([])];
  const accounts: [string, number | null, number, readonly PageType[]][] = [
    ['admin', null, 1, ALL],
    ['all', all, 1, ALL],
    ['requester', all, 1, ALL],
    ['editor', edits, 1, EDITS],
    ['viewer', views, 1, VIEWS],
    ['outsider', none, 1, []],
    ['elsewhere', all, 2, []],
  ];
  const people: (Person & { userId: number })[] = [];
  for (const [name, held, company, pages] of accounts) {
    await acme.user(name, { isAdmin: name === 'admin', companies: [{ company, roles: held === null ? [] : [held] }] });
    const { call, userId } = await world.signIn(acme, name);
    people.push({ name, call, userId, pages, host: acme.host, isAdmin: name === 'admin' });
  }
  await zenith.user('stranger', { isAdmin: true });
  people.push({ name: 'stranger', ...(await world.signIn(zenith, 'stranger')), pages: [], host: zenith.host });
  const admin = people[0]!;
  const requester = people.find(({ name }) => name === 'requester')!;

  const service = await acme.user('erp', { companies: [{ company: 1, roles: [all] }] });
  await acme.sql(`update {s}.users set is_service = true where id = $1`, [service]);
  const keyed = await admin.call('POST', '/tapi/api_config', {
    name: 'Key',
    direction: 'inbound',
    service_user_id: service,
    expires_on: new Date(Date.now() + 300 * 86_400_000).toISOString().slice(0, 10),
  });
  expect(keyed.statusCode, keyed.body).toBe(201);
  const { key } = keyed.json<{ key: string }>();
  keyCall = (method, url, body) =>
    world.inject({
      method: method as 'GET',
      url,
      headers: { host: acme.host, authorization: `Bearer ${key}` },
      ...(body !== undefined && { payload: body as object }),
    });

  const lines = [{ item: 'Rope', qty: '10', rate: '100.00' }];
  const offer = {
    party: 'Towers',
    email: 'office@towers.example',
    offered_on: today,
    valid_until: '2099-12-31',
    sales_person_id: requester.userId,
    lines,
  };
  const order = { party: 'Towers', lines };
  const ofReceipt = await made(admin, 'sales_order_erp', order);
  const receipt = { order_id: ofReceipt.id, items: [{ item: 'Rope', qty: '1' }] };
  const add = async (type: string, body: object, answers: Record<string, Row>, is: string[] = []) => {
    const record = await made(admin, type, body);
    subjects.set(type, {
      screen: world.screens.get(type)!,
      table: `{s}.${type}`,
      people: people.map((one) => ({ ...one, is: one.name === 'requester' ? is : [] })),
      record,
      id: Number(record.id),
      answers,
      sql: acme.sql,
      ...(is.includes('did:submit') && { didBy: requester.userId }),
    });
  };
  const reason = { reason: 'Because' };
  await add('quotation_erp', offer, { send_back: reason, reject: reason, lose: reason }, ['owner', 'did:submit']);
  await add('sales_order_erp', order, { cancel: reason });
  await add('purchase_receipt_erp', receipt, { cancel: reason });
  await add('tis_inspection', await inspection(admin, requester.userId), { send_back: reason }, [
    'surveyor',
    'did:submit',
  ]);
  // It is put into its states without being started: the questions that it would have had then.
  await acme.sql(
    `with version as (insert into {s}.questionnaire_version (record_type, record_id, version_no, hash, content)
       values ('tis_survey_type', 1, 1, 'none', '{"sections": [], "score": "none", "paging": "section"}') returning id)
     update {s}.tis_inspection set answers = version.id from version`,
  );
}

/** A plan of an inspection whose surveyor has this account. */
async function inspection(admin: Pick<Caller, 'call'>, account: number): Promise<Row> {
  const [place] = await acme.sql<{ id: number; state_id: number; country_id: number }>(
    'select c.id, c.state_id, s.country_id from {s}.city_mstr c join {s}.state_mstr s on s.id = c.state_id',
  );
  const { id: branch } = await made(admin, 'branch', {
    code: 'B1',
    name: 'Chennai',
    branch_type: 'branch',
    address1: 'Road',
    city: place!.id,
    state_id: place!.state_id,
    country: place!.country_id,
    pincode: '600001',
  });
  const { id: surveyor } = await made(admin, 'employee', {
    empno: 'E10001',
    first_name: 'Asha',
    mobile: '+919840010001',
    date_of_joining: '2024-04-01',
    employment_type: 'permanent',
    branch_id: branch,
    department_id: (await made(admin, 'department', { code: 'D1', name: 'Service' })).id,
    designation_id: (await made(admin, 'designation', { code: 'T1', name: 'Technician', level_no: 3 })).id,
  });
  await acme.sql('update {s}.users set employee_id = $2 where id = $1', [account, surveyor]);
  const { id: group } = await made(admin, 'tis_survey_group', {
    code: 'MR',
    name: 'Machine room',
    place: 'machine_room',
    seq: 1,
  });
  await made(admin, 'tis_survey_field', {
    code: 'LIGHT',
    tis_survey_group_id: group,
    question: 'How bright?',
    input: 'number',
    photo_when: 'never',
    mandatory: false,
    seq: 1,
    weight: 0,
  });
  const { id: survey } = await made(admin, 'tis_survey_type', {
    code: 'YEAR',
    name: 'Yearly',
    purpose: 'periodic',
    valid_months: 12,
    may_correct_hours: 24,
    pass_percent: '75',
    groups: [{ seq: 1, tis_survey_group_id: group, repeat_per: 'once' }],
    grades: [{ from_percent: '0', grade: 'A' }],
  });
  await acme.sql(`update {s}.tis_survey_type set status = 'published' where id = $1`, [survey]);
  return {
    survey_type_id: survey,
    planned_on: '2026-11-20',
    surveyor_id: surveyor,
    branch_id: branch,
    customer_name: 'Towers',
    building: 'T. Nagar, Chennai',
    lift_no: 'A',
  };
}

async function platformTypes(): Promise<void> {
  const { main } = world.database.directory;
  await writeUserTypes(main);
  await ensureTables({ db: main, schema: 'public' }, world.app.store.screens(), [
    'client_account',
    'admin_lead',
    'contact',
    'admin_lead_source',
    'product',
    'admin_campaign',
    'industry',
    'blog',
    'blog_sect_categ',
    'image',
  ]);
  const people: (Person & { userId: number })[] = [];
  for (const [code, pages] of [
    ['ALL', ALL],
    ['EDITS', EDITS],
    ['VIEWS', VIEWS],
    ['NOTHING', []],
  ] as const) {
    const [type] = await main.query<{ id: number }>(
      'insert into public.user_type (code, name, is_super) values ($1, $1, false) returning id',
      [code],
    );
    for (const screen of ['COMMON_SCN_LEAD', 'COMMON_SCN_BLOG', 'COMMON_SCN_CLIENT'])
      await main.query(
        `insert into public.common_right (user_type_id, screen_code, ${PAGE_TYPES.join(', ')}) values ($1, $2, ${PAGE_TYPES.map((page) => String((pages as readonly PageType[]).includes(page))).join(', ')})`,
        [type!.id, screen],
      );
  }
  for (const [type, pages] of [
    ['SUPER', ALL],
    ['ALL', ALL],
    ['EDITS', EDITS],
    ['VIEWS', VIEWS],
    ['NOTHING', []],
  ] as const)
    people.push({
      name: type,
      ...(await platformPerson(world, type)),
      pages,
      host: ADMIN.host,
      isAdmin: type === 'SUPER',
    });
  const ofClient = subjects.get('quotation_erp')!.people[0]!;
  const [root] = people;
  const sql: TestTenant['sql'] = (text, values) => main.query(text.replaceAll('{s}', 'public'), values);
  const [product] = await sql<Row>(`insert into {s}.product (code, name) values ('FMS', 'Service') returning id`);
  const [source] = await sql<Row>(
    `insert into {s}.admin_lead_source (code, name, channel) values ('WEB', 'Web', 'web') returning id`,
  );
  const [section] = await sql<Row>(`insert into {s}.blog_sect_categ (name) values ('Service') returning id`);
  const add = async (type: string, body: object, answers: Record<string, Row>, more: object = {}) => {
    const record = await made(root!, type, body);
    subjects.set(type, {
      screen: world.screens.get(type)!,
      table: `{s}.${type}`,
      people: [...people, { ...ofClient, name: 'administrator of a client', pages: [] }],
      record,
      id: Number(record.id),
      answers,
      sql,
      ...more,
    });
  };
  const value = { value: '240000' };
  await add(
    'admin_lead',
    {
      company: 'Nilgiri Lifts',
      contact_name: 'Ramesh Iyer',
      phone: '+919840055100',
      email: 'r@nilgiri.example',
      lead_source_id: source!.id,
      owner_id: root!.userId,
      ...value,
      next_follow_up: '2099-01-01',
    },
    {
      win: { ...value, email: 'r@nilgiri.example', city: 'Chennai', products: [product!.id] },
      propose: value,
      park: { next_follow_up: '2099-01-01' },
      lose: { lost_reason: 'Too dear' },
    },
    { clear: ', client_id = null', remove: 'delete from {s}.client_account where lead_id = $1' },
  );
  await add(
    'blog',
    { title: 'Ropes', section_id: section!.id, body: '<p>Text.</p>', author: 'Karthik Raman' },
    { schedule: { publish_at: '2099-01-01T00:00:00Z' } },
  );
  const day = (years: number) => new Date(Date.now() + years * 365 * 86_400_000).toISOString().slice(0, 10);
  await add(
    'client_account',
    {
      code: 'WALK',
      name: 'Walked',
      sub_domain: 'walked',
      legal_name: 'Walked Lifts',
      licensed_users: 5,
      valid_from: day(0),
      valid_to: day(1),
      contact_name: 'Ramesh Iyer',
      contact_email: 'r@walked.example',
      admin_name: 'Ramesh Iyer',
      admin_email: 'r@walked.example',
      admin_username: 'admin',
      products: [{ product_id: product!.id }],
      companies: [{ code: 'C1', name: 'Walked', legal_name: 'Walked Lifts', state: 'TN' }],
    },
    {},
  );
}

it('every type with a workflow is tested here or in the demo company', () => {
  const here = new Set(TYPES);
  const others = [...world.screens.values()].filter(({ name, workflow }) => workflow && !here.has(name));
  // The platform's templates have their test beside those of clients, tests/api/act/checklists.test.ts.
  expect(others.filter(({ scope }) => scope === 'platform').map(({ name }) => name)).toEqual(['admin_chk_template']);
});

describe.each(TYPES)('%s', (type) => {
  it('takes only the transitions that its descriptor allows, by the permitted people', async () => {
    const subject = subjects.get(type)!;
    const { wrong, taken } = await takeAll(subject);
    expect(wrong).toEqual([]);
    expect(taken).toEqual(
      subject.screen.workflow!.transitions.flatMap(({ name, auto }) => (auto ? [] : [name])).toSorted(),
    );
  });

  it('has no other way into a state', async () => {
    const subject = subjects.get(type)!;
    const { people, sql } = subject;
    const insiders: Pick<Person, 'name' | 'call'>[] = people.filter(({ pages }) => pages.includes('edit_screen'));
    if (sql === acme.sql) insiders.push({ name: 'a key', call: keyCall });
    expect(await otherWays(subject, insiders)).toEqual([]);
  });
});

// Types that a file of one sheet brings in: their rows may be missing, or are left as they are.
it.each([
  ['sales_order_erp', [true]],
  ['tis_inspection', [true, false]],
  ['admin_lead', [true, false]],
  ['blog', [true]],
])('no import sets a state of %s', async (type, known) => {
  const subject = subjects.get(type)!;
  const { screen, people, record, id, table, sql } = subject;
  const { field, states } = screen.workflow!;
  const person = people[0]!;
  await put(subject, states[0]!.name);
  const columns = screen.fields.filter(
    ({ name, rows, formula }) => !rows && formula === undefined && record[name] != null,
  );
  const quote = (value: unknown) => `"${String(value).replaceAll('"', '""')}"`;
  const value = (name: string, label: string) => (name === field ? label : (record[`${name}__label`] ?? record[name]));
  const text = (withKey: boolean, label: string) => {
    const shown = columns.filter(({ name }) => withKey || name !== screen.number?.field);
    return [shown.map(({ title }) => quote(title)), shown.map(({ name }) => quote(value(name, label)))]
      .map((cells) => cells.join(','))
      .join('\n');
  };
  const label = (name: string) => states.find((one) => one.name === name)!.title;
  const found = () =>
    sql<Row>(`select id, ${field} as state from ${table} where ${field} <> $1 or id = $2 order by id`, [
      states[0]!.name,
      id,
    ]);
  const before = await found();
  for (const isKnown of known) {
    const file = upload(`${randomUUID()}.csv`, text(isKnown, label(states[1]!.name)));
    const run = await person.call('POST', `/tapi/${type}/import`, file.payload, file.headers);
    expect(run.statusCode, run.body).toBe(202);
    const at = `/tapi/import/${run.json<{ data: { id: number } }>().data.id}`;
    const now = async () => (await person.call('GET', at)).json<{ data: Run }>().data;
    const until = (ends: RegExp) => expect.poll(async () => (await now()).state, ONCE_DONE).toMatch(ends);
    await until(/checked|failed/);
    const { state, errors, notices } = await now();
    // Of a record that is there it is said that its state is left out.
    if (isKnown) {
      expect({ state, errors }).toEqual({ state: 'checked', errors: [] });
      expect(notices.join()).toContain(`${screen.fields.find(({ name }) => name === field)!.title} cannot be imported`);
    }
    if (state === 'checked' && errors.length === 0) {
      const committed = await person.call('POST', `${at}/commit`, { again: true });
      expect(committed.statusCode, committed.body).toBe(202);
      await until(/imported|failed/);
    }
    expect(await found()).toEqual(before);
  }
  const title = screen.fields.find(({ name }) => name === field)!.title;
  const chosen = encodeURIComponent(JSON.stringify([{ heading: title, field }]));
  const { payload, headers } = upload('chosen.csv', text(true, label(states[1]!.name)));
  const refused = await person.call('POST', `/tapi/${type}/import?columns=${chosen}`, payload, headers);
  expect([refused.statusCode, refused.body]).toEqual([422, expect.stringContaining('a file cannot set that field')]);
});

it('a document made from an offer changes it only in the states that allow it', async () => {
  const subject = subjects.get('quotation_erp')!;
  const { id } = subject;
  for (const { name: state } of subject.screen.workflow!.states)
    for (const person of subject.people) {
      await put(subject, state);
      const got = await person.call('POST', '/tapi/sales_order_erp', {
        party: 'Towers',
        lines: [{ item: 'Rope', qty: '1', rate: '1' }],
        _from: { type: 'quotation_erp', id, make: 'order' },
      });
      const may = state === 'approved' && person.pages.includes('add_screen');
      const says = `${person.name} from ${state}: ${got.statusCode} ${got.body}`;
      if (may) expect(got.statusCode, says).toBe(201);
      else
        expect(
          [403, 404, 409, ...(state === 'ordered' && person.pages.includes('add_screen') ? [201] : [])],
          says,
        ).toContain(got.statusCode);
      expect((await look(subject)).state, says).toBe(may ? 'ordered' : state);
      if (got.statusCode === 201) {
        await acme.sql(`delete from {s}.record_link where from_id = $1 and from_type = 'quotation_erp'`, [id]);
        await acme.sql(`update {s}.sales_order_erp set status = 'cancelled' where id = $1`, [
          got.json<{ data: Row }>().data.id,
        ]);
      }
    }
});
