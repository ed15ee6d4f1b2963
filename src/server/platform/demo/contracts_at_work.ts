import type { Screen, WireRecord } from '../../../descriptor/types.ts';
import type { Tenant } from '../../db/tenant.ts';
import { letPeopleWork } from './demo_people.ts';
import { moneyAtWork } from './money_at_work.ts';
import { Desk, approved } from './service_desk.ts';
import type { DeskPeople, Place } from './service_desk.ts';

type Row = Record<string, unknown>;

/** The company with lifts. */
const COMPANY = 'ALP';
const FOLDERS = ['fms', 'fms_contracts', 'fms_money', 'fms_tickets', 'fms_visits'];

/**
 * Adds what happens to contracts in a year to the demo company: renewal, merge, demerge, hold, cancellation and transfer,
 * each in every state. The documents use the engine's transitions, so that plans, visits and cover agree with them.
 */
export async function addContractsAtWork(
  tenant: Tenant,
  screens: ReadonlyMap<string, Screen>,
  today: string,
): Promise<void> {
  if (!screens.has('contract_change')) return;
  const types = {
    client_type_mstr: { by: 'code' },
    building_type_mstr: { by: 'code' },
    lift_category_mstr: { by: 'code' },
    lift_type_mstr: { by: 'code' },
    lift_make_mstr: { by: 'code' },
    drive_type_mstr: { by: 'code' },
    controller_mstr: { by: 'code' },
    amc_type_mstr: { by: 'code' },
    amc_cancel_category_mstr: { by: 'code' },
    payment_type_mstr: { by: 'code' },
    payment_term_mstr: { by: 'code' },
    schedule_visit_mstr: { by: 'code' },
    attribute_lookup_group: { by: 'code' },
    attribute_lookup_type: { by: 'code' },
    attribute_lookup: { by: 'code' },
    reason: { by: 'code' },
    fmsservice: { by: 'code' },
    receipt_mode_mstr: { by: 'code' },
    bank_mstr: { by: 'code' },
    state_mstr: { by: 'code' },
    city_mstr: { by: 'name' },
    branch: { by: 'code', ofCompany: true },
    area_mstr: { by: 'code', ofCompany: true },
    route_mstr: { by: 'code', ofCompany: true },
    employee: { by: 'empno', ofCompany: true },
  } as const;
  await letPeopleWork(
    tenant,
    screens,
    today,
    { company: COMPANY, folders: FOLDERS, types, isDone: 'incident', follows: true },
    async (person) => {
      const people = { desk: new Desk(...person(0)), head: new Desk(...person(1)) };
      const places = await newPlaces(people.desk);
      await renewal(people, places);
      await mergeAndDemerge(people, places);
      await holdAndWait(people, places);
      await changesUnderWay(people, places);
      await cancellations(people, places);
      await transfers(people, places);
      await ended(people, places);
      await offers(people, places);
      await incidents(people);
      await findings(people);
      await moneyAtWork(people, places.mills);
    },
  );
}

/** Where the story plays. */
interface Places {
  society: Place;
  mills: Place;
}

async function newPlaces(desk: Desk): Promise<Places> {
  const place = async (name: string, clientType: string, building: string, address: string) => {
    const customer = await desk.customer(name, clientType, address);
    return { customer, building: await desk.building(customer, building, address) };
  };
  return {
    society: await place('Nilgiri Gardens Residents Association', 'SOC', 'Nilgiri Gardens', '12 Race Course Road'),
    mills: await place('Kovai Textile Exchange', 'PVT', 'Textile Exchange', '88 Avinashi Road'),
  };
}

/** A contract that has begun. */
async function running(people: DeskPeople, place: Place, lifts: string[], daysAgo: number, more: Row = {}) {
  return begun(people, await people.desk.draft(place, lifts, daysAgo, more));
}

async function begun(people: DeskPeople, draft: WireRecord): Promise<WireRecord> {
  await approved(people, draft, 'contract');
  return people.head.step(draft, 'contract', 'begin_unsigned', { reason: 'The signed copy is in the post.' });
}

/** Last year's contract is renewed; another renewal was dropped. */
async function renewal(people: DeskPeople, { society }: Places): Promise<void> {
  const { desk } = people;
  const last = await running(people, society, ['Block A, left', 'Block A, right'], 370);
  const lines = (last.lines as Row[]).map(({ lift_id: lift }) => ({ lift_id: lift }));
  const renewals = (more: Row) =>
    desk.add('lift_renewal', { makes: 'contract', group_by: 'building', months: 12, lines, ...more });
  await desk.take(await renewals({ months: 24 }), 'lift_renewal', 'drop');
  await desk.take(await renewals({}), 'lift_renewal', 'make');
  const next = await desk.act(async (unit) => {
    const [made] = await unit.query<{ id: number }>('select id from {contract} where previous_contract_id = $1', [
      last.id,
    ]);
    return unit.read('contract', made!.id);
  });
  await begun(people, next);
}

