import { DateTime } from 'luxon';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { homeMeasure } from '../../../src/domain/fms/home_measures.ts';
import { figureOf } from '../record_figure.ts';
import type { TestTenant, World } from '../world.ts';
import { startWorld } from '../world.ts';
import type { Doc, ServiceCompany } from './service_company.ts';
import { serviceCompany } from './service_company.ts';

// Scheduled visits: planned by the contract, released for the day, made on the phone, counted afterwards.

type Row = Record<string, unknown>;

let world: World;
let acme: TestTenant;
let co: ServiceCompany;
let contract: Doc;

/** The work of the visit was an hour ago: shortly after midnight that is the day before. */
const workDay = DateTime.now().minus({ minutes: 40 }).setZone('Asia/Kolkata');
const today = DateTime.now().setZone('Asia/Kolkata');
const day = (days: number) => today.plus({ days }).toISODate()!;
const list = async (filter: unknown, by = co.admin) =>
  (
    await by.call(
      'GET',
      `/tapi/scheduled_ticket?size=200&columns=*&sort=due_on&filter=${encodeURIComponent(JSON.stringify(filter))}`,
    )
  ).json<{
    data: Doc[];
  }>().data;
const run = async (name: string) => {
  await world.app.jobs.runNow(acme, name, { userId: co.admin.userId, companies: acme.entityIds });
  const log = async () =>
    ((await world.app.jobs.log(acme.schema, { name })) as { state: string; message: string }[])[0]!;
  // Another file's server may have taken the run.
  await expect
    .poll(async () => {
      await world.app.jobs.drain();
      return (await log()).state;
    })
    .toMatch(/^(done|failed)$/);
  const last = await log();
  expect(last, JSON.stringify(last)).toMatchObject({ state: 'done' });
  return last.message;
};
const count = async () => (await acme.sql<{ n: number }>('select count(*)::int as n from {s}.scheduled_ticket'))[0]!.n;
const visit = (id: number) => co.read('scheduled_ticket', id);
const act = (id: number, name: string, more: object = {}) =>
  visit(id).then(({ version }) => co.admin.call('POST', `/tapi/scheduled_ticket/${id}/${name}`, { version, ...more }));

beforeAll(async () => {
  world = await startWorld();
  acme = await world.tenant({ everyTable: true });
  co = await serviceCompany(world, acme);
  const { add, ok, admin, ids } = co;
  ids.pm = await add('ticket_definition', {
    code: 'PM',
    name: 'Maintenance visit',
    ticket_type: 'preventive',
    number_prefix: 'FPM',
    sla: [{ priority: 'p4', respond_min: 480, restore_min: 960, round_the_clock: false }],
    assign: 'route_team',
    geofence: 'off',
    needs: [],
    close_after_hours: 48,
    reopen_days: 3,
  });
  ids.monthly = await add('schedule_visit_mstr', {
    code: 'M12',
    name: 'Monthly',
    visits_per_year: 12,
    basis: 'fixed',
    before_days: 2,
    after_days: 5,
    avoid_days: ['sun'],
  });
  const sac = await add('hs_code', { code: '998718', kind: 'SAC', description: 'Maintenance of lifts' });
  const service = await add('fmsservice', {
    code: 'AMC',
    name: 'Maintenance',
    service_kind: 'amc',
    hs_code_id: sac,
    place_of_supply: 'building',
  });
  const type = await add('amc_type_mstr', {
    code: 'COMP',
    name: 'Comprehensive',
    coverage: 'comprehensive',
    service_id: service,
  });
  const payment = await add('payment_type_mstr', {
    code: 'YA',
    name: 'Yearly',
    timing: 'advance',
    frequency: 'yearly',
  });
  contract = await ok(
    admin.call('POST', '/tapi/contract', {
      contract_no: 'OLD/0001',
      contract_kind: 'amc',
      customer_id: ids.customer,
      building_id: ids.building,
      branch_id: ids.branch,
      start_on: day(-40),
      months: 24,
      payment_type_id: payment,
      schedule_visit_id: ids.monthly,
      lines: [ids.lift, ids.other_lift].map((lift) => ({ lift_id: lift, amc_type_id: type, rate: '48000.00' })),
    }),
    201,
  );
  await acme.sql(`update {s}.contract set contract_no = 'OLD/0001' where id = $1`, [contract.id]);
  await add('policy_definition', {
    code: 'KM',
    name: 'Ten rupees a kilometre',
    policy_type_id: await add('policy_type_mstr', {
      code: 'SERVICE',
      name: 'Service',
      system: true,
      parameters: { type: 'object' },
    }),
    valid_from: '2020-04-01',
    parameters: { travel_rate: 10 },
  });
  await ok(
    admin.call('POST', `/tapi/contract/${contract.id}/take_over`, {
      version: (await co.read('contract', contract.id)).version,
    }),
  );
});
afterAll(() => world.close());

