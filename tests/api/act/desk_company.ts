import { expect } from 'vitest';
import { branchWithMembers } from '../fms/branch_with_members.ts';
import type { Caller, TestTenant, World } from '../world.ts';

type Row = Record<string, unknown>;
export type Doc = Row & { id: number; version: number; status: string };

/** A company with a service desk: two groups, their agents and a lead, somebody who asks, services and working hours. */
export interface DeskCompany {
  ids: Record<string, number>;
  admin: Caller;
  lead: Caller;
  /** Agents of the first group. */
  asha: Caller;
  binu: Caller;
  /** Of the second group. */
  nora: Caller;
  /** Asks. */
  ravi: Caller;
  add(type: string, record: object): Promise<number>;
  read(type: string, id: number, by?: Caller): Promise<Doc>;
  ok(answer: ReturnType<Caller['call']>, status?: number): Promise<Doc>;
  step(by: Caller, id: number, name: string, more?: object): ReturnType<Caller['call']>;
  raise(more?: object, by?: Caller): Promise<Doc>;
}

const PAGES = ['landing', 'add_screen', 'edit_screen', 'view_screen'] as const;
const WEEK = ['mo', 'tu', 'we', 'th', 'fr'];

/** Makes it in a tenant that has users and roles alone: the example calendar of the design. */
export async function deskCompany(world: World, acme: TestTenant): Promise<DeskCompany> {
  const ids: Record<string, number> = {};
  await acme.user('admin', { isAdmin: true, companies: [{ company: 1 }] });
  const lists = { SCN_SERVICE: ['landing', 'view_screen'], SCN_SERVICE_CATEGORY: ['landing', 'view_screen'] } as const;
  const own = { pages: [...PAGES, 'transfer_screen' as const], scope: 'own' as const };
  const role = (actions: string[], more: object = {}) =>
    acme.role({
      modules: ['TICKETS', 'COMPLIANCE'],
      screens: {
        SCN_TICKET: own,
        SCN_MY_TASKS: { pages: [...PAGES], scope: 'own' },
        SCN_SERVICE: [...lists.SCN_SERVICE],
        SCN_SERVICE_CATEGORY: [...lists.SCN_SERVICE_CATEGORY],
        ...more,
      },
      actions,
    });
  ids.staff = await role(['CREATE_CHK']);
  ids.l1 = await role(['CREATE_CHK', 'TKT_INTERNAL']);
  ids.network = await role(['CREATE_CHK', 'TKT_INTERNAL']);
  ids.leads = await role(['CREATE_CHK', 'TKT_INTERNAL', 'TKT_ASSIGN', 'TKT_MERGE', 'RUN_REPORTS'], {
    SCN_TICKET: { pages: [...PAGES, 'transfer_screen'], scope: 'company' },
    SCN_SLA_SCORE: ['landing'],
    SCN_TICKETS_REPORT: ['landing'],
  });
  const people = { lead: ids.leads, asha: ids.l1, binu: ids.l1, nora: ids.network, ravi: ids.staff };
  for (const [name, id] of Object.entries(people)) await acme.user(name, { companies: [{ company: 1, roles: [id] }] });
  const admin = await world.signIn(acme, 'admin');
  const ok: DeskCompany['ok'] = async (answer, status = 200) => {
    const got = await answer;
    expect(got.statusCode, got.body).toBe(status);
    return got.json<{ data: Doc }>().data;
  };
  const add = async (type: string, record: object) => (await ok(admin.call('POST', `/tapi/${type}`, record), 201)).id;
  const read: DeskCompany['read'] = (type, id, by = admin) => ok(by.call('GET', `/tapi/${type}/${id}`));
  const [tn] = await acme.sql<{ id: number; city: number; country_id: number }>(
    `select s.id, s.country_id, (select c.id from {s}.city_mstr c where c.state_id = s.id order by c.id limit 1) as city from {s}.state_mstr s where s.gst_code = '33'`,
  );
  const { branch, member } = await branchWithMembers(
    add,
    { city: tn!.city, state_id: tn!.id, country: tn!.country_id },
    {
      branch: { code: 'CHN' },
      department: { code: 'D1', name: 'Systems' },
      designation: { code: 'T1', name: 'Agent' },
    },
  );
  ids.branch = branch;
  const [department] = await acme.sql<{ id: number }>('select id from {s}.department order by id limit 1');
  const callers: Record<string, Caller> = {};
  let empno = 20_001;
  for (const name of Object.keys(people)) {
    const caller = await world.signIn(acme, name);
    ids[name] = await member(`E${empno++}`, { first_name: name, user_id: caller.userId });
    await acme.sql('update {s}.users set employee_id = $2 where id = $1', [caller.userId, ids[name]]);
    callers[name] = await world.signIn(acme, name);
  }
  ids.calendar = await add('business_calendar', {
    code: 'EX',
    name: 'Example',
    timezone: 'Asia/Kolkata',
    is_default: true,
    hours: [
      ...WEEK.flatMap((weekday) => [
        { weekday, from_time: '09:30', to_time: '13:00' },
        { weekday, from_time: '13:30', to_time: '18:00' },
      ]),
      { weekday: 'sa', from_time: '09:30', to_time: '13:30' },
    ],
  });
  await add('weekoff', {
    code: 'W',
    name: 'Sundays, 2nd and 4th Saturdays',
    effective_from: '2024-04-01',
    is_default: true,
    rules: [
      { weekday: 'sunday', weeks: ['all'], part: 'full' },
      { weekday: 'saturday', weeks: ['2', '4'], part: 'full' },
    ],
  });
  for (const date of ['2025-08-15', '2025-08-27'])
    await add('holiday', { name: `Day ${date}`, date, holiday_type: 'national', holiday_group: 'all' });
  ids.slab = await add('slab', {
    code: 'STD',
    name: 'Standard',
    applies_to: 'ticket',
    basis: 'pct_of_target',
    calendar_id: ids.calendar,
    valid_from: '2024-04-01',
    response_share: '30',
    reopen_penalty: '10',
    targets: [
      { priority: 'p1', response_minutes: 30, resolution_minutes: 240 },
      { priority: 'p2', response_minutes: 60, resolution_minutes: 480 },
      { priority: 'p3', response_minutes: 240, resolution_minutes: 1440 },
      { priority: 'p4', response_minutes: 480, resolution_minutes: 2880 },
    ],
    bands: [
      { level: 0, from_value: '0', to_value: '100', score: '100' },
      { level: 1, from_value: '100', to_value: '125', score: '75' },
      { level: 2, from_value: '125', to_value: '150', score: '50' },
      { level: 3, from_value: '150', to_value: '200', score: '25' },
      { level: 3, from_value: '200', score: '0' },
    ],
  });
  const category = (code: string, group: number) =>
    add('service_category', { code, name: code, department_id: department!.id, group_role_id: group });
  ids.it = await category('IT', ids.l1);
  ids.net = await category('NET', ids.network);
  const service = (code: string, group: number, more: object) =>
    add('service', {
      code,
      name: `Service ${code}`,
      service_category_id: group,
      slab_id: ids.slab,
      default_impact: 'person',
      default_urgency: 'now',
      assign_mode: 'queue',
      ...more,
    });
  ids.queue = await service('PWD', ids.it, {});
  ids.turn = await service('PRINTER', ids.it, { assign_mode: 'round_robin' });
  ids.least = await service('LAPTOP', ids.it, { assign_mode: 'least_open' });
  ids.outside = await service('AIR', ids.it, { external_requesters: true });
  ids.network_service = await service('LINE', ids.net, {});
  ids.wait = await add('pause_category', {
    code: 'INFO',
    name: 'More information needed',
    applies_to: 'desk',
    counts_as: 'requester',
  });
  ids.lift_wait = await add('pause_category', {
    code: 'SPARE',
    name: 'Spare awaited',
    applies_to: 'fms',
    counts_as: 'internal',
  });
  const step: DeskCompany['step'] = async (by, id, name, more = {}) =>
    by.call('POST', `/tapi/ticket/${id}/${name}`, { version: (await read('ticket', id)).version, ...more });
  const raise: DeskCompany['raise'] = (more = {}, by = callers.ravi!) =>
    ok(
      by.call('POST', '/tapi/ticket', {
        service_id: ids.queue,
        branch_id: ids.branch,
        subject: 'Password forgotten',
        description: 'I cannot sign in.',
        ...more,
      }),
      201,
    );
  const { lead, asha, binu, nora, ravi } = callers as Record<'lead' | 'asha' | 'binu' | 'nora' | 'ravi', Caller>;
  return { ids, admin, lead, asha, binu, nora, ravi, add, read, ok, step, raise };
}