const change = ({ desk }: DeskPeople, values: Row) =>
  desk.add('contract_change', {
    branch_id: desk.branch,
    reason_id: desk.id('reason', 'CC02'),
    effective_on: desk.day(0),
    ...values,
  });

async function mergeAndDemerge(people: DeskPeople, { mills }: Places): Promise<void> {
  const { desk } = people;
  const first = await running(people, mills, ['Hall 1'], 200);
  const second = await running(people, mills, ['Hall 2'], 120);
  await approved(
    people,
    await change(people, {
      change_kind: 'merge',
      customer_id: mills.customer,
      target_contract_id: second.id,
      dates: 'longest',
      lines: desk.linesOf(first),
    }),
    'contract_change',
  );
  const whole = await running(people, mills, ['Offices, left', 'Offices, right'], 90);
  await approved(
    people,
    await change(people, { change_kind: 'demerge', contract_id: whole.id, lines: desk.linesOf(whole) }),
    'contract_change',
  );
}

/** A contract that is held, one that begins next month, and a draft. */
async function holdAndWait(people: DeskPeople, { society, mills }: Places): Promise<void> {
  const { desk } = people;
  const held = await running(people, society, ['Block B'], 60);
  await approved(
    people,
    await change(people, {
      change_kind: 'hold',
      contract_id: held.id,
      reason_id: desk.id('reason', 'CC03'),
      lines: desk.linesOf(held),
    }),
    'contract_change',
  );
  await approved(people, await desk.draft(mills, ['Warehouse'], -20), 'contract');
  await desk.draft(society, ['Club house'], -30);
}

/** Contract changes: one waiting for approval, one approved for a later day, one withdrawn. */
async function changesUnderWay(people: DeskPeople, { mills }: Places): Promise<void> {
  const { desk } = people;
  const contract = await running(people, mills, ['Canteen'], 30);
  const amend = (rate: string) =>
    change(people, {
      change_kind: 'amend',
      contract_id: contract.id,
      reason_id: desk.id('reason', 'CC01'),
      effective_on: desk.day(25),
      lines: desk.linesOf(contract).map((line) => ({ ...line, new_rate: rate })),
    });
  await desk.step(await amend('35000.00'), 'contract_change', 'withdraw', { reason: 'The customer keeps the price.' });
  await approved(people, await amend('41000.00'), 'contract_change');
  await desk.take(await amend('44000.00'), 'contract_change', 'submit');
}

async function cancellations(people: DeskPeople, { society }: Places): Promise<void> {
  const { desk } = people;
  const contract = await running(people, society, ['Tower 1', 'Tower 2', 'Tower 3', 'Tower 4', 'Tower 5'], 150);
  const [ended, waiting, asked, kept, open] = desk.linesOf(contract);
  const cancellation = (line: Row | undefined, category: string, requested: number, last: number) =>
    desk.add('amc_cancellation', {
      contract_id: contract.id,
      branch_id: desk.branch,
      cancel_category_id: desk.id('amc_cancel_category_mstr', category),
      requested_on: desk.day(requested),
      requested_by: 'The secretary',
      last_day: desk.day(last),
      lines: [line!],
    });
  await approved(people, await cancellation(ended, 'PRICE', -45, -2), 'amc_cancellation');
  await approved(people, await cancellation(waiting, 'COMP', -5, 40), 'amc_cancellation');
  await desk.take(await cancellation(asked, 'SERVICE', -2, 60), 'amc_cancellation', 'submit');
  await desk.step(await cancellation(kept, 'PRICE', -20, 60), 'amc_cancellation', 'withdraw', {
    reason: 'The society stays after all.',
  });
  await cancellation(open, 'SOLD', 0, 90);
}

async function transfers(people: DeskPeople, { society, mills }: Places): Promise<void> {
  const { desk } = people;
  const contract = await running(people, society, ['Annexe 1', 'Annexe 2', 'Annexe 3', 'Annexe 4'], 100);
  const [moved, soon, asked, kept] = (contract.lines as Row[]).map(({ lift_id: lift }) => ({ lift_id: lift }));
  const transfer = (lift: Row | undefined, on: number) =>
    desk.add('lift_transfer', {
      transfer_kind: 'owner',
      effective_on: desk.day(on),
      branch_id: desk.branch,
      reason_id: desk.id('reason', 'TR01'),
      to_customer_id: mills.customer,
      to_building_id: mills.building,
      lifts: [lift!],
    });
  await approved(people, await transfer(moved, 0), 'lift_transfer');
  await approved(people, await transfer(soon, 20), 'lift_transfer');
  await desk.take(await transfer(asked, 30), 'lift_transfer', 'submit');
  await desk.step(await transfer(kept, 10), 'lift_transfer', 'withdraw', { reason: 'The sale fell through.' });
}