describe('the plan', () => {
  it('is created with the contract, includes only future visits, and has no duplicates when it is created again', async () => {
    const planned = await list(['status', 'eq', 'planned']);
    expect(planned.length % 2).toBe(0);
    const first = planned.filter(({ lift_id: lift }) => lift === co.ids.lift);
    // Of twelve visits the first lies more than its window back.
    expect(first.map(({ visit_no: no }) => no)).toEqual(
      Array.from({ length: first.length }, (_, i) => 13 - first.length + i),
    );
    expect(first.length).toBeGreaterThanOrEqual(10);
    for (const one of planned) {
      expect(String(one.window_to) >= today.toISODate()!).toBe(true);
      expect(DateTime.fromISO(String(one.due_on)).weekday).not.toBe(7);
      expect(one).toMatchObject({ route_id: co.ids.route, branch_id: co.ids.branch, minutes: 45, contract_year: 1 });
    }
    const before = await count();
    expect(await run('make_visits')).toContain('0 visits planned for 2 lines');
    await acme.sql(`delete from {s}.scheduled_ticket where id = (select max(id) from {s}.scheduled_ticket)`);
    // A visit needs as many people as the type of lift.
    await acme.sql('update {s}.lift_type_mstr set crew = 2');
    expect(await run('make_visits')).toContain('1 visits planned');
    expect(await acme.sql('select crew from {s}.scheduled_ticket order by id desc limit 1')).toEqual([{ crew: 2 }]);
    expect(await count()).toBe(before);
  });

  it('moves a visit within its window only, and records the old and new day', async () => {
    const [one] = await list(['and', ['status', 'eq', 'planned'], ['due_on', 'after', day(40)]]);
    const late = await act(one!.id, 'move', {
      planned_on: DateTime.fromISO(String(one!.window_to)).plus({ days: 1 }).toISODate(),
    });
    expect(late.statusCode).toBe(422);
    expect(late.body).toContain('This visit may be made from');
    const to = [String(one!.window_to), DateTime.fromISO(String(one!.window_to)).minus({ days: 1 }).toISODate()!].find(
      (at) => DateTime.fromISO(at).weekday !== 7 && at !== one!.planned_on,
    )!;
    const moved = await co.ok(act(one!.id, 'move', { planned_on: to }));
    expect(moved).toMatchObject({ planned_on: to, moved: [{ from_day: one!.planned_on, to_day: to }] });
  });

  it('moves off a day that becomes a holiday, within the window, and is left alone otherwise', async () => {
    const [one, two] = await list(['and', ['status', 'eq', 'planned'], ['due_on', 'after', day(70)]]);
    await co.add('holiday', {
      name: 'Procession',
      date: one!.planned_on,
      holiday_type: 'festival',
      holiday_group: 'All',
    });
    await run('shift_visits');
    const moved = await visit(one!.id);
    expect(moved.planned_on).not.toBe(one!.planned_on);
    expect(
      String(moved.planned_on) >= String(one!.window_from) && String(moved.planned_on) <= String(one!.window_to),
    ).toBe(true);
    const other = two!.planned_on === one!.planned_on ? moved.planned_on : two!.planned_on;
    expect((await visit(two!.id)).planned_on).toBe(other);
  });

  it('skips a visit for a reason, and counts it as missed when the reason is ours', async () => {
    const reason = (code: string, fault: string) =>
      co.add('reason', { code, name: code, used_for: ['visit_skip'], fault });
    const [ours, theirs] = [await reason('OURS', 'ours'), await reason('THEIRS', 'customer')];
    const [one, two] = await list(['and', ['status', 'eq', 'planned'], ['due_on', 'after', day(200)]]);
    expect((await act(one!.id, 'skip')).statusCode).toBe(422);
    expect(await co.ok(act(one!.id, 'skip', { reason: ours }))).toMatchObject({ status: 'skipped' });
    expect(await visit(one!.id)).toMatchObject({ window_result: 'missed', skip_reason_id: ours });
    await co.ok(act(two!.id, 'skip', { reason: theirs }));
    expect(await visit(two!.id)).toMatchObject({ window_result: null, skip_reason_id: theirs });
  });

  it('plans the month of a route within all windows', async () => {
    const first = today.plus({ months: 3 }).startOf('month');
    const plan = async () => {
      const answer = await co.admin.call('POST', '/tapi/scheduled_ticket/action/fms_visits.plan_month', {
        on: 'list',
        params: { of_route_id: co.ids.route, month: first.toFormat('yyyy-MM') },
      });
      expect(answer.statusCode, answer.body).toBe(200);
      const planned = await list(['due_on', 'between', [first.toISODate(), first.endOf('month').toISODate()]]);
      for (const one of planned)
        expect(
          String(one.planned_on) >= String(one.window_from) && String(one.planned_on) <= String(one.window_to),
        ).toBe(true);
      return new Set(planned.map(({ planned_on: on }) => on)).size;
    };
    // Both lifts of the building on one day, until their frequency spreads them.
    expect(await plan()).toBe(1);
    await acme.sql('update {s}.schedule_visit_mstr set same_day_per_building = false');
    expect(await plan()).toBe(2);
  });
});

