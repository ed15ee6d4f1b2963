import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrateTenants } from '../../../src/server/db/tenants.ts';
import { readPdf } from '../../../src/server/services/print/join_pdfs.ts';
import { countActivity } from '../../../src/server/platform/upkeep/activity_days.ts';
import { upload } from '../multipart.ts';
import type { Caller, TestTenant, World } from '../world.ts';
import { startWorld } from '../world.ts';
import { branchWithMembers } from './branch_with_members.ts';

type Row = Record<string, unknown>;
interface Sheet {
  version: { version_no: number; content: { sections: { title: string; questions: { code: string }[] }[] } };
  answers: { code: string; value: unknown }[];
  locked: string | null;
}
type Inspection = Row & {
  id: number;
  version: number;
  status: string;
  answers: number | null;
  findings: Row[];
  score: string | null;
  grade: string | null;
  unsafe: boolean;
  group_scores: Row[];
};

let world: World;
let acme: TestTenant;
let admin: Caller;
let surveyor: Caller;
let supervisor: Caller;
let stranger: Caller;
const ids: Record<string, number> = {};

const pages = ['landing', 'add_screen', 'edit_screen', 'view_screen'] as const;

async function add(type: string, record: object): Promise<number> {
  const answer = await admin.call('POST', `/tapi/${type}`, record);
  expect(answer.statusCode, `${type} ${answer.body}`).toBe(201);
  return answer.json<{ data: { id: number } }>().data.id;
}

beforeAll(async () => {
  world = await startWorld();
  acme = await world.tenant({ companies: 2, everyTable: true });
  await acme.user('admin', { isAdmin: true });
  const fills = await acme.role({ modules: ['FMS'], screens: { SCN_FMS_TIS: [...pages] } });
  const reviews = await acme.role({ modules: ['FMS'], screens: { SCN_FMS_TIS: [...pages, 'approval_screen'] } });
  await acme.user('surveyor', { companies: [{ company: 1, roles: [fills] }] });
  await acme.user('supervisor', { companies: [{ company: 1, roles: [reviews] }] });
  await acme.user('stranger', { companies: [{ company: 2, roles: [reviews] }] });
  [admin, surveyor, supervisor, stranger] = await Promise.all([
    world.signIn(acme, 'admin'),
    world.signIn(acme, 'surveyor'),
    world.signIn(acme, 'supervisor'),
    world.signIn(acme, 'stranger'),
  ]);
  const [place] = await acme.sql<{ id: number; state_id: number; country_id: number }>(
    'select c.id, c.state_id, s.country_id from {s}.city_mstr c join {s}.state_mstr s on s.id = c.state_id',
  );
  const { branch, member } = await branchWithMembers(
    add,
    { city: place!.id, state_id: place!.state_id, country: place!.country_id },
    {
      branch: { code: 'B1' },
      department: { code: 'D1', name: 'Service' },
      designation: { code: 'T1', name: 'Technician' },
    },
  );
  ids.branch = branch;
  ids.employee = await member('E10001');
  ids.other = await member('E10002');
  await acme.sql(`update {s}.users set employee_id = $2 where id = $1`, [surveyor.userId, ids.employee]);
  for (const [code, label, score, severity] of [
    ['GOOD', 'Good', '4', 'ok'],
    ['WORN', 'Worn', '2', 'major'],
    ['BAD', 'Dangerous', '0', 'critical'],
  ])
    ids[code!] = await add('tis_survey_value', { code, value_group: 'condition', label, score, severity });
  ids.NA = await add('tis_survey_value', {
    code: 'NA',
    value_group: 'condition',
    label: 'Not fitted',
    not_applicable: true,
    severity: 'ok',
  });
  ids.other_list = await add('tis_survey_value', {
    code: 'YES',
    value_group: 'papers',
    label: 'There',
    score: '4',
    severity: 'ok',
  });
  const machine = await add('tis_survey_group', { code: 'MR', name: 'Machine room', place: 'machine_room', seq: 1 });
  ids.machine = machine;
  const doors = await add('tis_survey_group', { code: 'DOOR', name: 'Landing doors', place: 'landing', seq: 2 });
  const question = (code: string, group: number, more: object) =>
    add('tis_survey_field', {
      code,
      tis_survey_group_id: group,
      question: `Question ${code}`,
      input: 'choice',
      value_group: 'condition',
      photo_when: 'never',
      ...more,
    });
  ids.brake = await question('BRAKE', machine, { seq: 1, weight: 3, critical: true });
  ids.light = await question('LIGHT', machine, {
    seq: 2,
    weight: 0,
    input: 'number',
    value_group: null,
    mandatory: false,
    writes_lift_field: 'travel_m',
  });
  ids.lock = await question('LOCK', doors, { seq: 1, weight: 5 });
  ids.survey = await add('tis_survey_type', {
    code: 'YEAR',
    name: 'Yearly',
    purpose: 'periodic',
    valid_months: 12,
    may_correct_hours: 24,
    pass_percent: '75',
    groups: [
      { seq: 1, tis_survey_group_id: machine, repeat_per: 'once' },
      { seq: 2, tis_survey_group_id: doors, repeat_per: 'landing' },
    ],
    grades: [
      { from_percent: '75', grade: 'B' },
      { from_percent: '90', grade: 'A' },
      { from_percent: '0', grade: 'D' },
    ],
  });
  await acme.sql(`update {s}.tis_survey_type set status = 'published' where id = $1`, [ids.survey]);
});
afterAll(() => world.close());

