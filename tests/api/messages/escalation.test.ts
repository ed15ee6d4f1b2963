import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sweepEscalations } from '../../../src/server/platform/escalation/sweep.ts';
import type { Caller, TestTenant, World } from '../world.ts';
import { startWorld } from '../world.ts';

let world: World;
let acme: TestTenant;
let admin: Caller;
let guest: Caller;
const ids: Record<string, number> = {};

const make = async (type: string, record: object) => {
  const answer = await admin.call('POST', `/tapi/${type}`, record);
  expect(answer.statusCode, answer.body).toBe(201);
  return answer.json<{ data: { id: number } }>().data.id;
};
const at = (text: string) => new Date(`${text}:00+05:30`);
const sweep = (now: string) =>
  sweepEscalations(
    { notifications: world.app.notifications, screens: world.app.store.screens, addressOf: () => 'http://acme.test' },
    acme,
    at(now),
  );
const mails = () =>
  acme.sql<{ recipient: string; subject: string; body: string }>(
    `select recipient, subject, body from {s}.outbox where channel = 'mail' and event_code = 'escalation' order by id`,
  );
const sent = async () => (await mails()).map(({ recipient, subject }) => `${recipient}: ${subject}`);
const rule = (more: object) =>
  make('esclation', {
    code: `R${Math.random().toString(36).slice(2, 8)}`,
    name: `Rule ${Math.random()}`,
    module: 'employee',
    event: 'ending',
    level: 0,
    days: -30,
    channels: ['mail', 'in_app'],
    recipients: [{ copy: 'to', kind: 'manager_1' }],
    subject: '{{name}}: {{due_on}}',
    body: '{{name}} of {{branch_id}} has {{days_left}} days.\n{{link}}',
    working_hours_only: true,
    digest: 'none',
    ...more,
  });
/** Any other rule is out of the way. */
const only = async (id: number) => acme.sql('update {s}.esclation set active = id = $1', [id]);

beforeAll(async () => {
  world = await startWorld({
    types: [
      'audit_process',
      'audit_risk',
      'audit_risk_type',
      'escalation_log',
      'esclation',
      'tis_inspection',
      'tis_survey_group',
      'tis_survey_type',
    ],
  });
  acme = await world.tenant({ companies: 1, products: ['FMS', 'TKT', 'CHCK'] });
  const hr = await acme.role({ modules: ['MASTERS'] });
  const reader = await acme.role({
    modules: ['SETTINGS'],
    screens: { SCN_ESCLATION: ['landing', 'view_screen', 'edit_screen'] },
  });
  await acme.user('admin', { isAdmin: true });
  await acme.user('lead');
  await acme.user('hr', { companies: [{ company: 1, roles: [hr] }] });
  await acme.user('guest', { companies: [{ company: 1, roles: [reader] }] });
  await acme.user('boss', { flags: ['chairman'] });
  [admin, guest] = await Promise.all([world.signIn(acme, 'admin'), world.signIn(acme, 'guest')]);
  const [place] = await acme.sql<{ id: number; state_id: number; country_id: number }>(
    'select c.id, c.state_id, s.country_id from {s}.city_mstr c join {s}.state_mstr s on s.id = c.state_id',
  );
  ids.branch = await make('branch', {
    code: 'B1',
    name: 'Chennai',
    branch_type: 'branch',
    address1: 'Road',
    city: place!.id,
    state_id: place!.state_id,
    country: place!.country_id,
    pincode: '600001',
  });
  ids.department = await make('department', { code: 'D1', name: 'Service' });
  ids.designation = await make('designation', { code: 'T1', name: 'Technician', level_no: 2 });
  const person = (name: string, above: string | null, more: object = {}) =>
    make('employee', {
      empno: name.toUpperCase(),
      first_name: name,
      mobile: '+919840012345',
      work_email: `${name.toLowerCase()}@acme.in`,
      date_of_joining: '2024-04-01',
      employment_type: 'permanent',
      branch_id: ids.branch,
      department_id: ids.department,
      designation_id: ids.designation,
      status: 'active',
      reporting_to_id: above === null ? null : ids[above],
      ...more,
    });
  ids.Head = await person('Head', null);
  ids.Lead = await person('Lead', 'Head');
  ids.Fitter = await person('Fitter', 'Lead', {
    employment_type: 'contract',
    contract_end: '2026-03-31',
    documents: [{ type: 'Licence', expires_on: '2026-03-20' }, { type: 'Passport' }],
  });
  ids.Helper = await person('Helper', 'Lead', { employment_type: 'contract', contract_end: '2026-04-10' });
  await acme.sql('update {s}.users set employee_id = $1 where username = $2', [ids.Lead, 'lead']);
  await acme.sql('update {s}.department set head_id = $1 where id = $2', [ids.Head, ids.department]);
  ids.hr = hr;
});
afterAll(() => world.close());
beforeEach(async () => {
  await acme.sql('delete from {s}.outbox');
  await acme.sql('delete from {s}.notification');
});