describe('a visit', () => {
  let visits: Doc[];

  it('is released in the evening: one ticket per lift, one arrival per building and day, and only once', async () => {
    await acme.sql(
      `update {s}.scheduled_ticket set planned_on = $1, window_from = $1, window_to = $2 where status = 'planned' and visit_no = 3`,
      [day(1), day(6)],
    );
    await acme.sql(`update {s}.customer_dtl__contacts set gets = '{tickets,visits}'`);
    const message = await run('release_visits');
    visits = await list(['and', ['status', 'eq', 'released'], ['planned_on', 'eq', day(1)]]);
    expect(message).toMatch(/visits released/);
    // The contact who gets visits has one mail for the building.
    const mails = `select recipient, body from {s}.outbox where subject = 'Visit of your lifts on ' || to_char($1::date, 'DD-MM-YYYY')`;
    expect(await acme.sql(mails, [day(1)])).toEqual([
      { recipient: 'manager@towers.example', body: expect.stringMatching(/maintain: L00001, L00002\./) as string },
    ]);
    expect(visits).toHaveLength(2);
    const [one, two] = visits;
    expect(one!.visit_group).toBe(two!.visit_group);
    expect(one!.fms_ticket_id).not.toBe(two!.fms_ticket_id);
    const ticket = await co.read('fms_ticket', Number(one!.fms_ticket_id));
    expect(ticket).toMatchObject({
      status: 'assigned',
      source: 'schedule',
      ticket_type: 'preventive',
      scheduled_ticket_id: one!.id,
      planned_on: day(1),
      stop_no: 1,
      technician_id: co.ids.anand,
    });
    await run('release_visits');
    expect(await list(['and', ['status', 'eq', 'released'], ['planned_on', 'eq', day(1)]])).toEqual(visits);
  });

  it('returns to the plan when its ticket is cancelled, and can be released again', async () => {
    const [, two] = visits;
    const reason = await co.add('reason', { code: 'CANC', name: 'Not needed', used_for: ['ticket_cancel'] });
    await co.ok(co.step(co.desk, Number(two!.fms_ticket_id), 'cancel', { reason }));
    expect(await visit(two!.id)).toMatchObject({ status: 'planned', fms_ticket_id: null, visit_group: null });
    const gauge = await co.add('instrument_type_mstr', { code: 'GAUGE', name: 'Rope gauge', measures: 'Diameter' });
    await acme.sql('update {s}.scheduled_ticket set crew = 2, instrument_ids = array[$2::bigint] where id = $1', [
      two!.id,
      gauge,
    ]);
    await co.ok(act(two!.id, 'release'));
    const again = Number((await visit(two!.id)).fms_ticket_id);
    expect(again).not.toBe(two!.fms_ticket_id);
    expect(await co.read('fms_ticket', again)).toMatchObject({
      technician_id: co.ids.anand,
      helper_ids: [co.ids.bala],
      description: expect.stringContaining('Take along: Rope gauge.'),
    });
    // Planned work waits for the end of the quiet hours, unless the technician says why it does not.
    await acme.sql('update {s}.building_type_mstr set quiet_from = $1, quiet_to = $2', [
      today.minus({ hours: 2 }).toFormat('HH:mm'),
      today.plus({ hours: 2 }).toFormat('HH:mm'),
    ]);
    await co.ok(co.step(co.anand, again, 'accept'));
    const early = await co.step(co.anand, again, 'arrive');
    expect([early.statusCode, early.body]).toEqual([422, expect.stringContaining('quiet hours')]);
    await acme.sql('update {s}.building_type_mstr set quiet_from = null, quiet_to = null');
  });

  it('is carried out by acts from an offline phone, in order and once; rejected ones are kept for their person', async () => {
    const [one] = visits;
    const ticket = Number(one!.fms_ticket_id);
    await acme.sql(`update {s}.fms_ticket set reported_at = now() - interval '1 day' where id = $1`, [ticket]);
    await acme.sql(
      `update {s}.transition_log set at = at - interval '1 day' where record_type = 'fms_ticket' and record_id = $1`,
      [ticket],
    );
    const at = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
    const acts = [
      ['accept', {}, 50],
      ['go', {}, 45],
      ['arrive', { arrive_geo: { lat: 13.06, lng: 80.25 } }, 40],
      ['make_safe', { isolation: ['barricade', 'main_switch', 'car_position'] }, 38],
      ['complete', { running_after: 'running', work_done: 'Cleaned and oiled.' }, 5],
      ['sign_off', { signed_by: 'Guard', rating: 5 }, 3],
    ].map(([name, input, minutes]) => ({
      key: crypto.randomUUID(),
      type: 'fms_ticket',
      id: ticket,
      do: name,
      input,
      at: at(minutes as number),
      title: `${String(name)} offline`,
    }));
    const send = async (some: typeof acts) => {
      const answer = await co.anand.call('POST', '/tapi/offline', { acts: some, now: new Date().toISOString() });
      expect(answer.statusCode, answer.body).toBe(200);
      return answer
        .json<{ data: { state: string; message?: string }[] }>()
        .data.map(({ state, message }) => (message === undefined ? state : `${state}: ${message}`));
    };
    // The line is cut after the third: the device does not know, and sends all of them again.
    expect(await send(acts.slice(0, 3))).toEqual(['done', 'done', 'done']);
    expect(await send(acts)).toEqual(Array.from({ length: 6 }, () => 'done'));
    const done = await co.read('fms_ticket', ticket);
    const [person] = done.assignments as Row[];
    expect(done).toMatchObject({ status: 'signed_off', rating: 5 });
    expect(done.assignments).toHaveLength(1);
    expect(Math.abs(Date.parse(String(person!.arrived_at)) - Date.parse(acts[2]!.at))).toBeLessThan(5_000);
    expect(person!.labour_min).toBe(35);
    // By road from the start of the route.
    expect(person).toMatchObject({ travel_km: '2.0', travel_cost: '20.00' });
    expect(await visit(one!.id)).toMatchObject({
      status: 'done',
      done_on: DateTime.fromISO(acts[4]!.at).setZone('Asia/Kolkata').toISODate(),
      window_result: 'early',
    });
    const late = { ...acts[0]!, key: crypto.randomUUID(), at: at(1) };
    expect((await send([late]))[0]).toMatch(/^needs_you: /);
    const refused = (await co.anand.call('GET', '/tapi/offline/refused')).json<{ data: Row[] }>().data;
    expect(refused).toMatchObject([{ key: late.key, do: 'accept' }]);
  });

  it('is missed once its window is over for the days of the policy', async () => {
    const [one] = await list(['and', ['status', 'eq', 'planned'], ['due_on', 'after', day(60)]]);
    await acme.sql(
      `update {s}.scheduled_ticket set window_from = $2, due_on = $2, planned_on = $2, window_to = $2 where id = $1`,
      [one!.id, day(-1)],
    );
    // The last run was a week ago: the list of Monday is made up for.
    await acme.sql(`insert into {s}.job_run (job, key, ended_at) values ('watch_visits', $1, now())`, [`1/${day(-7)}`]);
    await acme.sql('update {s}.branch set head_id = $2 where id = $1', [co.ids.branch, co.ids.bala]);
    expect(await run('watch_visits')).toContain('1 visits missed');
    expect(
      await acme.sql(
        `select user_id as user, title, body from {s}.notification where event_code = 'visits.missed_week'`,
      ),
    ).toEqual([
      {
        user: co.bala.userId,
        title: '1 visits were missed in the last week',
        body: expect.stringMatching(/^L\d+ .*: due \d\d-\d\d-\d{4}/) as string,
      },
    ]);
    expect(await visit(one!.id)).toMatchObject({ status: 'missed', window_result: 'missed' });
  });
});

describe('statutory dates of lifts', () => {
  it('are told to the account manager on the days that the state sets', async () => {
    const { ids } = co;
    await acme.sql(
      `update {s}.customer_dtl set account_manager_id = $2, email = 'office@towers.example' where id = $1`,
      [ids.customer, ids.anand],
    );
    await acme.sql(`update {s}.state_mstr set inspection_months = 12, remind_days = '{30,7}' where gst_code = '33'`);
    await acme.sql(
      `update {s}.lift set licence_valid_to = $2, insurance_valid_to = $3, statutory_inspected_on = ($4::date - interval '12 months')::date where id = $1`,
      [ids.lift, day(30), day(28), day(7)],
    );
    const drive = await co.add('maindrive_make_mstr', {
      code: 'MD',
      name: 'Geared',
      support: 'current',
      machine: 'geared',
      oil_grade: 'ISO VG 320',
      oil_change_months: 24,
    });
    await acme.sql(
      `update {s}.lift set main_drive_make_id = $2, oil_changed_on = ($3::date - interval '24 months')::date where id = $1`,
      [ids.lift, drive, day(29)],
    );
    // The type of the lift says how long ropes and batteries last; lifts that are there follow.
    const [{ lift_type_id: type }] = (await acme.sql<{ lift_type_id: number }>(
      `update {s}.lift set ropes_fitted_on = ($2::date - interval '96 months')::date, rescue_device = true, ard_battery_on = ($2::date - interval '35 months')::date
       where id = $1 returning lift_type_id`,
      [ids.lift, day(7)],
    )) as [{ lift_type_id: number }];
    const { version } = (await co.admin.call('GET', `/tapi/lift_type_mstr/${type}`)).json<{
      data: { version: number };
    }>().data;
    const lives = { version, rope_life_months: 96, battery_life_months: 36 };
    expect((await co.admin.call('PUT', `/tapi/lift_type_mstr/${type}`, lives)).statusCode).toBe(200);
    const due = async () => {
      await world.app.deliveries.deliver(acme);
      return co.read('lift', ids.lift!);
    };
    await expect.poll(due).toMatchObject({ ropes_due_on: day(7), replace_by: day(7) });
    expect((await due()).battery_due_on).not.toBe(day(7));
    // No server ran yesterday: the oil change was to be told then; the insurance was, the day before.
    await acme.sql(`insert into {s}.job_run (job, key, ended_at) values ('lift_dates', $1, now())`, [`1/${day(-2)}`]);
    expect(await run('lift_dates')).toBe('4 dates of lifts notified, 1 customers mailed.');
    const told = await acme.sql<{ body: string; user: number }>(
      `select body, user_id as user from {s}.notification where event_code = 'fms.lift_dates'`,
    );
    expect(told).toHaveLength(1);
    expect(told[0]).toMatchObject({
      user: co.anand.userId,
      body: expect.stringMatching(/(?=.*: ropes ).*: inspection .*: oil change \(ISO VG 320\) .*: licence /),
    });
  });
});

