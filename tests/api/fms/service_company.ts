import { expect } from 'vitest';
import type { Caller, TestTenant, World } from '../world.ts';
import { branchWithMembers } from './branch_with_members.ts';

type Row = Record<string, unknown>;
export type Doc = Row & { id: number; version: number; status: string };

/** A lift company: a branch with two technicians, their team and route, a building with lifts, and types of tickets. */
export interface ServiceCompany {
  ids: Record<string, number>;
  desk: Caller;
  admin: Caller;
  /** Two technicians with an account, of level 2, in the team of the route. */
  anand: Caller;
  bala: Caller;
  add(type: string, record: object): Promise<number>;
  read(type: string, id: number): Promise<Doc>;
  ok(answer: ReturnType<Caller['call']>, status?: number): Promise<Doc>;
  step(by: Caller, id: number, name: string, more?: object): ReturnType<Caller['call']>;
  /** A call of the desk. */
  raise(more?: object, by?: Caller): Promise<Doc>;
}

const PAGES = ['landing', 'add_screen', 'edit_screen', 'view_screen'] as const;

/** Makes it in a tenant that has users and roles alone. */
export async function serviceCompany(world: World, acme: TestTenant): Promise<ServiceCompany> {
  const ids: Record<string, number> = {};
  await acme.user('admin', { isAdmin: true, companies: [{ company: 1 }] });
  const calls = await acme.role({
    modules: ['FMS'],
    screens: {
      SCN_FMS_TICKETS: [...PAGES],
      SCN_FMS_RAISE_TICKETS: [...PAGES],
      SCN_FMS_ASSIGN_TICKET: ['landing'],
      SCN_FMS_LIFT: ['landing', 'view_screen'],
      SCN_FMS_BUILDING: ['landing', 'view_screen'],
      SCN_FMS_CUSTOMER: ['landing', 'view_screen'],
    },
    actions: ['FMS_ASSIGN', 'RUN_REPORTS'],
  });
  const field = await acme.role({
    modules: ['FMS'],
    screens: { SCN_FMS_TICKETS: { pages: ['landing', 'view_screen'], scope: 'own' } },
    actions: ['FMS_FIELD'],
  });
  await acme.user('desk', { companies: [{ company: 1, roles: [calls] }] });
  await acme.user('anand', { companies: [{ company: 1, roles: [field] }] });
  await acme.user('bala', { companies: [{ company: 1, roles: [field] }] });
  const admin = await world.signIn(acme, 'admin');
  const ok: ServiceCompany['ok'] = async (answer, status = 200) => {
    const got = await answer;
    expect(got.statusCode, got.body).toBe(status);
    return got.json<{ data: Doc }>().data;
  };
  const add = async (type: string, record: object) => (await ok(admin.call('POST', `/tapi/${type}`, record), 201)).id;
  const read = (type: string, id: number) => ok(admin.call('GET', `/tapi/${type}/${id}`));
  const [tn] = await acme.sql<{ id: number; city: number; country_id: number }>(
    `select s.id, s.country_id, (select c.id from {s}.city_mstr c where c.state_id = s.id order by c.id limit 1) as city from {s}.state_mstr s where s.gst_code = '33'`,
  );
  const { branch, member } = await branchWithMembers(
    add,
    { city: tn!.city, state_id: tn!.id, country: tn!.country_id },
    {
      branch: { code: 'CHN' },
      department: { code: 'D1', name: 'Service' },
      designation: { code: 'T1', name: 'Technician' },
    },
  );
  ids.branch = branch;
  const [desk, anand, bala] = await Promise.all(['desk', 'anand', 'bala'].map((name) => world.signIn(acme, name)));
  for (const [name, caller, empno] of [
    ['desk', desk, 'E20001'],
    ['anand', anand, 'E20002'],
    ['bala', bala, 'E20003'],
  ] as const) {
    ids[name] = await member(empno, { first_name: name, user_id: caller!.userId });
    await acme.sql('update {s}.users set employee_id = $2 where id = $1', [caller!.userId, ids[name]]);
  }
  ids.leader = await member('E20004', { first_name: 'Leader' });
  ids.supervisor = await member('E20005', { first_name: 'Supervisor' });
  ids.level2 = await add('expertise_level', { code: 'L2', name: 'Technician', level: 2, may_rescue: true });
  ids.level3 = await add('expertise_level', { code: 'L3', name: 'Senior', level: 3, may_rescue: true });
  ids.team = await add('team', {
    code: 'R1',
    name: 'Route 1',
    branch_id: branch,
    leader_id: ids.leader,
    team_kind: 'route',
    shift_from: '00:00',
    shift_to: '23:59',
    day_minutes: 450,
    members: [
      { employee_id: ids.anand, expertise_level_id: ids.level2, from: '2024-04-01' },
      { employee_id: ids.bala, expertise_level_id: ids.level2, from: '2024-04-01' },
    ],
  });
  ids.route = await add('route_mstr', {
    code: 'CHN-1',
    name: 'Centre',
    branch_id: branch,
    team_id: ids.team,
    start_point: { lat: 13.05, lng: 80.24 },
    capacity_minutes: 420,
  });
  const client = await add('client_type_mstr', { code: 'PVT', name: 'Private', sector: 'private' });
  ids.office = await add('building_type_mstr', { code: 'OFF', name: 'Office', building_use: 'office' });
  const area = await add('area_mstr', {
    code: 'A1',
    name: 'Centre',
    branch_id: branch,
    city_id: tn!.city,
    pincodes: ['600002'],
  });
  ids.customer = await add('customer_dtl', {
    name: 'Towers',
    client_type_id: client,
    branch_id: branch,
    billing_address: '2 Mount Road',
    state_id: tn!.id,
    city_id: tn!.city,
    pincode: '600002',
    phone: '+914428292727',
    gst_treatment: 'unregistered',
    bill_grouping: 'contract',
    contacts: [{ name: 'Manager', phone: '+919840011122', email: 'manager@towers.example', gets: ['tickets'] }],
  });
  ids.building = await add('building', {
    name: 'Towers A',
    customer_id: ids.customer,
    building_type_id: ids.office,
    address: '2 Mount Road',
    area_id: area,
    branch_id: branch,
    route_id: ids.route,
    pincode: '600002',
    state_id: tn!.id,
    city_id: tn!.city,
    geo: { lat: 13.06, lng: 80.25 },
  });
  const made: Record<string, number> = {};
  for (const [type, more] of [
    ['lift_category_mstr', { lift_use: 'passenger', carries_people: true, kg_per_person: 68 }],
    ['lift_type_mstr', { arrangement: 'traction_mr', visit_minutes: 45, crew: 1 }],
    ['lift_make_mstr', { country: tn!.country_id, support: 'current' }],
    ['drive_type_mstr', { family: 'traction', geared: true, speed_control: 'vvvf' }],
    ['controller_mstr', { technology: 'serial', support: 'current' }],
  ] as const)
    made[type] = await add(type, { code: 'X', name: 'X', ...more });
  const lift = (more: object = {}) =>
    add('lift', {
      building_id: ids.building,
      lift_category_id: made.lift_category_mstr,
      lift_type_id: made.lift_type_mstr,
      lift_make_id: made.lift_make_mstr,
      drive_type_id: made.drive_type_mstr,
      controller_id: made.controller_mstr,
      expertise_level_id: ids.level2,
      capacity_kg: 884,
      speed_mps: '1.5',
      stops: 12,
      openings: 12,
      ...more,
    });
  ids.lift = await lift();
  ids.other_lift = await lift();
  ids.breakdown = await add('ticket_definition', {
    code: 'BRK',
    name: 'Breakdown',
    ticket_type: 'breakdown',
    number_prefix: 'FST',
    sla: [
      { priority: 'p2', respond_min: 120, restore_min: 480, round_the_clock: true },
      { priority: 'p3', respond_min: 240, restore_min: 480, round_the_clock: false },
    ],
    escalations: [
      { clock: 'respond', at_percent: 50, to: 'leader', by: ['app'] },
      { clock: 'respond', at_percent: 100, to: 'supervisor', by: ['app'] },
    ],
    assign: 'manual',
    accept_minutes: 15,
    geofence: 'warn',
    needs: [],
    close_after_hours: 48,
    reopen_days: 7,
    repeat_days: 30,
  });
  ids.rescue = await add('ticket_definition', {
    code: 'RES',
    name: 'Rescue',
    ticket_type: 'rescue',
    number_prefix: 'FRS',
    sla: [{ priority: 'p1', respond_min: 30, restore_min: 60, round_the_clock: true }],
    assign: 'manual',
    accept_minutes: 3,
    geofence: 'off',
    may_pause: false,
    reopen_days: 7,
  });
  ids.door = await add('ticket_category_mstr', {
    code: 'DOOR',
    name: 'Door fault',
    ticket_definition_ids: [ids.breakdown],
    priority: 'p2',
    lift_down: true,
    charge: 'as_contract',
  });
  ids.trapped = await add('ticket_category_mstr', {
    code: 'TRAP',
    name: 'Passengers trapped',
    ticket_definition_ids: [ids.rescue],
    priority: 'p1',
    lift_down: true,
    charge: 'never',
  });
  const step: ServiceCompany['step'] = async (by, id, name, more = {}) =>
    by.call('POST', `/tapi/fms_ticket/${id}/${name}`, { version: (await read('fms_ticket', id)).version, ...more });
  const raise = (more: object = {}, by = desk!) =>
    ok(
      by.call('POST', '/tapi/fms_ticket', {
        ticket_definition_id: ids.breakdown,
        source: 'phone',
        lift_id: ids.lift,
        category_id: ids.door,
        caller_name: 'Guard',
        caller_phone: '+919840011122',
        description: 'The door does not close.',
        ...more,
      }),
      201,
    );
  return { ids, desk: desk!, admin, anand: anand!, bala: bala!, add, read, ok, step, raise };
}