const planned = (more: object = {}) => ({
  survey_type_id: ids.survey,
  planned_on: '2026-11-20',
  surveyor_id: ids.employee,
  branch_id: ids.branch,
  customer_name: 'Towers',
  building: 'T. Nagar, Chennai',
  lift_no: 'A',
  landings: 2,
  ...more,
});
async function plan(by = surveyor, more: object = {}): Promise<Inspection> {
  const answer = await by.call('POST', '/tapi/tis_inspection', planned(more));
  expect(answer.statusCode, answer.body).toBe(201);
  return answer.json<{ data: Inspection }>().data;
}
const step = async (by: Caller, id: number, name: string, body: object = {}) =>
  by.call('POST', `/tapi/tis_inspection/${id}/${name}`, { version: (await read(id)).version, ...body });
async function taken(by: Caller, id: number, name: string, body: object = {}): Promise<Inspection> {
  const answer = await step(by, id, name, body);
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json<{ data: Inspection }>().data;
}
/** The lift of the inspections, with its building and owner. */
async function liftA(): Promise<void> {
  const [place] = await acme.sql<{ city_id: number; state_id: number; country: number }>(
    'select c.id as city_id, c.state_id, s.country_id as country from {s}.city_mstr c join {s}.state_mstr s on s.id = c.state_id limit 1',
  );
  const address = { state_id: place!.state_id, city_id: place!.city_id, pincode: '600002', branch_id: ids.branch };
  const X = { code: 'X', name: 'X' };
  ids.customer = await add('customer_dtl', {
    ...address,
    name: 'Towers',
    client_type_id: await add('client_type_mstr', { ...X, sector: 'private' }),
    billing_address: '2 Mount Road',
    phone: '+914428292727',
    gst_treatment: 'unregistered',
    bill_grouping: 'contract',
  });
  ids.building = await add('building', {
    ...address,
    name: 'Towers A',
    customer_id: ids.customer,
    building_type_id: await add('building_type_mstr', { ...X, building_use: 'office' }),
    address: '2 Mount Road',
    area_id: await add('area_mstr', { ...X, branch_id: ids.branch, city_id: place!.city_id, pincodes: ['600002'] }),
  });
  ids.lift = await add('lift', {
    building_id: ids.building,
    lift_category_id: await add('lift_category_mstr', { ...X, lift_use: 'passenger', kg_per_person: 75 }),
    lift_type_id: await add('lift_type_mstr', { ...X, arrangement: 'traction_mr', visit_minutes: 45 }),
    lift_make_id: await add('lift_make_mstr', { ...X, country: place!.country, support: 'current' }),
    drive_type_id: await add('drive_type_mstr', { ...X, family: 'traction', speed_control: 'vvvf' }),
    controller_id: await add('controller_mstr', { ...X, technology: 'serial', support: 'current' }),
    capacity_kg: 884,
    speed_mps: '1.5',
    stops: 12,
    openings: 12,
  });
}
const read = async (id: number) =>
  (await admin.call('GET', `/tapi/tis_inspection/${id}`)).json<{ data: Inspection }>().data;
const error = (answer: { json<T>(): T }) =>
  answer.json<{ error: { code: string; message: string; details: { field: string; message: string }[] } }>().error;
let seq = 0;
const say = (by: Caller, id: number, values: Row) =>
  by.call('PATCH', `/tapi/tis_inspection/${id}/answers/answers`, {
    answers: Object.entries(values).map(([code, value]) => ({
      code,
      value,
      at: new Date().toISOString(),
      client: 'phone',
      seq: seq++,
    })),
  });
const sheet = async (id: number, by = surveyor) =>
  (await by.call('GET', `/tapi/tis_inspection/${id}/answers/answers`)).json<{ data: Sheet }>().data;
/** Answers the brake, and the locks landing by landing. */
async function fill({ id }: Inspection, brake: string, ...locks: string[]): Promise<Inspection> {
  const saved = await say(surveyor, id, {
    brake,
    ...Object.fromEntries(locks.map((lock, at) => [`lock#${at + 1}`, lock])),
  });
  expect(saved.statusCode, saved.body).toBe(200);
  expect(saved.json<{ data: { refused: object[] } }>().data.refused).toEqual([]);
  return read(id);
}