describe('job history', () => {
  it('is permanent: a correction is a new entry', async () => {
    const group = await co.add('attribute_lookup_group', { code: 'DOOR', name: 'Door', seq: 1 });
    const type = await co.add('attribute_lookup_type', {
      code: 'T',
      name: 'Closing time',
      attribute_lookup_group_id: group,
      records: 'measurement',
      value_kind: 'number',
    });
    const [ticket] = await acme.sql<{ id: number }>('select min(id) as id from {s}.fms_ticket');
    const entry = {
      lift_id: co.ids.lift,
      fms_ticket_id: ticket!.id,
      employee_id: co.ids.anand,
      done_at: new Date(Date.now() - 60_000).toISOString(),
      attribute_lookup_group_id: group,
      attribute_lookup_type_id: type,
    };
    expect((await co.admin.call('POST', '/tapi/job_history', entry)).statusCode).toBe(422);
    const made = await co.ok(co.admin.call('POST', '/tapi/job_history', { ...entry, value: '3.5' }), 201);
    const changed = await co.admin.call('PUT', `/tapi/job_history/${made.id}`, { version: made.version, value: '4' });
    expect(changed.statusCode).toBeGreaterThanOrEqual(400);
    expect((await co.admin.call('DELETE', `/tapi/job_history/${made.id}`)).statusCode).toBeGreaterThanOrEqual(400);
    await co.ok(co.admin.call('POST', '/tapi/job_history', { ...entry, value: '4', corrects_id: made.id }), 201);
  });
});

describe('the months of lifts', () => {
  it('count calls, visits, downtime as one union, work and price, with the same result when counted again', async () => {
    const { ids, raise } = co;
    const at = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
    const stopped = (hours: number) => {
      const moment = at(hours);
      return raise({ reported_at: moment, down_from: moment });
    };
    const first = await stopped(5);
    const second = await stopped(4);
    for (const [call, hours] of [
      [first, 3],
      [second, 2],
    ] as const)
      await acme.sql(
        `update {s}.fms_ticket set status = 'completed', restored_at = $2, attendances = 1 where id = $1`,
        [call.id, at(hours)],
      );
    await run('lift_months');
    const months = () =>
      acme.sql<Row>(
        `select sum(calls)::int as calls, sum(repeats)::int as repeats, sum(down_min)::int as down, sum(pm_missed)::int as missed, sum(labour_min)::int as labour,
           count(*)::int as rows from {s}.lift_month where lift_id = $1`,
        [ids.lift],
      );
    const [counted] = await months();
    expect(counted).toMatchObject({ calls: 2, repeats: 0, down: 180, labour: 35 });
    await run('lift_months');
    expect(await months()).toEqual([counted]);
  });

  it('and the reports on them match the worked example of the design (C17)', async () => {
    const { ids, raise, admin } = co;
    const month = today.minus({ months: 3 }).startOf('month');
    const at = (of: number, time: string) =>
      DateTime.fromISO(`${month.set({ day: of }).toISODate()}T${time}+05:30`).toISO();
    const calls = [
      [at(5, '10:00'), at(5, '13:30'), 1],
      [at(5, '12:00'), at(5, '15:00'), 2],
      [at(20, '22:00'), at(21, '06:00'), 1],
    ] as const;
    for (const [down, restored, attendances] of calls) {
      const { id } = await raise({ lift_id: ids.other_lift });
      await acme.sql(
        `update {s}.fms_ticket set status = 'completed', reported_at = $2, down_from = $2, restored_at = $3, attendances = $4, lift_down = true,
           repeat_of_id = null where id = $1`,
        [id, down, restored, attendances],
      );
    }
    await run('lift_months');
    const [counted] = await acme.sql<Row>(
      `select calls, down_min, calls_closed, first_time from {s}.lift_month where lift_id = $1 and month_on = $2`,
      [ids.other_lift, month.toISODate()],
    );
    expect(counted).toEqual({ calls: 3, down_min: 780, calls_closed: 3, first_time: 2 });
    const period = `from=${month.toISODate()}&to=${month.endOf('month').toISODate()}`;
    // The leader of the team of its route is measured by the same figures, with the other lifts of the route.
    const [leader] = await acme.sql<{ id: number; trapped: string; per_lift: string; first_fix: string }>(
      `select t.leader_id as id, sum(m.trapped)::text as trapped, (sum(m.calls) * 365.0 / sum(m.cover_days))::text as per_lift,
         (sum(m.first_time) * 100.0 / sum(m.calls_closed))::text as first_fix
       from {s}.lift_month m join {s}.route_mstr r on r.id = m.route_id join {s}.team t on t.id = r.team_id where r.id = $1 group by 1`,
      [ids.route],
    );
    const ofLeader = async (name: string) => Number(await figureOf(acme, name, leader!.id));
    expect(await ofLeader('fms_trapped')).toBe(Number(leader!.trapped));
    expect(await ofLeader('fms_breakdown_per_lift')).toBeCloseTo(Number(leader!.per_lift), 2);
    expect(await ofLeader('fms_first_time_fix_pct')).toBeCloseTo(Number(leader!.first_fix), 2);
    const rows = async (name: string, more = '') =>
      (await admin.call('GET', `/tapi/report/${name}/rows?${period}${more}`)).json<{ data: { rows: Row[] } }>().data
        .rows;
    expect((await rows('building_ticket_reports')).find(({ calls: n }) => n === 3)).toMatchObject({
      mttr: '290',
      down_min: 780,
    });
    // Down for 780 minutes: 98.19 % of 30 days in service.
    const uptime = { 28: '98.07', 29: '98.13', 30: '98.19', 31: '98.25' }[month.daysInMonth!];
    expect((await rows('breakdown_pm_reports', '&grouped_by=lift')).find(({ calls: n }) => n === 3)).toMatchObject({
      first_fix: '66.67',
      uptime,
    });
  });

  it('earn the price of each contract year by its days, up to today (C9, C20)', async () => {
    const [earned] = await acme.sql<{ days: number; price: string; first: string }>(
      `select sum(cover_days)::int as days, sum(revenue)::text as price, min(month_on) filter (where cover_days > 0)::text as first
       from {s}.lift_month where lift_id = $1`,
      [co.ids.lift],
    );
    const begin = DateTime.fromISO(String(contract.start_on));
    const year = begin.plus({ years: 1 }).diff(begin, 'days').days;
    // Rounded by month.
    expect(earned!.days).toBe(41);
    expect(Math.abs(Number(earned!.price) - (48_000 * 41) / year)).toBeLessThan(0.03);
  });
});

