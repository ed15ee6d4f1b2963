import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as XLSX from 'xlsx';
import type { Caller, TestTenant, World } from '../world.ts';
import { companyDay as day } from '../../company_day.ts';
import { startWorld } from '../world.ts';
import type { ServiceCompany } from './service_company.ts';
import { serviceCompany } from './service_company.ts';

// Calls for lifts: from the telephone to the signature, with clocks, rescues and rights.

let world: World;
let acme: TestTenant;
let co: ServiceCompany;

beforeAll(async () => {
  world = await startWorld();
  acme = await world.tenant();
  co = await serviceCompany(world, acme);
});
afterAll(() => world.close());

const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

describe('a call', () => {
  it('goes from the telephone to the signature, and records who did what when', async () => {
    const { ids, desk, anand, ok, step, raise } = co;
    const call = await raise({ reported_at: ago(60) });
    expect(call).toMatchObject({
      status: 'new',
      priority: 'p2',
      lift_down: true,
      building_id: ids.building,
      customer_id: ids.customer,
      team_id: ids.team,
      leader_id: ids.leader,
      cover: 'none',
      ticket_type: 'breakdown',
    });
    expect(String(call.ticket_no)).toMatch(/^FST\/\d{4}-\d\d\/000001$/);
    expect(Date.parse(String(call.restore_by)) - Date.parse(String(call.reported_at))).toBe(480 * 60_000);
    expect((await step(anand, call.id, 'assign', { technician_id: ids.anand })).statusCode).toBe(404);
    await ok(step(desk, call.id, 'assign', { technician_id: ids.anand }));
    await ok(step(anand, call.id, 'accept'));
    await ok(step(anand, call.id, 'go'));
    const far = await step(anand, call.id, 'arrive', { arrive_geo: { lat: 13.07, lng: 80.25 } });
    expect(far.json<{ error: { details: object[] } }>()).toMatchObject({
      error: { details: [{ field: 'arrive_note' }] },
    });
    const there = await ok(step(anand, call.id, 'arrive', { arrive_geo: { lat: 13.0601, lng: 80.25 } }));
    expect(there).toMatchObject({
      status: 'attending',
      respond_met: true,
      attendances: 1,
      assignments: [{ employee_id: ids.anand, arrive_off_m: 11 }],
    });
    await ok(step(anand, call.id, 'complete', { running_after: 'running', work_done: 'Door adjusted.' }));
    const lift = await co.read('lift', ids.lift!);
    expect(lift.running).toBe('running');
    // Who wants to be called back is on the list of the desk that took the call.
    const back = await co.add('customer_comment', {
      code: 'CALL',
      name: 'Please call me',
      tone: 'neutral',
      used_at: ['sign_off'],
    });
    await acme.sql(`update {s}.customer_comment set "then" = 'call_back'`);
    const said = { signed_by: 'Guard', rating: 4, customer_comment_id: back };
    const signed = await ok(step(anand, call.id, 'sign_off', said));
    expect(signed).toMatchObject({ status: 'signed_off', restore_met: true, rating: 4 });
    await expect.poll(() => told(desk.userId, call.id)).toContain('fms.customer_comment');
    expect(signed.closes_at).not.toBeNull();
  });
});

const sweep = async (at: Date) => {
  await world.sweep(at);
  while ((await world.app.deliveries.deliver(acme)) > 0);
};
const later = (minutes: number) => new Date(Date.now() + minutes * 60_000);
/** What an account was told about a ticket, the oldest first. */
const told = async (user: number, id: number) =>
  (
    await acme.sql<{ event: string }>(
      `select event_code as event from {s}.notification where user_id = $1 and record_type = 'fms_ticket' and record_id = $2 order by id`,
      [user, id],
    )
  ).map(({ event }) => event);

describe('the clocks of a call', () => {
  it('notify each line of the definition once, and use a new priority from the report on', async () => {
    const { ids, desk, ok, step, raise } = co;
    const call = await raise({ lift_id: ids.other_lift });
    // Nobody takes a lift out of use while a call of it is open.
    const { version } = await co.read('lift', ids.other_lift!);
    const gone = await co.admin.call('POST', `/tapi/lift/${ids.other_lift}/decommission`, { version, reason: 'Sold' });
    expect([gone.statusCode, gone.body]).toEqual([422, expect.stringContaining(`Call ${call.ticket_no} is open.`)]);
    const [user] = await acme.sql<{ id: number }>(`select user_id as id from {s}.employee where id = $1`, [ids.anand]);
    await acme.sql('update {s}.fms_ticket set leader_id = $2 where id = $1', [call.id, ids.anand]);
    await sweep(later(59));
    expect(await told(user!.id, call.id)).toEqual([]);
    await sweep(later(61));
    await sweep(later(62));
    expect(await told(user!.id, call.id)).toEqual(['fms.escalated']);
    const slower = await ok(step(desk, call.id, 'set_priority', { priority: 'p3', reason: 'The stairs are near.' }));
    expect(slower).toMatchObject({ priority: 'p3', respond_clock: { target: 240 } });
    await ok(step(desk, call.id, 'cancel', { reason: await reason() }));
  });
});