describe('an inspection', () => {
  it('goes from plan to report, with the questions of its survey and a score computed by the server', async () => {
    await liftA();
    await acme.sql("update {s}.lift set lift_no = 'A' where id = $1", [ids.lift]);
    const made = await plan(surveyor, {
      lift_id: ids.lift,
      customer_name: 'Somebody else',
      building: null,
      lift_no: null,
    });
    // Owner, building and number come from the lift, whatever is sent.
    expect(made).toMatchObject({
      status: 'planned',
      answers: null,
      customer_id: ids.customer,
      building_id: ids.building,
      customer_name: 'Towers',
      building: 'Towers A',
      lift_no: 'A',
      inspection_no: expect.stringMatching(/^TIS\/\d{4}-\d{2,4}\/0001$/) as string,
    });
    const started = await taken(surveyor, made.id, 'start', { version: made.version });
    expect(started).toMatchObject({ status: 'in_progress', type_version: 1 });
    const asked = await sheet(made.id);
    expect(asked.version.content.sections.map(({ title, questions }) => [title, questions[0]!.code])).toEqual([
      ['Machine room', 'brake'],
      ['Landing doors', 'lock'],
    ]);
    expect(error(await step(surveyor, made.id, 'submit')).details).toEqual([
      { field: 'answers.brake', message: 'Question BRAKE: Please answer this question.' },
      { field: 'answers.lock#1', message: 'Question LOCK · 1: Please answer this question.' },
      { field: 'answers.lock#2', message: 'Question LOCK · 2: Please answer this question.' },
    ]);
    expect((await say(surveyor, made.id, { light: '31.5' })).statusCode).toBe(200);
    const filled = await fill(started, 'GOOD', 'WORN', 'NA');
    // 100 × (3×4 + 5×2) / (3×4 + 5×4)
    expect(filled).toMatchObject({ score: '68.8000', grade: 'D', passed: false, unsafe: false });
    expect(filled.group_scores.map(({ score, faults }) => [score, faults])).toEqual([
      ['100.0000', 0],
      ['50.0000', 1],
    ]);
    expect(filled.findings).toMatchObject([
      { tis_survey_field_id: ids.lock, repeat_no: 1, answer: 'Worn', severity: 'major' },
    ]);
    const submitted = await taken(surveyor, made.id, 'submit');
    expect(submitted).toMatchObject({ status: 'submitted', submitted_by_id: surveyor.userId });
    expect((await taken(supervisor, made.id, 'review')).status).toBe('reviewed');
    const issued = await taken(supervisor, made.id, 'issue');
    expect(issued.status).toBe('issued');
    // The question about the light writes into the lift, which carries people of the weight of its category.
    const lift = (await admin.call('GET', `/tapi/lift/${ids.lift}`)).json<{ data: Row }>().data;
    expect(lift).toMatchObject({ travel_m: '31.50', persons: 11 });
    // The lift leads to its inspection, and its lists count it.
    const related = await admin.call('GET', `/tapi/lift/${ids.lift}/related`);
    expect(related.json<{ data: Row[] }>().data).toMatchObject([
      { type: 'tis_inspection', field: 'lift_id', count: 1 },
    ]);
    const listed = async (list: string) =>
      (await admin.call('GET', `/tapi/${list}?columns=*`)).json<{ data: Row[] }>().data;
    expect(await listed('lift')).toMatchObject([{ id: ids.lift, inspections: 1 }]);
    const [today] = await acme.sql<{ day: string }>(
      `select (submitted_at at time zone 'Asia/Kolkata')::date::text as day from {s}.tis_inspection where id = $1`,
      [made.id],
    );
    expect(await listed('lift_register')).toMatchObject([
      { lift_id: ids.lift, inspected_on: today!.day, inspections_12m: 1 },
    ]);
    // The report is one of the papers for the renewal of the licence, which are mailed to the customer.
    await acme.sql("update {s}.lift set status = 'in_contract', licence_valid_to = current_date + 30 where id = $1", [
      ids.lift,
    ]);
    const papers = async () => {
      const { version } = (await admin.call('GET', `/tapi/lift/${ids.lift}`)).json<{ data: { version: number } }>()
        .data;
      return admin.call('POST', `/tapi/lift/${ids.lift}/send_licence_papers`, { version });
    };
    expect((await papers()).body).toContain('The customer has no e-mail address.');
    await acme.sql(`update {s}.customer_dtl set email = 'owner@towers.example'`);
    const uploaded = async (name: string, text: string) => {
      const { payload, headers } = upload(name, text);
      const answer = await world.inject({
        method: 'POST',
        url: '/tapi/files?for=lift.papers.file',
        payload,
        headers: { host: acme.host, authorization: `Bearer ${admin.token}`, 'x-entity-id': '1', ...headers },
      });
      return answer.json<{ data: { id: number } }>().data.id;
    };
    const keep = async (papers: object[]) => {
      const { version } = (await admin.call('GET', `/tapi/lift/${ids.lift}`)).json<{ data: { version: number } }>()
        .data;
      const kept = await admin.call('PUT', `/tapi/lift/${ids.lift}`, { version, papers });
      expect(kept.statusCode, kept.body).toBe(200);
    };
    // One file with the request, the report and the papers; what the person may not see is left out.
    const pages = async (by: Caller) => {
      const pdf = await by.call('GET', `/tapi/lift/${ids.lift}/print/licence_pack.pdf`);
      expect(pdf.statusCode, pdf.body.slice(0, 300)).toBe(200);
      return (await readPdf(pdf.rawPayload)).getPageCount();
    };
    const certificate = { kind: 'test_certificate', file: await uploaded('rope test.txt', 'The ropes hold.') };
    await keep([certificate]);
    const lifts = await acme.role({ modules: ['FMS'], screens: { SCN_FMS_LIFT: ['landing', 'view_screen'] } });
    await acme.user('mechanic', { companies: [{ company: 1, roles: [lifts] }] });
    const before = await pages(admin);
    expect(await pages(await world.signIn(acme, 'mechanic'))).toBe(before - 1);
    const two =
      '%PDF-1.4\n1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj 2 0 obj << /Type /Pages /Count 2 /Kids [3 0 R 4 0 R] /MediaBox [0 0 9 9] >> endobj 3 0 obj << /Type /Page /Parent 2 0 R >> endobj 4 0 obj << /Type /Page /Parent 2 0 R >> endobj trailer << /Root 1 0 R >>';
    await keep([certificate, { kind: 'licence', file: await uploaded('licence.pdf', two) }]);
    expect(await pages(admin)).toBe(before + 2);
    expect((await papers()).statusCode).toBe(200);
    const [mailed] = await acme.sql<{ recipient: string; body: string; names: string[]; files: { name: string }[] }>(
      `select o.recipient, o.body, o.files, (select array_agg(k.name order by k.name) from {s}.kept_print k where k.id = any(o.prints)) as names
       from {s}.outbox o where o.subject = 'Licence of lift A'`,
    );
    expect(mailed).toMatchObject({
      recipient: 'owner@towers.example',
      names: ['technical_sheet'],
      files: [
        { name: 'Licence of lift A.pdf', type: 'application/pdf' },
        { name: 'rope test.txt', type: 'text/plain' },
      ],
      body: expect.stringContaining('Not enclosed, please add:\n– Maintenance agreement\n– Insurance') as string,
    });
    const [dates] = await acme.sql(
      "select valid_to = (issued_on + interval '12 months')::date as year from {s}.tis_inspection where id = $1",
      [made.id],
    );
    expect(dates).toEqual({ year: true });
    expect(
      (await surveyor.call('PUT', `/tapi/tis_inspection/${made.id}`, { version: issued.version, summary: 'Later' }))
        .statusCode,
    ).toBe(409);
    expect((await admin.call('DELETE', `/tapi/tis_inspection/${made.id}`)).statusCode).toBe(409);
    const log = await acme.sql(
      `select transition, from_state, to_state, by from {s}.transition_log where record_type = 'tis_inspection' and record_id = $1 order by id`,
      [made.id],
    );
    expect(log).toEqual([
      { transition: 'start', from_state: 'planned', to_state: 'in_progress', by: surveyor.userId },
      { transition: 'submit', from_state: 'in_progress', to_state: 'submitted', by: surveyor.userId },
      { transition: 'review', from_state: 'submitted', to_state: 'reviewed', by: supervisor.userId },
      { transition: 'issue', from_state: 'reviewed', to_state: 'issued', by: supervisor.userId },
    ]);
  });

  it('leads to a quotation of the faults to be quoted, and to a call, for its lift', async () => {
    const [service] = await acme.sql<{ id: number }>(
      `with h as (insert into {s}.hs_code (code, kind, description) values ('998718', 'SAC', 'Maintenance of lifts') returning id)
       insert into {s}.fmsservice (code, name, service_kind, hs_code_id, place_of_supply) select 'REPAIR', 'Repair', 'repair', h.id, 'building' from h returning id`,
    );
    await acme.sql('update {s}.tis_survey_value set service_id = $2 where id = $1', [ids.WORN, service!.id]);
    const made = await plan(surveyor, { lift_id: ids.lift });
    await fill(await taken(surveyor, made.id, 'start'), 'GOOD', 'WORN', 'WORN');
    await say(surveyor, made.id, { 'lock_then#1': 'quotation', 'lock_cost#1': '3500', 'lock_then#2': 'ticket' });
    await taken(surveyor, made.id, 'submit');
    await taken(supervisor, made.id, 'review');
    const issued = await taken(supervisor, made.id, 'issue');
    expect(issued.findings).toMatchObject([
      { repeat_no: 1, service_id: service!.id, follow_up: 'quotation', cost: '3500.00' },
      { repeat_no: 2, service_id: service!.id, follow_up: 'ticket' },
    ]);
    const begun = async (type: string, make: string) =>
      (await admin.call('GET', `/tapi/${type}/new?from=tis_inspection/${made.id}&make=${make}`)).json<{ data: Row }>()
        .data;
    expect(await begun('quotation', 'quotation')).toMatchObject({
      inspection_id: made.id,
      customer_id: ids.customer,
      building_id: ids.building,
      quotation_kind: 'repair',
      subject: `Repairs after inspection ${String(made.inspection_no)}`,
      lines: [{ lift_id: ids.lift, service_id: service!.id, description: 'Question LOCK: Worn', rate: '3500' }],
    });
    expect(await begun('fms_ticket', 'call')).toMatchObject({
      lift_id: ids.lift,
      source: 'inspection',
      description: `Inspection ${String(made.inspection_no)} · Worn · Worn`,
    });
    // A fault to be quoted whose service nobody has named is in the quotation too: its service is to be chosen.
    await acme.sql('update {s}.tis_inspection__findings set service_id = null where parent_id = $1', [made.id]);
    expect((await begun('quotation', 'quotation')).lines).toMatchObject([{ rate: '3500' }]);
    await acme.sql('update {s}.tis_survey_value set service_id = null');
  });

  it('that is unsafe says so whatever its score, and alerts the reviewers', async () => {
    const made = await plan();
    const filled = await fill(await taken(surveyor, made.id, 'start'), 'BAD', 'GOOD', 'GOOD');
    expect(filled).toMatchObject({ grade: 'Unsafe', unsafe: true, score: '76.9000' });
    await taken(surveyor, made.id, 'submit');
    const told = await acme.sql<{ user_id: number }>(
      `select user_id from {s}.notification where event_code = 'tis.unsafe' and record_id = $1 order by user_id`,
      [made.id],
    );
    expect(told.map(({ user_id: user }) => user)).toEqual([admin.userId, supervisor.userId].sort((a, b) => a - b));
  });

  it('is returned with a reason, and can be corrected for as long as its survey allows', async () => {
    const made = await plan();
    // A member of a team inspects only with a level that allows it.
    const level = await add('expertise_level', { code: 'L1', name: 'Helper', level: 1, certificate_months: 120 });
    const team = await add('team', {
      code: 'T1',
      name: 'Team 1',
      branch_id: ids.branch,
      leader_id: ids.other,
      team_kind: 'inspection',
      members: [
        { employee_id: ids.employee, expertise_level_id: level, from: '2024-04-01', certified_on: '2025-05-01' },
      ],
    });
    const [member] = await acme.sql('select certificate_to::text from {s}.team__members where parent_id = $1', [team]);
    expect(member).toEqual({ certificate_to: '2035-05-01' });
    expect(error(await step(surveyor, made.id, 'start')).details).toMatchObject([
      { field: 'surveyor_id', message: expect.stringContaining('level "Helper", which may not inspect') },
    ]);
    await acme.sql('update {s}.expertise_level set may_inspect = true');
    const filled = await fill(await taken(surveyor, made.id, 'start'), 'GOOD', 'GOOD', 'GOOD');
    expect(filled.passed).toBe(true);
    await taken(surveyor, filled.id, 'submit');
    expect(error(await step(supervisor, made.id, 'send_back')).message).toContain('What must be corrected?');
    expect(await taken(supervisor, made.id, 'send_back', { reason: 'The brake, again.' })).toMatchObject({
      status: 'in_progress',
      returned_because: 'The brake, again.',
    });
    const submitted = await taken(surveyor, made.id, 'submit');
    const corrected = await fill(submitted, 'WORN', 'GOOD', 'GOOD');
    expect(corrected).toMatchObject({ status: 'submitted', score: '88.5000', grade: 'B' });
    // What is submitted stays complete.
    expect(error(await say(surveyor, made.id, { brake: null })).details.map(({ field }) => field)).toEqual([
      'answers.brake',
    ]);
    expect(await read(made.id)).toMatchObject({ score: '88.5000' });
    await acme.sql(`update {s}.tis_inspection set submitted_at = now() - interval '25 hours' where id = $1`, [made.id]);
    expect(
      (
        await surveyor.call('PUT', `/tapi/tis_inspection/${made.id}`, {
          version: corrected.version,
          summary: 'Too late',
        })
      ).statusCode,
    ).toBe(422);
    expect(error(await say(surveyor, made.id, { brake: 'GOOD' })).message).toContain('is waiting for review');
    expect((await sheet(made.id)).locked).toContain('is waiting for review');
  });
});