describe('reports', () => {
  it('agree with the visits, calls and hours', async () => {
    const report = async (name: string, more = '') => {
      const answer = await co.admin.call('GET', `/tapi/report/${name}/rows${more}`);
      expect(answer.statusCode, `${name} ${answer.body}`).toBe(200);
      return answer.json<{
        data: { rows: Row[]; totals: Row | null; figures: { title: string; value: string }[]; chart: Row | null };
      }>().data;
    };
    const year = `?from=${day(-60)}&to=${day(400)}`;
    const pm = await report('preventive_maintenance_reports', year);
    const [counted] = await acme.sql<{ all: number; missed: number }>(
      `select count(*)::int as "all", count(*) filter (where window_result = 'missed')::int as missed from {s}.scheduled_ticket`,
    );
    expect(pm.rows).toHaveLength(counted!.all);
    expect(pm.figures.find(({ title }) => title === 'Missed')!.value).toBe(String(counted!.missed));
    expect(pm.rows.find(({ status }) => status === 'done')).toMatchObject({
      signed_by: 'Guard',
      window_result: 'early',
    });
    // A figure opens the visits that it counts, also of an area, which visits do not know.
    const { area_id: area } = await co.read('building', co.ids.building!);
    for (const more of ['', `&area_id=${String(area)}`]) {
      const counts = await report('scheduled_tickets_count', `${year}&grouped_by=route&unit=month${more}`);
      expect(counts.rows).toMatchObject([{ who: 'Centre' }]);
      const [centre] = counts.rows;
      const cell = Object.keys(centre!).find((name) => name.endsWith('.planned') && Number(centre![name]) > 0)!;
      const filter = new URL(String(centre![`${cell}__to`]), 'http://any').searchParams.get('filter')!;
      const visits = await co.admin.call(
        'GET',
        `/tapi/scheduled_ticket?limit=200&filter=${encodeURIComponent(filter)}`,
      );
      expect(visits.json<{ data: Row[] }>().data).toHaveLength(Number(centre![cell]));
    }
    const cause = await co.add('root_cause_mstr', { code: 'OIL', name: 'Not oiled', preventable: true });
    await acme.sql(
      `update {s}.fms_ticket set root_cause_id = $1 where id = (select min(id) from {s}.fms_ticket where lift_id = $2 and ticket_type = 'breakdown')`,
      [cause, co.ids.lift],
    );
    const lifts = await report('breakdown_pm_reports', `?from=${day(-45)}&to=${day(0)}&grouped_by=route`);
    expect(lifts.rows.reduce((sum, { calls }) => sum + Number(calls), 0)).toBe(2);
    expect(lifts.rows.reduce((sum, { preventable }) => sum + Number(preventable), 0)).toBe(1);
    // A route leads to its lifts, a lift to its calls.
    const busiest = lifts.rows.find(({ calls }) => Number(calls) > 0)!;
    const ofRoute = await report(
      'breakdown_pm_reports',
      String(busiest.calls__to).slice('/reports/breakdown_pm_reports'.length),
    );
    const one = ofRoute.rows.find(({ calls }) => Number(calls) > 0)!;
    const behind = await co.admin.call('GET', `/tapi/fms_ticket${new URL(String(one.calls__to), 'http://any').search}`);
    expect(behind.json<{ data: Row[] }>().data).toHaveLength(Number(one.calls));
    const buildings = await report('building_ticket_reports', `?from=${day(-45)}&to=${day(0)}`);
    const [busy] = buildings.rows;
    expect(busy).toMatchObject({ calls: 2 });
    expect(buildings.rows.reduce((sum, { calls }) => sum + Number(calls), 0)).toBe(2);
    const calls = new URL(String(busy!.calls__to), 'http://any').searchParams.get('filter')!;
    const called = await co.admin.call('GET', `/tapi/building_call?limit=200&filter=${encodeURIComponent(calls)}`);
    expect(called.json<{ data: Row[] }>().data).toHaveLength(2);
    const margins = await report('lift_margin');
    // The way of its visit costs 20; nobody's work costs anything here.
    const margin = margins.rows.find(({ lift_id: id }) => id === co.ids.lift)!;
    expect(margin).toMatchObject({ labour: '0.00', travel: '20.00', material: '0.00' });
    expect(Number(margin.price) - Number(margin.margin)).toBeCloseTo(20, 5);
    for (const name of ['amc_not_renewed', 'current_month_amc_renewal', 'advance_amc_renewal', 'cancelled_contract'])
      await report(`${name}_reports`);
    const only = encodeURIComponent(JSON.stringify(['lift_id', 'eq', co.ids.lift]));
    const register = await co.admin.call('GET', `/tapi/lift_register?columns=*&filter=${only}`);
    expect(register.json<{ data: Row[] }>().data).toMatchObject([
      { calls_12m: 2, uptime: expect.stringMatching(/^99\.9[67]00$/) },
    ]);
    const today = await report('daily_attendance_reports', `?day=${workDay.toISODate()}`);
    expect(today.rows.find(({ employee_id: id }) => id === co.ids.anand)).toMatchObject({
      jobs: 1,
      on_site: 35,
      travel_km: '2.0',
    });
    expect(today.rows.find(({ employee_id: id }) => id === co.ids.bala)).toMatchObject({ state: 'absent' });
    const month = await report('attendance_reports', `?month=${workDay.toFormat('yyyy-MM')}`);
    // Who has not come at all is absent on all days.
    expect(month.rows.find(({ employee_id: id }) => id === co.ids.bala)).toMatchObject({ present: 0, jobs: 0 });
    const days = await report('attendance_days', `?month=${workDay.toFormat('yyyy-MM')}`);
    expect(days.rows.find(({ employee_id: id }) => id === co.ids.anand)).toMatchObject({
      [`${workDay.toISODate()}.worked`]: 35,
    });
    expect(month.rows.filter(({ present }) => Number(present) > 0)).toMatchObject([
      { employee_id: co.ids.anand, present: 1, worked: 35, on_site: 35, on_site_percent: '100.0', travel_km: '2.0' },
    ]);
    // Its chart shows hours and minutes.
    expect(month.chart).toMatchObject({ minutes: true, series: [{ values: [35, null] }, { values: [35, 0] }] });
  });
});