let reasonId: number | undefined;
async function reason(): Promise<number> {
  reasonId ??= await co.add('reason', { code: 'TWICE', name: 'Told twice', used_for: ['ticket_cancel'] });
  return reasonId;
}

describe('a rescue', () => {
  it('is P1 at once, climbs its ladder with the clock, and the first who accepts goes', async () => {
    const { ids, desk, anand, bala, ok, step, raise } = co;
    const call = await raise({ trapped: true, trapped_count: 2, category_id: ids.trapped, lift_id: ids.other_lift });
    expect(call).toMatchObject({ priority: 'p1', ticket_type: 'rescue', ticket_definition_id: ids.rescue });
    expect((await co.read('fms_ticket', call.id)).offered_to_all).toBe(true);
    expect(await told(anand.userId, call.id)).toEqual(['fms.rescue']);
    expect(await told(bala.userId, call.id)).toEqual(['fms.rescue']);
    await sweep(later(2));
    expect((await co.read('fms_ticket', call.id)).rescue_step).toBe(0);
    await sweep(later(3.1));
    expect((await co.read('fms_ticket', call.id)).rescue_step).toBe(1);
    await sweep(later(5.1));
    expect((await co.read('fms_ticket', call.id)).rescue_step).toBe(2);
    expect(await told(desk.userId, call.id)).toContain('fms.rescue_phone');

    const { version } = await co.read('fms_ticket', call.id);
    const takes = await Promise.all(
      [anand, bala].map((who) => who.call('POST', `/tapi/fms_ticket/${call.id}/take`, { version })),
    );
    expect(takes.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([200, 409]);
    const first = takes[0]!.statusCode === 200 ? anand : bala;
    const taken = await co.read('fms_ticket', call.id);
    expect(taken).toMatchObject({ status: 'accepted', technician_id: first === anand ? ids.anand : ids.bala });

    await ok(step(first, call.id, 'arrive', { arrive_note: 'In the machine room' }));
    const early = await step(first, call.id, 'complete', { running_after: 'running' });
    expect(early.body).toContain('All out');
    expect((await step(first, call.id, 'pause', { pause_category_id: 1 })).statusCode).toBe(422);
    const out = await ok(step(first, call.id, 'all_out', { trapped_count: 2, injured_count: 1 }));
    expect(out.all_out_at).not.toBeNull();
    // By building the call shows how long people were inside, on the day where the company is.
    const filter = encodeURIComponent(JSON.stringify(['fms_ticket_id', 'eq', call.id]));
    const seen = (await co.admin.call('GET', `/tapi/building_call?columns=*&filter=${filter}`)).json<{
      data: object[];
    }>();
    const minutes = (Date.parse(String(out.all_out_at)) - Date.parse(String(out.reported_at))) / 60_000;
    expect(seen.data).toMatchObject([{ reported_on: day(0), release_min: Math.round(minutes), sla: 'running' }]);
    const [incident] = await acme.sql<{ id: number; fms_ticket_id: number; status: string }>(
      'select id, fms_ticket_id, status from {s}.incident',
    );
    expect(incident).toMatchObject({ fms_ticket_id: call.id, status: 'open' });
    await sweep(later(31));
    expect((await co.read('fms_ticket', call.id)).rescue_step).toBe(2);
    await sweep(later(32));
    expect(await told(desk.userId, call.id)).not.toContain('fms.rescue_late');
    const bare = await step(first, call.id, 'complete', { running_after: 'running' });
    expect([bare.statusCode, bare.body]).toEqual([422, expect.stringContaining('root cause')]);
    const cause = await co.add('root_cause_mstr', { code: 'POWER', name: 'Power cut' });
    await ok(step(first, call.id, 'complete', { running_after: 'running', root_cause_id: cause }));
    // What the authority has sealed stays out of service until the seal is off.
    await acme.user('chief', { isAdmin: true, companies: [{ company: 1 }] });
    const chief = await world.signIn(acme, 'chief');
    const lift = async (by: Caller, name: string, more: object = {}) =>
      by.call('POST', `/tapi/lift/${ids.other_lift}/${name}`, {
        version: (await co.read('lift', ids.other_lift!)).version,
        ...more,
      });
    // Only the lines of its contracts end the contract of a lift.
    expect((await lift(co.admin, 'leave_contract')).statusCode).toBe(404);
    await acme.sql(`update {s}.lift set status = 'out_of_contract' where id = $1`, [ids.other_lift]);
    await ok(lift(co.admin, 'shut_down', { reason: 'The brake slips' }));
    const seal = async (lift_sealed: boolean) =>
      ok(
        co.admin.call('PUT', `/tapi/incident/${incident!.id}`, {
          version: (await co.read('incident', incident!.id)).version,
          lift_sealed,
        }),
      );
    await seal(true);
    const sealed = await lift(chief, 'release');
    expect([sealed.statusCode, sealed.body]).toEqual([
      422,
      expect.stringMatching(/The authority has sealed this lift \(INC\/[\d-]+\/0001\)/),
    ]);
    await seal(false);
    expect(await ok(lift(chief, 'release'))).toMatchObject({ status: 'out_of_contract' });
  });

  it('blocks the screen of the desk until somebody there phones, and reminds the desk to call the people every 10 minutes', async () => {
    const { ids, desk, anand, ok, step, raise } = co;
    const call = await raise({ trapped: true, trapped_count: 1, category_id: ids.trapped, lift_id: ids.lift });
    expect((await step(desk, call.id, 'acknowledge_alarm')).statusCode).toBe(409);
    await sweep(later(5.1));
    expect((await step(anand, call.id, 'acknowledge_alarm')).statusCode).toBe(403);
    await ok(step(desk, call.id, 'acknowledge_alarm'));
    expect((await co.read('fms_ticket', call.id)).alarm_stopped_at).not.toBeNull();
    const reminders = async () => (await told(desk.userId, call.id)).filter((one) => one === 'fms.rescue_call').length;
    await sweep(later(10.1));
    expect(await reminders()).toBe(1);
    // Who has just spoken with them is not reminded.
    await ok(step(desk, call.id, 'log_call', { call_note: 'All calm' }));
    await sweep(later(20.1));
    expect(await reminders()).toBe(1);
    await ok(step(anand, call.id, 'take'));
    await ok(step(anand, call.id, 'all_out', { trapped_count: 1, injured_count: 0 }));
    await sweep(later(30.1));
    expect(await reminders()).toBe(1);
  });
});

describe('the requirements of a ticket type', () => {
  it('must be met before the work counts as done: photos, job history, and what a component must be asked', async () => {
    const { ids, desk, anand, admin, ok, step, raise } = co;
    const stored = await co.read('ticket_definition', ids.breakdown!);
    const needs = (list: string[]) =>
      co
        .read('ticket_definition', ids.breakdown!)
        .then(({ version }) =>
          ok(admin.call('PUT', `/tapi/ticket_definition/${ids.breakdown}`, { version, needs: list })),
        );
    await needs(['photo_after', 'job_history']);
    const brake = await co.add('attribute_lookup_group', { code: 'BRK', name: 'Brake', seq: 1 });
    const gap = await co.add('attribute_lookup_type', {
      code: 'GAP',
      name: 'Gap',
      attribute_lookup_group_id: brake,
      records: 'measurement',
      value_kind: 'number',
      needed_for: [ids.breakdown],
    });
    const call = await raise({ lift_id: ids.other_lift });
    await ok(step(desk, call.id, 'assign', { technician_id: ids.anand }));
    await ok(step(anand, call.id, 'accept'));
    await ok(step(anand, call.id, 'arrive', { arrive_note: 'Here' }));
    // A pause says whom it waits for, and is notified once when it lasts too long.
    const vendor = await co.add('pause_category', {
      code: 'VEN',
      name: 'Vendor',
      applies_to: 'fms',
      counts_as: 'vendor',
      max_hours: '1.5',
    });
    const waits = await ok(step(anand, call.id, 'pause', { pause_category_id: vendor }));
    expect(Date.parse(String(waits.pause_ends_at)) - Date.now()).toBeGreaterThan(80 * 60_000);
    await acme.sql(`update {s}.fms_ticket set pause_ends_at = now() - interval '1 minute' where id = $1`, [call.id]);
    for (let runs = 0; runs < 2; runs++) {
      await world.app.jobs.runNow(acme, 'watch_pauses', { userId: co.admin.userId, companies: acme.entityIds });
      await world.app.jobs.drain();
    }
    await expect.poll(() => told(anand.userId, call.id)).toEqual(expect.arrayContaining(['fms.pause_long']));
    expect((await told(anand.userId, call.id)).filter((one) => one === 'fms.pause_long')).toHaveLength(1);
    await acme.sql(`update {s}.fms_ticket__pauses set "from" = "from" - interval '20 minutes' where parent_id = $1`, [
      call.id,
    ]);
    const went = await ok(step(anand, call.id, 'resume'));
    expect(went).toMatchObject({ pauses: [{ waits_for: 'vendor' }], waited_vendor_min: 20, waited_own_min: 0 });
    const early = await step(anand, call.id, 'complete', { running_after: 'running' });
    expect(early.statusCode, early.body).toBe(422);
    expect(
      early.json<{ error: { details: { message: string }[] } }>().error.details.map(({ message }) => message),
    ).toEqual([
      'Add a photo from after the work.',
      'Enter under "Found and done" what you found on the lift and what you did.',
      'Enter "Brake: Gap" under "Found and done".',
    ]);
    await needs(stored.needs as string[]);
    const { version } = await co.read('attribute_lookup_type', gap);
    await ok(admin.call('PUT', `/tapi/attribute_lookup_type/${gap}`, { version, needed_for: [] }));
    const replaced = await co.add('action_taken_mstr', {
      code: 'REPL',
      name: 'Replaced',
      result: 'replaced',
      needs_material: true,
    });
    const bare = await step(anand, call.id, 'complete', { running_after: 'running', action_taken_id: replaced });
    expect([bare.statusCode, bare.body]).toEqual([422, expect.stringContaining('uses material')]);
    // A call without a subcategory gets the one that its gravest finding suggests.
    const subcategory = await co.add('ticket_subcategory_mstr', {
      code: 'DB',
      name: 'Door brake',
      ticket_category_id: ids.door,
    });
    const fault = await co.add('attribute_lookup_type', {
      code: 'BF',
      name: 'Brake fault',
      attribute_lookup_group_id: brake,
      records: 'fault',
      value_kind: 'choice',
    });
    const worn = await co.add('attribute_lookup', {
      code: 'WORN',
      name: 'Worn',
      attribute_lookup_type_id: fault,
      severity: 2,
      suggest_subcategory_id: subcategory,
    });
    const entry = { attribute_lookup_group_id: brake, attribute_lookup_type_id: fault, attribute_lookup_id: worn };
    const found = { fms_ticket_id: call.id, lift_id: ids.other_lift, employee_id: ids.anand, ...entry };
    await ok(admin.call('POST', '/tapi/job_history', found), 201);
    await ok(step(anand, call.id, 'complete', { running_after: 'running', work_done: 'Oiled' }));
    expect(await co.read('fms_ticket', call.id)).toMatchObject({ subcategory_id: subcategory });
    const before = (await reports()).length;
    const complaint = await co.add('ticket_definition', {
      code: 'CMP',
      name: 'Complaint',
      ticket_type: 'complaint',
      number_prefix: 'FCP',
      sla: [{ priority: 'p3', respond_min: 480, restore_min: 960, round_the_clock: false }],
      assign: 'manual',
    });
    const said = await co.add('customer_comment', {
      code: 'NOISE',
      name: 'Still noisy',
      tone: 'bad',
      used_at: ['sign_off'],
    });
    await acme.sql(`update {s}.customer_comment set "then" = 'complaint'`);
    const guard = await co.add('customer_designation', { code: 'GRD', name: 'Guard', authority: 'security' });
    const unable = await step(anand, call.id, 'sign_off', { signed_by: 'Guard', signed_designation_id: guard });
    expect([unable.statusCode, unable.body]).toEqual([422, expect.stringContaining('may not sign off work')]);
    await ok(step(anand, call.id, 'sign_off', { signed_by: 'Manager', customer_comment_id: said }));
    const complaints = await acme.sql<{ description: string; status: string }>(
      'select description, status from {s}.fms_ticket where ticket_definition_id = $1',
      [complaint],
    );
    expect(complaints).toEqual([
      { description: `Complaint at the sign-off of ${String(call.ticket_no)}: Still noisy`, status: 'new' },
    ]);
    const [report] = (await reports()).slice(before);
    expect(report).toEqual({ recipient: 'manager@towers.example', prints: [expect.any(Number)] });
  });
});

/** Mails with a service report. */
const reports = () =>
  acme.sql<{ recipient: string; prints: number[] }>(
    `select recipient, prints from {s}.outbox where subject like 'Service report %' order by id`,
  );

describe('cover', () => {
  it('is that of the day of the report, whatever happens to the contract later', async () => {
    const { ids, admin, ok, step, desk, raise } = co;
    const [line] = await acme.sql<{ id: number }>(
      `with c as (insert into {s}.contract (entity_id, contract_no, contract_kind, customer_id, building_id, branch_id, start_on, months, end_on, payment_type_id, status)
         values (1, 'CON/1', 'amc', $1, $2, $3, current_date - 30, 12, current_date + 300, (select id from {s}.payment_type_mstr limit 1), 'active') returning id)
       insert into {s}.contract_line (entity_id, contract_id, lift_id, cover_kind, amc_type_id, from_on, to_on, rate, line_status)
         select 1, c.id, $4, 'amc', $5, current_date - 30, current_date + 300, 1000, 'active' from c returning id`,
      [ids.customer, ids.building, ids.branch, ids.lift, await amcType()],
    );
    const call = await raise();
    expect(call).toMatchObject({ cover: 'covered', contract_line_id: line!.id });
    await acme.sql(`update {s}.contract_line set line_status = 'closed', closes_on = current_date - 1 where id = $1`, [
      line!.id,
    ]);
    const stored = await co.read('fms_ticket', call.id);
    const kept = await ok(
      admin.call('PUT', `/tapi/fms_ticket/${call.id}`, {
        version: stored.version,
        description: 'It does not open either.',
      }),
    );
    expect(kept.cover).toBe('covered');
    const next = await raise();
    expect(next.cover).toBe('none');
    for (const one of [call, next]) await ok(step(desk, one.id, 'cancel', { reason: await reason() }));
  });
});

async function amcType(): Promise<number> {
  const { add, ids } = co;
  if (ids.amc_type !== undefined) return ids.amc_type;
  const tax = await add('tax_category_mstr', { code: 'STD', name: 'Taxable', supply: 'both', treatment: 'taxable' });
  const gst = await add('tax', { code: 'GST18', name: 'GST 18 %', tax_category_id: tax, print_label: 'GST 18 %' });
  const sac = await add('hs_code', {
    code: '998718',
    kind: 'SAC',
    description: 'Maintenance',
    rates: [{ valid_from: '2017-07-01', tax_id: gst }],
  });
  const service = await add('fmsservice', {
    code: 'AMC',
    name: 'Maintenance',
    service_kind: 'amc',
    hs_code_id: sac,
    place_of_supply: 'building',
  });
  await add('payment_type_mstr', {
    code: 'YA',
    name: 'Yearly',
    timing: 'advance',
    frequency: 'yearly',
    bill_as: 'tax_invoice',
    lead_days: 0,
  });
  ids.amc_type = await add('amc_type_mstr', {
    code: 'COMP',
    name: 'Comprehensive',
    coverage: 'comprehensive',
    service_id: service,
    night_calls: true,
  });
  return ids.amc_type;
}

describe('the QR page of a lift', () => {
  it('accepts five calls an hour, shows nothing about the customer, and the desk confirms its calls', async () => {
    const { ids, admin, desk, ok, step } = co;
    const address = `/tapi/lift/${ids.other_lift}/public`;
    const made = await admin.call('POST', address, {});
    const [link] = made.json<{ data: { address: string }[] }>().data;
    const token = link!.address.split('/').at(-1)!;
    const host = { host: acme.host };
    const view = await world.inject({ method: 'GET', url: `/papi/${token}`, headers: host });
    expect(view.statusCode, view.body).toBe(200);
    expect(view.body).not.toContain('"Towers"');
    expect(view.body).not.toContain('+914428292727');
    const send = (at: number) =>
      world.inject({
        method: 'POST',
        url: `/papi/${token}`,
        headers: { ...host, 'idempotency-key': `call-${at}-0000` },
        payload: {
          act: null,
          values: { description: `Stopped again, ${at}`, caller_name: 'Visitor', caller_phone: '+919840011199' },
        },
      });
    const answers: number[] = [];
    for (let at = 1; at <= 6; at++) answers.push((await send(at)).statusCode);
    expect(answers.map((status) => (status < 300 ? 'taken' : status))).toEqual([
      ...Array.from({ length: 5 }, () => 'taken'),
      429,
    ]);
    const [call] = await acme.sql<{ id: number; source: string }>(
      `select id, source from {s}.fms_ticket where lift_id = $1 and source = 'qr' order by id limit 1`,
      [ids.other_lift],
    );
    const mails = async () =>
      (await acme.sql<{ n: number }>(`select count(*)::int as n from {s}.outbox where subject like 'Call %'`))[0]!.n;
    const before = await mails();
    await ok(step(desk, call!.id, 'confirm_call'));
    expect((await mails()) - before).toBe(1);
    expect(await co.read('fms_ticket', call!.id)).toMatchObject({ coordinator_id: desk.userId });
  });
});

describe('the board', () => {
  it('is for dispatchers; people limited to their own tickets read no others', async () => {
    const { desk, anand, bala, ids, raise, ok, step } = co;
    const call = await raise();
    await ok(step(desk, call.id, 'assign', { technician_id: ids.anand }));
    expect((await anand.call('GET', `/tapi/fms_ticket/${call.id}`)).statusCode).toBe(200);
    expect((await bala.call('GET', `/tapi/fms_ticket/${call.id}`)).statusCode).toBe(404);
    expect((await bala.call('GET', '/tapi/fms/board')).statusCode).toBe(403);
    const board = (await desk.call('GET', '/tapi/fms/board')).json<{
      data: {
        tickets: { id: number }[];
        technicians: { name: string; level: number; dayMinutes: number }[];
        sites: object[];
      };
    }>().data;
    expect(board.tickets.map(({ id }) => id)).toContain(call.id);
    // The day of a team is as long as the team says.
    expect(board.technicians.map(({ level, dayMinutes }) => [level, dayMinutes])).toEqual([
      [2, 450],
      [2, 450],
    ]);
    const found = (await desk.call('GET', '/tapi/fms/find_lift?q=9840011122')).json<{
      data: { liftNo: string; open: { id: number }[] }[];
    }>().data;
    expect(found.find(({ open }) => open.some(({ id }) => id === call.id))).toBeDefined();
    const within = async (query: string) =>
      (await desk.call('GET', `/tapi/fms/find_lift?${query}`)).json<{ data: { liftNo: string }[] }>().data.length;
    expect(await within(`building_id=${ids.building}`)).toBe(2);
    expect(await within(`customer_id=${ids.customer}&code=L00001`)).toBe(1);
    expect(await within(`q=towers&branch_id=${ids.branch! + 1000}`)).toBe(0);
    expect((await desk.call('GET', '/tapi/fms/find_lift?building_id=x')).statusCode).toBe(400);
  });
});

describe('the supervisor of a route group', () => {
  it('sees the tickets, visits, incidents, inspections and lifts of the routes of the own groups and no others, behind every door', async () => {
    const { admin, ids, add, raise, read, ok } = co;
    const sees = async (who: Caller, type: string) =>
      (await who.call('GET', `/tapi/${type}?sort=id&size=100`))
        .json<{ data: { id: number }[] }>()
        .data.map(({ id }) => id);
    // Raised before there is a group, so that nobody is named in them as its supervisor.
    const mine = await raise();
    const other = await raise({ lift_id: ids.other_lift });
    const elsewhere = await add('route_mstr', {
      code: 'CHN-2',
      name: 'North',
      branch_id: ids.branch,
      team_id: ids.team,
      start_point: { lat: 13.05, lng: 80.24 },
      capacity_minutes: 420,
    });
    await acme.sql('update {s}.fms_ticket set route_id = $1 where lift_id = $2', [elsewhere, ids.other_lift]);
    await acme.sql('update {s}.lift set route_id = $1 where id = $2', [elsewhere, ids.other_lift]);
    const visits = await acme.sql<{ id: number }>(
      `with c as (insert into {s}.contract (entity_id, contract_no, contract_kind, customer_id, building_id, branch_id, start_on, months, end_on, payment_type_id, status)
         values (1, 'CON/2', 'amc', $1, $2, $3, current_date - 30, 12, current_date + 300, (select id from {s}.payment_type_mstr limit 1), 'active') returning id),
       k as (insert into {s}.contract_line (entity_id, contract_id, lift_id, cover_kind, amc_type_id, from_on, to_on, rate, line_status)
         select 1, c.id, l, 'amc', $5, current_date - 30, current_date + 300, 1000, 'draft' from c, unnest($4::bigint[]) l returning id, lift_id)
       insert into {s}.scheduled_ticket (entity_id, branch_id, contract_line_id, contract_year, lift_id, building_id, route_id, due_on, planned_on, window_from, window_to, minutes, status, visit_no, visits_per_year)
         select 1, $3, k.id, 1, l.id, l.building_id, l.route_id, current_date, current_date, current_date, current_date, 45, 'planned', 1, 12
         from k join {s}.lift l on l.id = k.lift_id order by l.id returning id`,
      [ids.customer, ids.building, ids.branch, [ids.lift, ids.other_lift], await amcType()],
    );
    const incidents = [];
    for (const ticket of [mine, other])
      incidents.push(
        await add('incident', { fms_ticket_id: ticket.id, incident_kind: 'near_miss', happened_at: ago(1) }),
      );

    const part = await add('tis_survey_group', { code: 'MR', name: 'Machine room', place: 'machine_room', seq: 1 });
    const survey = await add('tis_survey_type', {
      code: 'YEAR',
      name: 'Yearly',
      purpose: 'periodic',
      groups: [{ seq: 1, tis_survey_group_id: part, repeat_per: 'once' }],
      grades: [{ from_percent: '0', grade: 'A' }],
    });
    await acme.sql("update {s}.tis_survey_type set status = 'published' where id = $1", [survey]);
    const inspections: number[] = [];
    for (const lift of [ids.lift, ids.other_lift])
      inspections.push(
        await add('tis_inspection', {
          survey_type_id: survey,
          planned_on: day(1),
          surveyor_id: ids.anand,
          lift_id: lift,
        }),
      );

    const pages = ['landing', 'edit_screen', 'view_screen'] as const;
    const screens = (scope: 'own' | 'branch') =>
      Object.fromEntries(
        ['TICKETS', 'RAISE_TICKETS', 'SCHEDULED_TICKETS', 'LIFT', 'TIS'].map((code) => [
          `SCN_FMS_${code}`,
          { pages: [...pages, ...(code === 'RAISE_TICKETS' ? ['add_screen' as const] : [])], scope },
        ]),
      );
    const others = {
      SCN_FMS_DASHBOARD: { pages: ['landing' as const] },
      SCN_FMS_ASSIGN_TICKET: { pages: ['landing' as const], scope: 'own' as const },
      SCN_FMS_BUILDING: { pages: ['view_screen' as const], scope: 'branch' as const },
      SCN_FMS_BUILDING_TICKET_REPORTS: { pages: ['landing' as const] },
    };
    const person = async (name: string, scope: 'own' | 'branch', employee: number) => {
      const role = await acme.role({
        modules: ['FMS'],
        screens: { ...screens(scope), ...others },
        actions: ['FMS_ASSIGN', 'RUN_REPORTS', 'EXPORT_DATA'],
      });
      await acme.user(name, { companies: [{ company: 1, roles: [role], branchId: ids.branch! }] });
      await acme.sql('update {s}.users set employee_id = $2 where username = $1', [name, employee]);
      return { role, caller: await world.signIn(acme, name) };
    };
    const narrow = await person('route-own', 'own', ids.supervisor!);
    const wide = await person('route-branch', 'branch', ids.leader!);
    for (const { role } of [narrow, wide])
      await add('fms_dashboard_roles', {
        role_id: role,
        scope: 'groups',
        period: 'fy',
        widgets: [{ widget: 'open_calls' }, { widget: 'calls_today' }],
      });
    const counted = async (who: Caller, tile: string) => {
      const answer = await ok(who.call('POST', '/tapi/dashboard/fms_dashboard', {}));
      const { tiles } = answer as unknown as { tiles: { name: string; figures: { rows: { n: number }[] } }[] };
      return tiles.find(({ name }) => name === tile)!.figures.rows.reduce((sum, { n }) => sum + Number(n), 0);
    };
    expect(await sees(narrow.caller, 'fms_ticket')).toEqual([]);
    expect(await sees(narrow.caller, 'lift')).toEqual([]);
    expect(await counted(wide.caller, 'open_calls')).toBe(0);

    // The stand-in (own tickets) and the supervisor (those of the branch).
    const group = await add('route_group', {
      name: 'Centre',
      supervisor_id: ids.leader,
      stand_in_id: ids.supervisor,
      route_ids: [ids.route],
    });
    const ofRoute = await acme.sql<{ id: number; ticket_no: string; status: string; open: boolean }>(
      `select id, ticket_no, status, status in ('new', 'assigned', 'accepted', 'travelling', 'attending', 'paused') as open from {s}.fms_ticket where route_id = $1 order by id`,
      [ids.route],
    );
    const numbers = ofRoute.map(({ ticket_no: no }) => no).toSorted((a, b) => a.localeCompare(b));
    expect(ofRoute.map(({ id }) => id)).toContain(mine.id);
    expect(await sees(narrow.caller, 'fms_ticket')).toEqual(ofRoute.map(({ id }) => id));
    expect(await sees(narrow.caller, 'scheduled_ticket')).toEqual([visits[0]!.id]);
    expect(await sees(narrow.caller, 'lift')).toEqual([ids.lift]);
    expect(await sees(narrow.caller, 'incident')).toEqual([incidents[0]]);
    expect(await sees(narrow.caller, 'tis_inspection')).toEqual([inspections[0]]);

    // Reading, saving, steps.
    for (const [type, own, foreign] of [
      ['fms_ticket', mine.id, other.id],
      ['lift', ids.lift, ids.other_lift],
      ['incident', incidents[0], incidents[1]],
      ['tis_inspection', inspections[0], inspections[1]],
    ] as const) {
      expect([type, (await narrow.caller.call('GET', `/tapi/${type}/${own}`)).statusCode]).toEqual([type, 200]);
      expect([type, (await narrow.caller.call('GET', `/tapi/${type}/${foreign}`)).statusCode]).toEqual([type, 404]);
      const { version } = await read(type, foreign!);
      const put = await narrow.caller.call('PUT', `/tapi/${type}/${foreign}`, { version, remarks: 'Mine now.' });
      expect([type, put.statusCode]).toEqual([type, 404]);
    }
    const assigned = { technician_id: ids.anand };
    expect((await co.step(narrow.caller, other.id, 'assign', assigned)).statusCode).toBe(404);
    await ok(co.step(narrow.caller, mine.id, 'assign', assigned));

    // The file, the board, the search for a lift, and a report.
    const book = await narrow.caller.call('GET', '/tapi/fms_ticket/export.xlsx?columns=ticket_no');
    const [, ...exported] = XLSX.utils.sheet_to_json<string[]>(XLSX.read(book.rawPayload).Sheets.Sheet1!, {
      header: 1,
    });
    expect(exported.map(([no]) => no!).toSorted((a, b) => a.localeCompare(b))).toEqual(numbers);
    const board = (await narrow.caller.call('GET', '/tapi/fms/board')).json<{
      data: { tickets: { id: number }[]; technicians: { id: number }[] };
    }>().data;
    expect(board.tickets.map(({ id }) => id)).toContain(mine.id);
    expect(board.tickets.map(({ id }) => id)).not.toContain(other.id);
    expect(board.technicians.map(({ id }) => id)).toContain(ids.anand);
    const found = async (who: Caller) =>
      (await who.call('GET', `/tapi/fms/find_lift?building_id=${ids.building}`))
        .json<{ data: { id: number }[] }>()
        .data.map(({ id }) => id);
    expect(await found(narrow.caller)).toEqual([ids.lift]);
    expect(await found(wide.caller)).toHaveLength(2);
    const calls = async (who: Caller) => {
      const answer = await ok(
        who.call('GET', `/tapi/report/building_ticket_reports/rows?from=${day(-400)}&to=${day(1)}`),
      );
      const { rows } = answer as unknown as { rows: { calls: number }[] };
      return rows.reduce((sum, row) => sum + Number(row.calls), 0);
    };
    const real = ofRoute.filter(({ status }) => !['cancelled', 'duplicate'].includes(status)).length;
    expect(await calls(narrow.caller)).toBe(real);
    expect(await calls(wide.caller)).toBeGreaterThan(real);

    // Whoever sees the tickets of the branch has both in the list, but the dashboard of the group, and no more than the branch.
    await acme.sql('update {s}.fms_ticket set branch_id = null where id = $1', [mine.id]);
    const open = ofRoute.filter((one) => one.open).length;
    expect(await sees(wide.caller, 'fms_ticket')).toContain(other.id);
    for (const tile of ['open_calls', 'calls_today'])
      expect(await counted(wide.caller, tile)).toBe((await counted(narrow.caller, tile)) - 1);
    expect(await counted(narrow.caller, 'open_calls')).toBe(open);

    const { version } = await read('route_group', group);
    await ok(
      admin.call('PUT', `/tapi/route_group/${group}`, {
        version,
        name: 'Centre',
        supervisor_id: ids.supervisor,
        stand_in_id: null,
        route_ids: [elsewhere],
      }),
    );
    expect(await sees(narrow.caller, 'lift')).toEqual([ids.other_lift]);
    expect(await sees(narrow.caller, 'fms_ticket')).toContain(other.id);
    expect(await sees(narrow.caller, 'fms_ticket')).not.toContain(mine.id);
    await acme.sql('update {s}.route_group set active = false where id = $1', [group]);
    expect(await sees(narrow.caller, 'lift')).toEqual([]);
  });
});