describe('the reviewer', () => {
  it('is notified of waiting inspections and counts them, and the requester of the result; the log keeps it', async () => {
    await acme.sql(`delete from {s}.tis_inspection where status = 'submitted'`);
    await acme.sql('delete from {s}.notification');
    const made = await plan();
    await fill(await taken(surveyor, made.id, 'start'), 'GOOD', 'GOOD', 'GOOD');
    await taken(surveyor, made.id, 'submit');
    const notified = async (event: string) =>
      (
        await acme.sql<{ user_id: number }>(
          `select user_id from {s}.notification where event_code = $1 and record_type = 'tis_inspection' and record_id = $2`,
          [event, made.id],
        )
      ).map((row) => row.user_id);
    await expect.poll(() => notified('approval.assigned')).toEqual([supervisor.userId]);
    const waiting = async (who: Caller) =>
      (await who.call('GET', `/get_features_by_role/${who.userId}`))
        .json<{ authorization_levels: { transaction_type: string; records_count: number }[] }>()
        .authorization_levels.find(({ transaction_type: type }) => type === 'tis_inspection')?.records_count;
    expect([await waiting(supervisor), await waiting(surveyor)]).toEqual([1, undefined]);
    await taken(supervisor, made.id, 'send_back', { reason: 'The brake, again.' });
    await expect.poll(() => notified('approval.decided')).toEqual([surveyor.userId]);
    expect(await waiting(supervisor)).toBe(0);
    const kept = () =>
      acme.sql(
        `select actor_user_id as actor, summary from {s}.audit_log where action = 'approval' and target_id = $1`,
        [made.id],
      );
    await expect.poll(kept).toEqual([{ actor: supervisor.userId, summary: 'submitted → in_progress' }]);
    const history = (await admin.call('GET', `/tapi/tis_inspection/${made.id}/history`)).json<{ data: Row[] }>().data;
    expect(history.map(({ transition, reason }) => [transition ?? null, reason ?? null])).toEqual(
      expect.arrayContaining([
        ['start', null],
        ['submit', null],
        ['send_back', 'The brake, again.'],
        [null, null],
      ]),
    );
    // What one submitted oneself does not wait for oneself.
    const own = await plan();
    await fill(await taken(surveyor, own.id, 'start'), 'GOOD', 'GOOD', 'GOOD');
    await taken(supervisor, own.id, 'submit');
    expect(await waiting(supervisor)).toBe(0);
  });
});