describe('leave', () => {
  const ask = (by: typeof co.admin, more: object) =>
    by.call('POST', '/tapi/leave', { kind: 'sick', part: 'day', ...more });
  const decide = async (by: typeof co.admin, id: number, name: string, more: object = {}) =>
    by.call('POST', `/tapi/leave/${id}/${name}`, { version: (await co.read('leave', id)).version, ...more });
  const stateOf = async (person: string, on: string) => {
    const rows = await co.admin.call('GET', `/tapi/report/daily_attendance_reports/rows?day=${on}`);
    return rows.json<{ data: { rows: Row[] } }>().data.rows.find(({ employee_id: id }) => id === co.ids[person])!.state;
  };
  /** A working day without entries: nobody works on Sundays. */
  const off = [10, 11].map((ahead) => day(ahead)).find((one) => DateTime.fromISO(one).weekday !== 7)!;

  it('is asked for by the person or their superior, and approved by a superior only', async () => {
    const { ids, anand, bala, admin, ok } = co;
    expect((await ask(bala, { employee_id: ids.anand, from_date: off, to_date: off })).json()).toMatchObject({
      error: { details: [{ field: 'employee_id' }] },
    });
    const one = await ok(ask(anand, { employee_id: ids.anand, from_date: off, to_date: off }), 201);
    expect(one).toMatchObject({ state: 'requested', days: '1.0' });
    const twice = await ask(admin, { employee_id: ids.anand, from_date: day(5), to_date: day(20) });
    expect(twice.statusCode, twice.body).toBe(422);
    // A colleague neither sees it nor decides it; nobody approves their own.
    expect((await bala.call('GET', `/tapi/leave/${one.id}`)).statusCode).toBe(404);
    expect((await decide(bala, one.id, 'approve')).statusCode).toBe(404);
    expect((await decide(anand, one.id, 'approve')).statusCode).toBe(403);
    await acme.sql('update {s}.employee set reporting_to_id = $1 where id = $2', [ids.bala, ids.anand]);
    await acme.sql(
      'insert into {s}.employee_tree (ancestor_id, descendant_id, depth) values ($1, $2, 1) on conflict do nothing',
      [ids.bala, ids.anand],
    );
    expect((await bala.call('GET', `/tapi/leave/${one.id}`)).statusCode).toBe(200);
    // The direct superior is notified of a request, whatever their role: here it has no right to the screen.
    const more = await ok(ask(anand, { employee_id: ids.anand, from_date: day(40), to_date: day(41) }), 201);
    const notices = `select user_id::int as user from {s}.notification where event_code = 'approval.assigned' and link = $1`;
    await expect.poll(() => acme.sql(notices, [`/leave/view/${more.id}`])).toEqual([{ user: bala.userId }]);
    // Who keeps lists, such as accounts, does not decide leave.
    const keeper = await acme.role({
      modules: ['MASTERS'],
      screens: { SCN_LEAVE: { pages: ['landing', 'view_screen', 'edit_screen', 'approval_screen'], scope: 'company' } },
      actions: ['CREATE_MASTERS'],
    });
    await acme.user('keeper', { companies: [{ company: 1, roles: [keeper] }] });
    const accounts = await world.signIn(acme, 'keeper');
    expect((await decide(accounts, more.id, 'approve')).statusCode).toBe(403);
    await ok(decide(bala, more.id, 'refuse', { reason: 'Everybody is needed.' }));
    expect(await ok(decide(bala, one.id, 'approve'))).toMatchObject({ state: 'approved' });
    const half = await ask(anand, { employee_id: ids.anand, from_date: day(30), to_date: day(31), part: 'first_half' });
    expect(half.json()).toMatchObject({ error: { details: [{ field: 'part' }] } });
  });

  it('is not absence, gets no calls and no visits, and takes capacity off the plan of the month', async () => {
    const { ids, admin, bala, ok } = co;
    const away = await ok(ask(admin, { employee_id: ids.bala, from_date: day(0), to_date: day(0) }), 201);
    const board = async () =>
      (await admin.call('GET', '/tapi/fms/board'))
        .json<{ data: { technicians: { id: number; offDuty: string | null }[] } }>()
        .data.technicians.find(({ id }) => id === ids.bala)!.offDuty;
    expect([await stateOf('bala', day(0)), await board()]).toEqual(['absent', null]);
    await ok(decide(admin, away.id, 'approve'));
    expect([await stateOf('bala', day(0)), await board()]).toEqual([
      'on_leave',
      expect.stringContaining('On leave until'),
    ]);
    // With everybody of the team on leave, a released visit has nobody.
    await ok(
      decide(admin, (await ok(ask(admin, { employee_id: ids.bala, from_date: off, to_date: off }), 201)).id, 'approve'),
    );
    const [next] = await list(['and', ['status', 'eq', 'planned'], ['due_on', 'after', day(60)]]);
    const released = async (on: string) => {
      await acme.sql(
        `update {s}.scheduled_ticket set planned_on = $2, window_from = $2, window_to = $2, technician_id = null where id = $1`,
        [next!.id, on],
      );
      await ok(act(next!.id, 'release'));
      return visit(next!.id);
    };
    expect(await released(off)).toMatchObject({ status: 'released', technician_id: null });
    expect((await bala.call('GET', '/tapi/leave?size=10')).json<{ data: Row[] }>().data.length).toBeGreaterThan(1);
  });

  it('notifies the leader of released visits, and counts in the month', async () => {
    const { ids, admin, anand, ok } = co;
    const [released] = await list(['status', 'eq', 'released']);
    await acme.sql('update {s}.scheduled_ticket set technician_id = $2, planned_on = $3 where id = $1', [
      released!.id,
      ids.anand,
      day(2),
    ]);
    await acme.sql('update {s}.team set leader_id = $1', [ids.desk]);
    const one = await ok(ask(anand, { employee_id: ids.anand, from_date: day(2), to_date: day(2) }), 201);
    await ok(decide(admin, one.id, 'approve'));
    while ((await world.app.deliveries.deliver(acme)) > 0);
    const notices = `select title, user_id::int as user from {s}.notification where event_code = 'visits.on_leave'`;
    expect(await acme.sql(notices)).toMatchObject([
      { user: co.desk.userId, title: expect.stringContaining(': 1 visits') as string },
    ]);
    const month = await admin.call('GET', `/tapi/report/attendance_reports/rows?month=${today.toFormat('yyyy-MM')}`);
    const bala = month.json<{ data: { rows: Row[] } }>().data.rows.find(({ employee_id: id }) => id === ids.bala)!;
    // Sundays are no working days, so no leave either.
    expect(bala).toMatchObject({ on_leave: today.weekday === 7 ? '0.0' : '1.0' });
  });
});