describe('a rule', () => {
  it('sends once, when its day has come, in office hours', async () => {
    await only(await rule({}));
    expect(await sweep('2026-02-28T10:00')).toBe(0);
    expect(await sweep('2026-03-01T12:00')).toBe(0); // Sunday
    expect(await sweep('2026-03-02T08:59')).toBe(0);
    expect(await sweep('2026-03-02T09:00')).toBe(1);
    expect(await sweep('2026-03-02T09:15')).toBe(0);
    const [mail] = await mails();
    expect(mail).toMatchObject({ recipient: 'lead@example.in', subject: 'Fitter: 31-03-2026' });
    expect(mail!.body).toContain('Fitter of Chennai has 29 days.');
    expect(await acme.sql(`select title, link from {s}.notification`)).toEqual([
      { title: 'Fitter: 31-03-2026', link: `/employee/view/${ids.Fitter}` },
    ]);
    const log = (await admin.call('GET', '/tapi/escalation_log')).json<{ data: object[] }>();
    expect(log.data).toMatchObject([
      {
        record: expect.stringContaining('Fitter') as string,
        due_on: '2026-03-01',
        delay_days: 1,
        recipients: 'Person lead',
        level: 0,
      },
    ]);
  });

  it('sent at night counts lateness by the client’s days', async () => {
    const id = await rule({ name: 'At night', working_hours_only: false });
    await only(id);
    expect(await sweep('2026-03-02T02:00')).toBe(1);
    expect(
      await acme.sql('select due_on::text as due_on, delay_days from {s}.escalation_log where esclation_id = $1', [id]),
    ).toEqual([{ due_on: '2026-03-01', delay_days: 1 }]);
  });

  it('respects the days and office hours of the branch, otherwise of the company', async () => {
    const id = await rule({ name: 'Abroad' });
    await only(id);
    await acme.sql(`update {s}.entity set timezone = 'Asia/Tokyo'`);
    await acme.sql(`update {s}.branch set timezone = 'America/New_York' where id = $1`, [ids.branch]);
    // Monday 09:30 in India and 13:00 in Tokyo is Sunday night in New York.
    expect(await sweep('2026-03-02T09:30')).toBe(0);
    expect(await sweep('2026-03-02T19:29')).toBe(0);
    expect(await sweep('2026-03-02T19:30')).toBe(1);
    await acme.sql('delete from {s}.escalation_log where esclation_id = $1', [id]);
    await acme.sql(`update {s}.branch set timezone = null where id = $1`, [ids.branch]);
    // Half past five in the morning in India is nine in Tokyo.
    expect(await sweep('2026-03-02T05:29')).toBe(0);
    expect(await sweep('2026-03-02T05:30')).toBe(1);
    await acme.sql(`update {s}.entity set timezone = 'Asia/Kolkata'`);
  });

  it('collected for the day is sent once a day in each time zone', async () => {
    await only(
      await rule({ name: 'Two zones', digest: 'daily', days: -60, recipients: [{ copy: 'to', kind: 'owner' }] }),
    );
    const [branch] = await acme.sql<{ id: number }>(
      `insert into {s}.branch (entity_id, code, name, branch_type, address1, city, state_id, country, pincode, timezone)
       select entity_id, 'B2', 'Boston', branch_type, address1, city, state_id, country, pincode, 'America/New_York' from {s}.branch where id = $1 returning id`,
      [ids.branch],
    );
    await acme.sql('update {s}.employee set branch_id = $1 where id = $2', [branch!.id, ids.Helper]);
    expect([await sweep('2026-03-02T09:30'), await sweep('2026-03-02T10:30')]).toEqual([1, 0]);
    expect([await sweep('2026-03-02T19:30'), await sweep('2026-03-02T20:30')]).toEqual([1, 0]);
    expect(await sent()).toEqual(['fitter@acme.in: Fitter: 31-03-2026', 'helper@acme.in: Helper: 10-04-2026']);
    await acme.sql('update {s}.employee set branch_id = $1 where id = $2', [ids.branch, ids.Helper]);
    await acme.sql('delete from {s}.branch where id = $1', [branch!.id]);
  });

  it('missed while the system was down is sent once, and two processes do not send twice', async () => {
    await only(await rule({ name: 'Twice', recipients: [{ copy: 'to', kind: 'mail', mail: 'out@side.in' }] }));
    const counts = await Promise.all([sweep('2026-03-25T11:00'), sweep('2026-03-25T11:00')]);
    expect(counts[0]! + counts[1]!).toBe(2);
    expect(await sent()).toEqual(['out@side.in: Fitter: 31-03-2026', 'out@side.in: Helper: 10-04-2026']);
  });

  it('of a later level goes to further people: the manager’s manager, the head, a role and the chairman', async () => {
    await only(
      await rule({
        name: 'Later',
        level: 2,
        days: -10,
        recipients: [
          { copy: 'to', kind: 'manager_2' },
          { copy: 'to', kind: 'department_head' },
          { copy: 'cc', kind: 'role', role_id: ids.hr },
          { copy: 'cc', kind: 'chairman' },
        ],
      }),
    );
    await sweep('2026-03-23T11:00');
    expect((await sent()).sort((a, b) => a.localeCompare(b))).toEqual([
      'boss@example.in: Fitter: 31-03-2026',
      'head@acme.in: Fitter: 31-03-2026',
      'hr@example.in: Fitter: 31-03-2026',
    ]);
  });

  it('stops when the record leaves its triggering state, and ignores the past', async () => {
    await only(await rule({ name: 'Stops', days: 1 }));
    await acme.sql(`update {s}.employee set status = 'left' where id = $1`, [ids.Helper]);
    expect(await sweep('2026-04-11T11:00')).toBe(1);
    await acme.sql(`update {s}.employee set status = 'active' where id = $1`, [ids.Helper]);
    await only(await rule({ name: 'Past', days: 1 }));
    expect(await sweep('2026-07-01T11:00')).toBe(0);
  });

  it('collected for the day arrives as one mail', async () => {
    await only(await rule({ name: 'Ends of contracts', digest: 'daily', days: -60 }));
    expect(await sweep('2026-03-02T09:30')).toBe(1);
    expect(await mails()).toMatchObject([
      {
        recipient: 'lead@example.in',
        subject: 'Ends of contracts: 2',
        body: '• Fitter: 31-03-2026\n• Helper: 10-04-2026',
      },
    ]);
  });

  it('names the line that is due', async () => {
    await only(
      await rule({
        name: 'Papers',
        event: 'expiring',
        days: -30,
        recipients: [{ copy: 'to', kind: 'owner' }],
        subject: '{{type}} of {{name}}: {{due_on}}',
        body: '{{empno}}',
      }),
    );
    await sweep('2026-03-02T10:00');
    expect(await sent()).toEqual(['fitter@acme.in: Licence of Fitter: 20-03-2026']);
  });

  it('with an unknown placeholder is refused, by name', async () => {
    const refused = await admin.call('POST', '/tapi/esclation', {
      code: 'BAD',
      name: 'Bad',
      module: 'employee',
      event: 'ending',
      channels: ['mail'],
      recipients: [{ copy: 'to', kind: 'owner' }],
      subject: 'Hello {{nick_name}}',
      body: '{{bank_account}} {{name}}',
      working_hours_only: true,
      digest: 'none',
    });
    expect(refused.statusCode).toBe(422);
    const { details } = refused.json<{ error: { details: { field: string; message: string }[] } }>().error;
    expect(details.map(({ field, message }) => [field, message.slice(0, message.indexOf('}}') + 2)])).toEqual([
      ['subject', '{{nick_name}}'],
      ['body', '{{bank_account}}'],
    ]);
  });
});