it('counts an inspection as closed on the day of its final state, and not before', async () => {
  await acme.sql('delete from {s}.activity_day');
  await acme.sql('update {s}.activity_counted set until = null');
  const made = await plan();
  await fill(await taken(surveyor, made.id, 'start'), 'GOOD', 'GOOD', 'GOOD');
  await taken(surveyor, made.id, 'submit');
  await taken(supervisor, made.id, 'review');
  const days = async (ago: number) => {
    await acme.sql(
      `update {s}.history set at = now() - make_interval(days => $2) where record_type = 'tis_inspection' and record_id = $1 and at > now() - interval '1 hour'`,
      [made.id, ago],
    );
  };
  await days(5);
  await taken(supervisor, made.id, 'issue');
  await days(3);
  await acme.sql(`delete from {s}.history where record_id <> $1`, [made.id]);
  await countActivity(acme, world.screens, new Date(Date.now() + 86_400_000).toISOString().slice(0, 10));
  const counted = await acme.sql(
    `select sum(made)::int as made, sum(closed)::int as closed from {s}.activity_day where record_type = 'tis_inspection' group by day order by day`,
  );
  expect(counted).toEqual([
    { made: 1, closed: 0 },
    { made: 0, closed: 1 },
  ]);
});

it('has a path for each of its transitions in the description of the interface', async () => {
  const { paths } = (await admin.call('GET', '/tapi/openapi.json')).json<{
    paths: Record<string, { post?: { requestBody: { content: { 'application/json': { schema: object } } } } }>;
  }>();
  const body = (name: string) =>
    paths[`/tis_inspection/{id}/${name}`]?.post?.requestBody.content['application/json'].schema;
  expect(body('send_back')).toMatchObject({
    required: ['version', 'reason'],
    additionalProperties: false,
    properties: { reason: { maxLength: 500 } },
  });
  expect(body('start')).toMatchObject({ required: ['version'] });
  expect(body('approve')).toBeUndefined();
  expect(Object.keys(paths).filter((path) => path.includes('/move/'))).toEqual([]);
});