describe('the home page', () => {
  it('counts each measure that a tile may show by fields that its records have', async () => {
    const { data } = (await co.admin.call('GET', '/tapi/screens/landing_display_mstr')).json<{
      data: { screen: { fields: { name: string; options?: { value: string }[] }[] } };
    }>();
    const measures = data.screen.fields.find(({ name }) => name === 'measure')!.options!.map(({ value }) => value);
    expect(measures).toContain('material_waiting');
    for (const name of measures) {
      const measure = homeMeasure(name, day(0), new Date().toISOString())!;
      const filter = encodeURIComponent(JSON.stringify(measure.filter));
      const listed = await co.admin.call('GET', `/tapi/${measure.type}?limit=1&filter=${filter}`);
      expect([name, listed.statusCode], listed.body).toEqual([name, 200]);
    }
    for (const [code, measure] of [
      ['MAT', 'material_waiting'],
      ['RATE', 'rating_month'],
    ])
      await co.add('landing_display_mstr', { code, name: code, title: code, measure, target_route: '/fms/tickets' });
    await acme.sql(
      `update {s}.fms_ticket set rating = case when id % 2 = 0 then 4 else 5 end, reported_at = now()
       where id in (select id from {s}.fms_ticket where active order by id limit 2)`,
    );
    const { tiles } = (await co.admin.call('GET', '/tapi/fms/home')).json<{
      data: { tiles: { code: string; value: string }[] };
    }>().data;
    expect(tiles).toMatchObject([
      { code: 'MAT', value: '0' },
      { code: 'RATE', value: '4.5' },
    ]);
  });

  it('shows a tile that cannot be computed with its reason, beside the others; a wrong condition is refused', async () => {
    const tile = { name: 'Late', title: 'Late', measure: 'sla_late', target_route: '/fms/tickets' };
    const refused = await co.admin.call('POST', '/tapi/landing_display_mstr', {
      ...tile,
      code: 'LATE',
      warn_when: 'vlaue > 3',
      alarm_when: 'value +',
    });
    expect([refused.statusCode, refused.json<{ error: object }>().error]).toMatchObject([
      422,
      {
        details: [
          { field: 'warn_when', message: expect.stringContaining('"vlaue" is not known') },
          { field: 'alarm_when' },
        ],
      },
    ]);
    await co.add('landing_display_mstr', { ...tile, code: 'LATE', warn_when: 'value >= 0' });
    await acme.sql(`update {s}.landing_display_mstr set alarm_when = 'value > (' where code = 'RATE'`);
    const { tiles } = (await co.admin.call('GET', '/tapi/fms/home')).json<{ data: { tiles: object[] } }>().data;
    expect(tiles).toMatchObject([
      { code: 'MAT', value: '0', tone: null },
      { code: 'RATE', value: null, problem: expect.stringContaining('could not be computed') },
      { code: 'LATE', value: expect.stringMatching(/^\d+$/), tone: 'warning' },
    ]);
  });
});

describe('a lift', () => {
  it('is copied with its technical data, without what belongs to it only, as often as needed', async () => {
    const { admin, ids } = co;
    await acme.sql(
      `update {s}.lift set serial_no = 'S-1', licence_no = 'TN-9', licence_valid_to = '2030-01-31', commissioned_on = $2, motor_kw = 7.50 where id = $1`,
      [ids.lift, day(-4000)],
    );
    const one = await admin.call('GET', `/tapi/lift/${ids.lift}/copy`);
    const { data } = one.json<{ data: Row }>();
    expect(data).toMatchObject({ building_id: ids.building, motor_kw: '7.50', stops: 12 });
    for (const own of ['lift_no', 'serial_no', 'licence_no', 'licence_valid_to', 'commissioned_on', 'photos'])
      expect(data).not.toHaveProperty(own);
    const made = await admin.call('POST', '/tapi/lift/action/fms.make_copies', {
      on: 'record',
      id: ids.lift,
      version: (await co.read('lift', ids.lift!)).version,
      params: { copies: 2, place: 'Tower B' },
    });
    expect(made.statusCode, made.body).toBe(200);
    const copies = await acme.sql<Row>(
      `select position_name, motor_kw::text, stops, serial_no, licence_no, commissioned_on, status, lift_no is not null as numbered from {s}.lift
       where position_name like 'Tower B%' order by id`,
    );
    const copy = {
      motor_kw: '7.50',
      stops: 12,
      serial_no: null,
      licence_no: null,
      commissioned_on: null,
      numbered: true,
    };
    expect(copies).toEqual([
      { position_name: 'Tower B 2', status: 'under_installation', ...copy },
      { position_name: 'Tower B 3', status: 'under_installation', ...copy },
    ]);
  });

  it('is counted in the technical chart by any two of its data; a number opens its lifts', async () => {
    const { admin, ids } = co;
    await acme.sql(
      `update {s}.controller_mstr set support = 'obsolete', spares_lead_days = 45 where id = (select controller_id from {s}.lift where id = $1)`,
      [ids.lift],
    );
    for (const [rows, across] of [
      ['lift_make_id', 'age'],
      ['age', 'controller_id'],
      ['roping', 'machine_room_position_id'],
      ['lift_make_id', `age&area_id=${String((await co.read('building', ids.building!)).area_id)}`],
    ]) {
      const answer = await admin.call('GET', `/tapi/report/technical_chart/rows?rows=${rows}&across=${across}`);
      expect(answer.statusCode, answer.body).toBe(200);
      const [row] = answer.json<{ data: { rows: Row[] } }>().data.rows;
      expect(row).toMatchObject({ share: '100.0', spares: 45, part: expect.stringMatching(/^\d+\.\d$/) as string });
      const cell = Object.keys(row!).find((name) => name.endsWith('.lifts__to'))!;
      const filter = new URL(String(row![cell]), 'http://any').searchParams.get('filter')!;
      const lifts = await admin.call('GET', `/tapi/lift?limit=200&filter=${encodeURIComponent(filter)}`);
      expect(lifts.json<{ data: Row[] }>().data).toHaveLength(Number(row![cell.replace('__to', '')]));
    }
  });
});