describe('a preview', () => {
  it('shows the message for a real record, and today’s messages, and sends nothing', async () => {
    const [{ today } = { today: '' }] = await acme.sql<{ today: string }>(
      `select (now() at time zone 'Asia/Kolkata')::date::text as today`,
    );
    await acme.sql('update {s}.employee set contract_end = $1::date + 20 where id = $2', [today, ids.Helper]);
    await acme.sql('update {s}.employee set contract_end = $1::date + 200 where id = $2', [today, ids.Fitter]);
    const id = await rule({ name: 'Tried' });
    await only(id);
    const preview = (await admin.call('GET', `/tapi/esclation/${id}/preview`)).json<{
      data: { subject: string; text: string; to: string[] };
    }>();
    expect(preview.data.subject).toMatch(/^Helper: \d\d-\d\d-\d{4}$/);
    expect(preview.data).toMatchObject({
      text: expect.stringContaining('Helper of Chennai has 20 days.') as string,
      to: ['Person lead'],
    });
    expect((await admin.call('GET', `/tapi/esclation/${id}/preview?record=${ids.Fitter}`)).json()).toMatchObject({
      data: { type: 'employee', subject: expect.stringMatching(/^Fitter: /) as string },
    });
    const run = (await admin.call('POST', `/tapi/esclation/${id}/dry_run`, {})).json<{ data: object[] }>();
    expect(run.data).toMatchObject([
      {
        type: 'employee',
        id: ids.Helper,
        to: [{ name: 'Person lead', email: 'lead@example.in' }],
        channels: ['mail', 'in_app'],
      },
    ]);
    expect(await mails()).toEqual([]);
    expect(await acme.sql('select 1 from {s}.escalation_log where esclation_id = $1', [id])).toEqual([]);
  });

  it('shows no records to people who may not see them', async () => {
    const [{ id } = { id: 0 }] = await acme.sql<{ id: number }>('select id from {s}.esclation where active');
    expect((await guest.call('GET', `/tapi/esclation/${id}`)).statusCode).toBe(200);
    expect((await guest.call('GET', `/tapi/esclation/${id}/preview`)).statusCode).toBe(403);
    expect((await guest.call('POST', `/tapi/esclation/${id}/dry_run`, {})).statusCode).toBe(403);
  });
});