describe('nobody', () => {
  it('reviews their own work, or without the right to approve, or from another company', async () => {
    const made = await plan(supervisor);
    const started = await taken(surveyor, made.id, 'start');
    await fill(started, 'GOOD', 'GOOD', 'GOOD');
    await taken(supervisor, made.id, 'submit');
    expect((await step(surveyor, made.id, 'review')).statusCode).toBe(403);
    expect(error(await step(supervisor, made.id, 'review')).message).toContain('Somebody else');
    expect((await step(stranger, made.id, 'review')).statusCode).toBe(404);
    expect((await taken(admin, made.id, 'review')).status).toBe('reviewed');
  });

  it('cannot review their own work even if the company lets people approve their own entries', async () => {
    const made = await plan(supervisor);
    const started = await taken(surveyor, made.id, 'start');
    await fill(started, 'GOOD', 'GOOD', 'GOOD');
    await taken(supervisor, made.id, 'submit');
    const { version } = (await admin.call('PUT', '/tapi/configuration/single', { allow_self_approval: true })).json<{
      data: { version: number };
    }>().data;
    expect((await taken(supervisor, made.id, 'review')).status).toBe('reviewed');
    expect(
      (await admin.call('PUT', '/tapi/configuration/single', { allow_self_approval: false, version })).statusCode,
    ).toBe(200);
  });

  it('cannot take a step out of order, twice, or on an old version', async () => {
    const made = await plan();
    for (const name of ['submit', 'send_back', 'review', 'issue'])
      expect((await step(admin, made.id, name, { reason: 'x' })).statusCode, name).toBe(409);
    await taken(surveyor, made.id, 'start');
    expect((await step(surveyor, made.id, 'start')).statusCode).toBe(409);
    const other = await plan();
    await surveyor.call('PUT', `/tapi/tis_inspection/${other.id}`, { version: other.version, lift_no: 'B' });
    expect((await step(surveyor, other.id, 'start', { version: other.version })).statusCode).toBe(409);
  });

  it('cannot change the state except by its transitions', async () => {
    const made = await plan(supervisor);
    const started = await taken(surveyor, made.id, 'start');
    const put = await admin.call('PUT', `/tapi/tis_inspection/${made.id}`, {
      version: started.version,
      status: 'submitted',
    });
    expect([put.statusCode, error(put).message]).toEqual([422, expect.stringContaining('changes by its steps')]);
    const bulk = await admin.call('PUT', '/tapi/tis_inspection/bulk', { ids: [made.id], set: { status: 'submitted' } });
    expect(bulk.json()).toMatchObject({ data: { changed: [], not_taken: [{ field: 'status' }] } });
    for (const to of ['submitted', 'issued', 'move', 'activate_all'])
      expect((await step(admin, made.id, to)).statusCode, to).toBe(404);
    expect((await step(surveyor, made.id, 'submit', { status: 'issued' })).statusCode).toBe(400);
    expect((await admin.call('POST', '/tapi/tis_inspection', planned({ status: 'issued' }))).statusCode).toBe(422);
    expect((await read(made.id)).status).toBe('in_progress');
  });

  it('sees only the permitted steps, with the reasons for blocked ones', async () => {
    const made = await plan(supervisor);
    const offered = async (by: Caller) =>
      (await by.call('GET', `/tapi/tis_inspection/${made.id}`)).json<{ data: { _can: object[] } }>().data._can;
    expect(await offered(surveyor)).toEqual([{ name: 'start', blocked: null }]);
    await acme.sql(`update {s}.tis_survey_type set status = 'draft' where id = $1`, [ids.survey]);
    expect(await offered(surveyor)).toEqual([
      { name: 'start', blocked: 'This survey type is not published. Choose another one.' },
    ]);
    await acme.sql(`update {s}.tis_survey_type set status = 'published' where id = $1`, [ids.survey]);
    await fill(await taken(surveyor, made.id, 'start'), 'GOOD', 'GOOD', 'GOOD');
    await taken(supervisor, made.id, 'submit');
    expect(await offered(supervisor)).toEqual([]);
    expect(await offered(surveyor)).toEqual([]);
    expect(await offered(admin)).toEqual([
      { name: 'review', blocked: null },
      { name: 'send_back', blocked: null },
    ]);
  });

  it('cannot reassign their own submitted work to somebody else in order to review it', async () => {
    const made = await plan(surveyor);
    await fill(await taken(surveyor, made.id, 'start'), 'GOOD', 'GOOD', 'GOOD');
    const { version } = await taken(supervisor, made.id, 'submit');
    const put = await admin.call('PUT', `/tapi/tis_inspection/${made.id}`, { version, surveyor_id: ids.other });
    expect(put.statusCode, put.body).toBe(422);
    expect(error(put).details.map(({ field }) => field)).toEqual(['surveyor_id']);
  });

  it('cannot set the state, the score or the questions directly', async () => {
    const made = await plan(surveyor, { score: '100', grade: 'A' });
    expect(made).toMatchObject({ status: 'planned', score: null, grade: null });
    const started = await taken(surveyor, made.id, 'start');
    const put = (body: object) =>
      surveyor.call('PUT', `/tapi/tis_inspection/${made.id}`, { version: started.version, ...body });
    // Answers have their own call.
    expect((await put({ answers: 1 })).json<{ data: Inspection }>().data.answers).toBe(started.answers);
    expect(error(await put({ landings: 5 })).details.map(({ field }) => field)).toEqual(['landings']);
    const refused = (await say(surveyor, made.id, { brake: 'YES', 'lock#1': 'GOOD', tyre: 1 })).json<{
      data: { refused: { field: string }[] };
    }>().data.refused;
    expect(refused.map(({ field }) => field)).toEqual(['brake', 'tyre']);
    await fill(started, 'BAD');
    expect(await read(made.id)).toMatchObject({ unsafe: true, score: '62.5000' });
    expect((await say(surveyor, (await plan()).id, { brake: 'GOOD' })).statusCode).toBe(409);
    expect((await say(stranger, made.id, { brake: 'GOOD' })).statusCode).toBe(404);
  });
});