describe('a lift with a new owner', () => {
  it('takes its visits and its open calls along to the continuing line', async () => {
    const { add, ok, admin, ids, read, raise } = co;
    const pick = (row: Record<string, unknown>, names: string[]) =>
      Object.fromEntries(names.map((name) => [name, row[name]]));
    const place = ['branch_id', 'state_id', 'city_id', 'pincode'];
    const buyer = await add('customer_dtl', {
      ...pick(await read('customer_dtl', ids.customer!), [
        ...place,
        'client_type_id',
        'billing_address',
        'phone',
        'gst_treatment',
        'bill_grouping',
      ]),
      name: 'Buyer',
    });
    const theirs = await add('building', {
      ...pick(await read('building', ids.building!), [...place, 'building_type_id', 'address', 'area_id']),
      name: 'Buyer House',
      customer_id: buyer,
    });
    const call = await raise({ lift_id: ids.other_lift });
    expect(call).toMatchObject({ customer_id: ids.customer, contract_id: contract.id });
    const open = ['and', ['lift_id', 'eq', ids.other_lift], ['status', 'in', ['planned', 'released']]];
    const before = await list(open);
    const transfer = await ok(
      admin.call('POST', '/tapi/lift_transfer', {
        transfer_kind: 'owner',
        effective_on: day(0),
        branch_id: ids.branch,
        reason_id: await add('reason', { code: 'SOLD', name: 'Sold', used_for: ['transfer'] }),
        to_customer_id: buyer,
        to_building_id: theirs,
        lifts: [{ lift_id: ids.other_lift }],
      }),
      201,
    );
    const take = async (name: string, by = admin) =>
      ok(
        by.call('POST', `/tapi/lift_transfer/${transfer.id}/${name}`, {
          version: (await read('lift_transfer', transfer.id)).version,
        }),
      );
    await take('submit');
    await acme.user('second', { isAdmin: true, companies: [{ company: 1 }] });
    await take('approve', await world.signIn(acme, 'second'));
    const done = await read('lift_transfer', transfer.id);
    expect(done.status).toBe('effective');
    await world.app.deliveries.deliver(acme);
    expect(await read('fms_ticket', call.id)).toMatchObject({
      customer_id: buyer,
      building_id: theirs,
      contract_id: done.new_contract_id,
      cover: 'covered',
    });
    const line = (await read('contract', Number(done.new_contract_id))).lines as { id: number }[];
    const after = await list(open);
    expect(after.every(({ contract_line_id: of, building_id: at }) => of === line[0]!.id && at === theirs)).toBe(true);
    // The same visits go on, on their days, and none is there twice.
    const kept = after.filter(({ id }) => before.some((one) => one.id === id));
    expect(kept.length).toBeGreaterThanOrEqual(before.length - 1);
    expect(kept.map(({ planned_on: on }) => on)).toEqual(
      before.filter(({ id }) => kept.some((one) => one.id === id)).map(({ planned_on: on }) => on),
    );
    const days = after.map(({ due_on: on }) => Date.parse(String(on)));
    for (const [at, due] of days.slice(1).entries()) expect(due - days[at]!).toBeGreaterThan(14 * 86_400_000);
    expect(await run('make_visits')).toContain('0 visits planned');
  });
});

describe('a building', () => {
  it('is on the route of its area, if one route of its branch serves it alone', async () => {
    const { ids, read, add } = co;
    const { id: _id, building_no: _no, route_id: _route, ...known } = await read('building', ids.building!);
    const place = Object.fromEntries(
      Object.entries(known).filter(([name]) => !/__label$|_at$|_by$|^(_|active|status|version)/.test(name)),
    );
    const routeOf = async (name: string) =>
      (await read('building', await add('building', { ...place, name }))).route_id;
    const route = (code: string) =>
      add('route_mstr', {
        code,
        name: code,
        branch_id: ids.branch,
        team_id: ids.team,
        start_point: { lat: 13.05, lng: 80.24 },
        capacity_minutes: 420,
        area_ids: [place.area_id],
      });
    expect(await routeOf('Tower X')).toBeNull();
    const first = await route('CHN-2');
    expect(await routeOf('Tower Y')).toBe(first);
    await route('CHN-3');
    expect(await routeOf('Tower Z')).toBeNull();
  });
});

it('a building that moves to another route takes its lifts and their planned visits along', async () => {
  const { ids } = co;
  const route = await co.add('route_mstr', {
    code: 'CHN-9',
    name: 'South',
    branch_id: ids.branch,
    team_id: ids.team,
    start_point: { lat: 13.05, lng: 80.24 },
    capacity_minutes: 420,
  });
  const states = () =>
    acme.sql<{ status: string; moved: boolean }>(
      `select distinct v.status, v.route_id = $2 as moved from {s}.scheduled_ticket v where v.lift_id = $1 and v.status in ('planned', 'done') order by 1`,
      [ids.lift, route],
    );
  expect(await states()).toContainEqual({ status: 'planned', moved: false });
  const { version } = await co.read('building', ids.building!);
  const put = await co.admin.call('PUT', `/tapi/building/${ids.building}`, { version, route_id: route });
  expect(put.statusCode, put.body).toBe(200);
  await expect
    .poll(async () => {
      await world.app.deliveries.deliver(acme);
      return { lift: (await co.read('lift', ids.lift!)).route_id, visits: await states() };
    })
    .toEqual({
      lift: route,
      visits: [
        { status: 'done', moved: false },
        { status: 'planned', moved: true },
      ],
    });
});