describe('a list with due dates', () => {
  let surveyor: number;
  const inspection = (more: object) =>
    make('tis_inspection', {
      survey_type_id: ids.survey,
      surveyor_id: surveyor,
      branch_id: ids.branch,
      customer_name: 'Lotus',
      building: 'Lotus Towers',
      lift_no: 'L1',
      planned_on: '2026-05-14',
      ...more,
    });
  beforeAll(async () => {
    surveyor = ids.Fitter!;
    await acme.sql(`update {s}.employee set status = 'active' where id = $1`, [surveyor]);
    const group = await make('tis_survey_group', { code: 'G1', name: 'Car', place: 'car' });
    ids.survey = await make('tis_survey_type', {
      code: 'AN',
      name: 'Annual',
      purpose: 'periodic',
      status: 'published',
      groups: [{ seq: 1, tis_survey_group_id: group }],
    });
  });

  it('has its rules: levels, each sent once, on working days of the branch, until the work is done', async () => {
    const first = await inspection({});
    const second = await inspection({ lift_no: 'L2' });
    const soon = await rule({
      name: 'Inspection tomorrow',
      module: 'tis_inspection',
      event: 'due',
      days: -1,
      recipients: [{ copy: 'to', kind: 'assignee' }],
      subject: '{{lift_no}} {{due_on}}',
      body: '{{surveyor_id}} {{status}}',
    });
    const late = await rule({
      name: 'Inspection late',
      module: 'tis_inspection',
      event: 'due',
      level: 1,
      days: 2,
      subject: '{{lift_no}}: {{days_late}} days late',
      body: '{{customer_name}}',
    });
    await acme.sql('update {s}.esclation set active = id = any($1)', [[soon, late]]);
    await make('weekoff', {
      code: 'W',
      name: 'Sundays and 3rd Saturdays',
      effective_from: '2026-01-01',
      branches: [ids.branch],
      rules: [
        { weekday: 'sunday', weeks: ['all'], part: 'full' },
        { weekday: 'saturday', weeks: ['3'], part: 'full' },
      ],
    });
    expect(await sweep('2026-05-12T11:00')).toBe(0);
    expect(await sweep('2026-05-13T11:00')).toBe(2);
    expect(await sweep('2026-05-13T12:00')).toBe(0);
    expect(await sent()).toEqual(['fitter@acme.in: L1 14-05-2026', 'fitter@acme.in: L2 14-05-2026']);
    expect((await mails())[0]!.body).toBe('Fitter Planned');
    await acme.sql('delete from {s}.outbox');
    // The third Saturday of May is off, Sunday too; what was done meanwhile is not told.
    expect(await sweep('2026-05-16T11:00')).toBe(0);
    expect(await sweep('2026-05-17T11:00')).toBe(0);
    await acme.sql(`update {s}.tis_inspection set status = 'submitted' where id = $1`, [second]);
    expect(await sweep('2026-05-18T11:00')).toBe(1);
    expect(await sent()).toEqual(['lead@example.in: L1: 4 days late']);
    expect(
      await acme.sql(
        'select record_id, level, due_on::text as due_on from {s}.escalation_log where esclation_id = any($1) order by 2, 1',
        [[soon, late]],
      ),
    ).toEqual([
      { record_id: first, level: 0, due_on: '2026-05-13' },
      { record_id: second, level: 0, due_on: '2026-05-13' },
      { record_id: first, level: 1, due_on: '2026-05-16' },
    ]);
  });

  it('counts working days of the branch if the rule says so, before and after the day', async () => {
    await acme.sql('delete from {s}.tis_inspection');
    const third = await inspection({ lift_no: 'L3' });
    await make('holiday', { name: 'Fair', date: '2026-05-18', holiday_type: 'company', holiday_group: 'All' });
    // Thursday the 14th: Friday is the first working day after it; Saturday, Sunday and the fair on Monday are none.
    const late = await rule({
      name: 'Two working days late',
      module: 'tis_inspection',
      event: 'due',
      days: 2,
      day_type: 'working',
      recipients: [{ copy: 'to', kind: 'assignee' }],
      subject: '{{lift_no}} late',
      body: '{{status}}',
    });
    await only(late);
    expect(await sweep('2026-05-16T11:00')).toBe(0);
    expect(await sweep('2026-05-18T11:00')).toBe(0);
    expect(await sweep('2026-05-19T11:00')).toBe(1);
    expect(await sweep('2026-05-20T11:00')).toBe(0);
    expect(
      await acme.sql(
        'select record_id, due_on::text as due_on, delay_days from {s}.escalation_log where esclation_id = $1',
        [late],
      ),
    ).toEqual([{ record_id: third, due_on: '2026-05-19', delay_days: 0 }]);
    await acme.sql(`update {s}.tis_inspection set planned_on = '2026-05-20' where id = $1`, [third]);
    const before = await rule({
      name: 'Two working days before',
      module: 'tis_inspection',
      event: 'due',
      days: -2,
      day_type: 'working',
      recipients: [{ copy: 'to', kind: 'assignee' }],
      subject: '{{lift_no}} soon',
      body: '{{status}}',
    });
    await only(before);
    // Before Wednesday: Tuesday, then Friday.
    expect(await sweep('2026-05-14T11:00')).toBe(0);
    expect(await sweep('2026-05-15T11:00')).toBe(1);
    expect(await sweep('2026-05-19T11:00')).toBe(0);
    expect(await sent()).toEqual(['fitter@acme.in: L3 late', 'fitter@acme.in: L3 soon']);
    await acme.sql(`update {s}.holiday set active = false`);
  });

  it('is offered automatically, and refuses unknown names', async () => {
    const field = world.screens.get('esclation')!.fields.find(({ name }) => name === 'module')!;
    expect(
      field
        .options!.filter(({ value }) => ['tis_inspection', 'audit_risk', 'platform'].includes(String(value)))
        .map(({ label }) => label),
    ).toEqual(['Accounts and delegations', 'Inspection', 'Risk']);
    const refused = await admin.call('POST', '/tapi/esclation', {
      code: 'NO',
      name: 'No',
      module: 'tis_inspection',
      event: 'leaving',
      channels: ['mail'],
      recipients: [{ copy: 'to', kind: 'owner' }],
      subject: 'S',
      body: 'B',
      working_hours_only: true,
      digest: 'none',
    });
    expect(refused.json()).toMatchObject({
      error: {
        details: [
          {
            field: 'event',
            message:
              '"Inspection" has no event "Leaves". Choose "Falls due" (Inspection is planned) or "Expiring" (Inspection report expires).',
          },
        ],
      },
    });
  });

  it('of rows sends for each row, to its assignee', async () => {
    const id = await rule({
      name: 'Step of a plan',
      module: 'audit_risk',
      event: 'overdue',
      days: 0,
      recipients: [{ copy: 'to', kind: 'assignee' }],
      subject: '{{title}}: {{action}}',
      body: '{{days_late}}',
    });
    await only(id);
    const [{ today } = { today: '' }] = await acme.sql<{ today: string }>(
      `select (now() at time zone 'Asia/Kolkata')::date::text as today`,
    );
    const type = await make('audit_risk_type', {
      code: 'OP',
      name: 'Operations',
      appetite_score: 10,
      tolerance_score: 20,
    });
    const process = await make('audit_process', { code: 'P1', name: 'Service', owner_id: ids.Lead, criticality: 3 });
    await make('audit_risk', {
      title: 'Rope breaks',
      event: 'A rope breaks',
      risk_type_id: type,
      process_id: process,
      owner_id: ids.Lead,
      inherent_likelihood: 3,
      inherent_impact: 9,
      treatment: 'reduce',
      review_on: '2027-01-31',
      status: 'assessed',
      causes: [{ cause: 'Wear' }],
      plan: [
        { action: 'Look at all ropes', owner_id: ids.Fitter, due_on: today },
        { action: 'Buy ropes', owner_id: ids.Helper, due_on: today, done_on: today },
      ],
    });
    expect((await admin.call('POST', `/tapi/esclation/${id}/dry_run`, {})).json()).toMatchObject({
      data: [
        {
          type: 'audit_risk',
          subject: 'Rope breaks: Look at all ropes',
          to: [{ name: 'Fitter', email: 'fitter@acme.in' }],
        },
      ],
    });
  });
});