describe('its questions', () => {
  it('are those of its survey when it started, whatever changes later; equal ones are one version', async () => {
    const begin = async () => taken(surveyor, (await plan()).id, 'start');
    const [first, second] = [await begin(), await begin()];
    expect(second.answers).toBe(first.answers);
    await acme.sql(`update {s}.tis_survey_field set question = 'Question anew' where id = $1`, [ids.brake]);
    const third = await begin();
    expect(third.type_version).toBe(Number(first.type_version) + 1);
    const text = async ({ id }: Inspection) =>
      ((await sheet(id)).version.content.sections[0]!.questions[0] as Row).text;
    expect([await text(first), await text(third)]).toEqual(['Question BRAKE', 'Question anew']);
    await acme.sql(`update {s}.tis_survey_field set question = 'Question BRAKE' where id = $1`, [ids.brake]);
  });

  it('are asked under conditions, which must refer to earlier questions', async () => {
    const condition = (text: string | null) =>
      acme.sql('update {s}.tis_survey_field set show_if = $2 where id = $1', [ids.light, text]);
    await condition("lock == 'BAD'");
    expect(error(await step(surveyor, (await plan()).id, 'start')).details[0]).toMatchObject({
      field: 'survey_type_id',
      message: expect.stringContaining('which comes later') as string,
    });
    await condition("brake == 'WORN'");
    const made = await taken(surveyor, (await plan()).id, 'start');
    await fill(made, 'WORN', 'GOOD', 'GOOD');
    await say(surveyor, made.id, { light: 200 });
    await fill(made, 'GOOD');
    await taken(surveyor, made.id, 'submit');
    expect((await sheet(made.id)).answers.map(({ code }) => code)).toEqual(['brake', 'lock#1', 'lock#2']);
    await condition(null);
  });

  it('ask for photos', async () => {
    await acme.sql(`update {s}.tis_survey_field set photo_when = 'on_fault' where id = $1`, [ids.lock]);
    const made = await plan();
    await fill(await taken(surveyor, made.id, 'start'), 'GOOD', 'GOOD', 'WORN');
    expect(error(await step(surveyor, made.id, 'submit')).details).toEqual([
      { field: 'answers.lock_photo#2', message: 'Question LOCK · 2, Photo: Please add a photo.' },
    ]);
    const [photo] = await acme.sql<{ id: number }>(
      `insert into {s}.file (name, size, type, sha256, path, by, for_field) values ('lock.jpg', 1, 'image/jpeg', 'x', 'x', $1, 'tis_inspection.answers') returning id`,
      [surveyor.userId],
    );
    await say(surveyor, made.id, { 'lock_photo#2': [photo!.id], 'lock_remark#2': 'Loose', 'lock_cost#2': '3500' });
    expect(await read(made.id)).toMatchObject({
      findings: [{ repeat_no: 2, answer: 'Worn', remark: 'Loose', cost: '3500.00', photo: photo!.id }],
    });
    await taken(surveyor, made.id, 'submit');
    await acme.sql(`update {s}.tis_survey_field set photo_when = 'never' where id = $1`, [ids.lock]);
  });
});