/** A decommissioned lift and an inactive customer. */
async function ended({ desk }: DeskPeople, { society }: Places): Promise<void> {
  const old = await desk.lift(society.building, 'Old goods lift');
  await desk.step(old, 'lift', 'decommission', { reason: 'The shaft is closed: a ramp was built.' });
  const customer = await desk.customer('Sundaram Ginning Factory', 'PVT', '3 Mill Road');
  await desk.act((unit) => unit.transition('customer_dtl', customer, 'take_on'));
  await desk.act((unit) => unit.transition('customer_dtl', customer, 'retire'));
}

/** An offer that became a contract, one that was revised, and one that was cancelled. */
async function offers({ desk, head }: DeskPeople, { society }: Places): Promise<void> {
  const offer = async (position: string, subject: string) => {
    const lift = await desk.lift(society.building, position);
    const made = await desk.add('quotation', {
      quotation_kind: 'new_amc',
      customer_id: society.customer,
      building_id: society.building,
      branch_id: desk.branch,
      sales_person_id: desk.id('employee', 'L0128'),
      subject,
      quoted_on: desk.day(-6),
      valid_until: desk.day(24),
      start_on: desk.day(14),
      months: 12,
      payment_type_id: desk.id('payment_type_mstr', 'YA'),
      payment_term_id: desk.id('payment_term_mstr', 'N30'),
      schedule_visit_id: desk.id('schedule_visit_mstr', 'Q4'),
      options: [{ option: 'A' }],
      lines: [{ option: 'A', lift_id: lift.id, amc_type_id: desk.id('amc_type_mstr', 'SEMI'), rate: '42000.00' }],
    });
    const handed = await desk.take(made, 'quotation', 'submit');
    if (handed.status === 'submitted') await head.take(made, 'quotation', 'approve');
    return desk.take(made, 'quotation', 'hand_over');
  };
  const won = await offer('Block C', 'Maintenance of the lift in block C');
  await desk.step(won, 'quotation', 'accept', { chosen_option: 'A', order_no: 'NGRA/77' });
  await desk.make(won, 'quotation', 'contract', 'contract', { fields: { customer_signatory: 'The secretary' } });
  await desk.take(await offer('Block D', 'Maintenance of the lift in block D'), 'quotation', 'revise');
  await desk.step(await offer('Block E', 'Maintenance of the lift in block E'), 'quotation', 'cancel', {
    reason: desk.id('reason', 'QC01'),
  });
}

/** A trip at the landing, a near miss that the inspectorate knows of, and damage whose cause is found. */
async function incidents({ desk }: DeskPeople): Promise<void> {
  const calls = await desk.act((unit) =>
    unit.query<{ id: number; at: Date }>(
      'select id, reported_at as at from {fms_ticket} where reported_at < now() order by reported_at desc limit 3',
    ),
  );
  const incident = (place: number, kind: string, more: object = {}) =>
    desk.add('incident', {
      fms_ticket_id: calls[place]!.id,
      incident_kind: kind,
      happened_at: new Date(calls[place]!.at).toISOString(),
      ...more,
    });
  await incident(0, 'injury', {
    persons: [{ name: 'K. Vasanthi', age: 61, injury: 'Bruised knee', hospital: 'Apollo' }],
  });
  await desk.step(await incident(1, 'near_miss'), 'incident', 'report', {
    authority: 'Electrical inspectorate',
    informed_on: new Date(new Date(calls[1]!.at).getTime() + 600_000).toISOString(),
  });
  await desk.step(await incident(2, 'damage'), 'incident', 'close', {
    cause: 'A trolley hit the landing door.',
    measures: 'Guard rails were fitted, and the staff were shown the limit of the door.',
  });
}

/** What technicians found on the last calls that are done. */
async function findings({ desk }: DeskPeople): Promise<void> {
  const calls = await desk.act((unit) =>
    unit.query<{ id: number; lift: number; leader: number; at: Date }>(
      `select id, lift_id as lift, leader_id as leader, reported_at as at from {fms_ticket}
       where status in ('completed', 'closed') and lift_id is not null and leader_id is not null
       order by reported_at desc limit 4`,
    ),
  );
  const found = [
    ['DOOR', 'DOOR-F', 'DOOR-F3'],
    ['DOOR', 'DOOR-F', 'DOOR-F1'],
    ['DOOR', 'DOOR-F', 'DOOR-F4'],
  ] as const;
  for (const [at, [group, type, value]] of found.entries()) {
    const call = calls[at];
    if (!call) return;
    await desk.add('job_history', {
      fms_ticket_id: call.id,
      lift_id: call.lift,
      employee_id: call.leader,
      done_at: new Date(new Date(call.at).getTime() + 3_600_000).toISOString(),
      attribute_lookup_group_id: desk.id('attribute_lookup_group', group),
      attribute_lookup_type_id: desk.id('attribute_lookup_type', type),
      attribute_lookup_id: desk.id('attribute_lookup', value),
    });
  }
}