describe('inspections of earlier releases', () => {
  /** Tables as they were while the questions of inspections were rows of their own. */
  async function asBefore(): Promise<void> {
    await acme.sql(`
      drop table {s}.tis_inspection__findings; alter table {s}.tis_inspection drop column answers;
      delete from {s}.answer where record_type = 'tis_inspection'; delete from {s}.questionnaire_version where record_type = 'tis_survey_type';
      create table {s}.tis_inspection__answers (id bigint generated by default as identity primary key, parent_id bigint not null, "position" integer not null,
        tis_survey_field_id bigint not null, repeat_no integer, answer_id bigint, severity text, answer_text text, remark text, photo bigint, cost numeric(18, 2),
        follow_up text, value_group text);
      update {s}.schema_state set hash = '' where type = 'tis_inspection'`);
  }
  const migrate = () => migrateTenants(world.database.directory, world.screens, { only: new Set([acme.subDomain]) });

  it('keep every answer, photo and remark, their score, and their report', async () => {
    const [yes, day] = [
      await add('tis_survey_field', {
        code: 'BELL',
        tis_survey_group_id: ids.machine,
        question: 'Bell rings',
        input: 'boolean',
        photo_when: 'always',
        seq: 3,
      }),
      await add('tis_survey_field', {
        code: 'UNTIL',
        tis_survey_group_id: ids.machine,
        question: 'Valid until',
        input: 'date',
        photo_when: 'never',
        seq: 4,
      }),
    ];
    const [running, issued] = [await plan(), await plan()];
    await asBefore();
    const [photo] = await acme.sql<{ id: number }>(
      `insert into {s}.file (name, size, type, sha256, path, by, for_field) values ('a.jpg', 1, 'image/jpeg', 'x', 'x', $1, 'tis_inspection.answers.photo') returning id`,
      [surveyor.userId],
    );
    await acme.sql(
      `insert into {s}.tis_inspection__answers (parent_id, "position", tis_survey_field_id, repeat_no, answer_id, severity, answer_text, remark, photo, cost, follow_up, value_group) values
       ($1, 0, $3, null, $7, 'major', null, 'Oil', $9, 450, 'ticket', 'condition'), ($1, 1, $4, null, null, null, 'about 20 lx', 'dim', null, null, null, null),
       ($1, 2, $5, 1, $8, 'ok', null, null, null, null, null, 'condition'), ($1, 3, $5, 2, null, null, null, null, null, null, null, 'condition'),
       ($2, 0, $3, null, $8, 'ok', null, null, null, null, null, 'condition'), ($2, 1, $6, null, null, null, 'Yes', null, $9, null, null, null),
       ($2, 2, $10, null, null, null, '31-03-2027', null, null, null, null, null), ($2, 3, $4, null, null, null, '210.5', null, null, null, null, null),
       ($2, 4, $5, 1, $8, 'ok', null, null, null, null, null, 'condition'), ($2, 5, $5, 2, $7, 'major', null, null, null, null, null, 'condition')`,
      [running.id, issued.id, ids.brake, ids.light, ids.lock, yes, ids.WORN, ids.GOOD, photo!.id, day],
    );
    await acme.sql(
      `update {s}.tis_inspection set status = 'in_progress', started_at = now(), type_version = 3 where id = $1`,
      [running.id],
    );
    await acme.sql(
      `update {s}.tis_inspection set status = 'issued', score = 97.5, grade = 'A', submitted_at = '2026-01-05T10:00Z', submitted_by_id = $2, type_version = 3 where id = $1`,
      [issued.id, surveyor.userId],
    );
    const done = (await migrate()).find(({ subDomain }) => subDomain === acme.subDomain);
    expect(done!.refused).toEqual([]);
    expect(done!.applied.map(({ what }) => what)).toContain('move the answers of inspections to questionnaires');
    const values = async (id: number) =>
      Object.fromEntries((await sheet(id, admin)).answers.map(({ code, value }) => [code, value]));
    expect(await values(running.id)).toEqual({
      brake: 'WORN',
      brake_photo: [photo!.id],
      brake_remark: 'Oil',
      brake_cost: 450,
      brake_then: 'ticket',
      // What is not a number stays, in words.
      light_remark: 'about 20 lx · dim',
      'lock#1': 'GOOD',
    });
    expect(await values(issued.id)).toEqual({
      brake: 'GOOD',
      bell: 'yes',
      bell_photo: [photo!.id],
      until: '2027-03-31',
      light: 210.5,
      'lock#1': 'GOOD',
      'lock#2': 'WORN',
    });
    expect(await read(running.id)).toMatchObject({
      findings: [{ answer: 'Worn', severity: 'major', remark: 'Oil', cost: '450.00', photo: photo!.id }],
    });
    expect(await read(issued.id)).toMatchObject({ score: '97.5000', grade: 'A', findings: [{ repeat_no: 2 }] });
    // Each ends on the questions that it was asked, in versions whose numbers are the old ones where that can be.
    const versions = await Promise.all([running, issued].map(async ({ id }) => (await read(id)).type_version));
    expect(versions).toEqual([3, 4]);
    expect((await sheet(issued.id, admin)).version.content.sections[0]!.questions.map(({ code }) => code)).toEqual(
      expect.arrayContaining(['brake', 'bell', 'until', 'light']),
    );
    expect(await acme.sql('select for_field from {s}.file where id = $1', [photo!.id])).toEqual([
      { for_field: 'tis_inspection.answers' },
    ]);
    // The one under way goes on, and nothing is moved twice.
    expect((await migrate()).flatMap(({ applied }) => applied)).toEqual([]);
    await say(surveyor, running.id, { 'lock#2': 'GOOD', light: 200 });
    expect((await taken(surveyor, running.id, 'submit')).status).toBe('submitted');
    await taken(surveyor, (await plan()).id, 'start', {});
  });
});

it('of earlier releases are linked to the lift of their number, and keep their texts', async () => {
  const [ours, other] = [await plan(admin, { lift_no: ' a' }), await plan(admin, { lift_no: 'Tower 2' })];
  await acme.sql(
    `alter table {s}.tis_inspection drop column lift_id, drop column building_id, drop column customer_id;
     update {s}.schema_state set hash = '' where type = 'tis_inspection'`,
  );
  await migrateTenants(world.database.directory, world.screens, { only: new Set([acme.subDomain]) });
  expect(await read(ours.id)).toMatchObject({
    lift_id: ids.lift,
    building_id: ids.building,
    customer_id: ids.customer,
    building: 'T. Nagar, Chennai',
  });
  expect(await read(other.id)).toMatchObject({ lift_id: null, customer_id: null, lift_no: 'Tower 2' });
});

it('are on a board of surveyors: eligible people in the order of their list, and everybody with work', async () => {
  await plan(admin, { lift_no: 'BOARD' });
  await plan(admin, { lift_no: 'BOARD', surveyor_id: ids.other });
  const board = async (by: Caller) =>
    (await by.call('GET', '/tapi/tis_inspection/board?filter=["lift_no","eq","BOARD"]')).json<{ data: Row[] }>().data;
  const label = (empno: string) => expect.stringContaining(empno) as string;
  expect(await board(admin)).toEqual([
    { value: String(ids.employee), label: label('E10001'), count: 1, sum: null },
    { value: String(ids.other), label: label('E10002'), count: 1, sum: null },
  ]);
  expect((await board(stranger)).every(({ count }) => count === 0)).toBe(true);
  await acme.sql('update {s}.employee set active = false where id = $1', [ids.employee]);
  // The one who is gone stands behind those who may be chosen, as long as there is work.
  expect((await board(admin)).map(({ value }) => value)).toEqual([String(ids.other), String(ids.employee)]);
  await acme.sql('update {s}.employee set active = true where id = $1', [ids.employee]);
});
