import type { WireRecord } from '../../../descriptor/types.ts';
import { DemoPerson } from './demo_people.ts';

type Row = Record<string, unknown>;

/** A customer with a building. */
export interface Place {
  customer: number;
  building: number;
}

/** The author of a document does not approve it. */
export interface DeskPeople {
  desk: Desk;
  head: Desk;
}

/** The actions of one person at the desk of the Coimbatore branch, on customers, contracts and money. */
export class Desk extends DemoPerson {
  get branch(): number {
    return this.id('branch', 'CBE');
  }

  async customer(name: string, clientType: string, address: string): Promise<number> {
    const { id } = await this.add('customer_dtl', {
      name,
      client_type_id: this.id('client_type_mstr', clientType),
      branch_id: this.branch,
      account_manager_id: this.id('employee', 'L0128'),
      gst_treatment: 'unregistered',
      billing_address: address,
      state_id: this.id('state_mstr', 'TN'),
      city_id: this.id('city_mstr', 'Coimbatore'),
      pincode: '641018',
      phone: '+914222300400',
      payment_term_id: this.id('payment_term_mstr', 'N30'),
      bill_grouping: 'contract',
    });
    return id;
  }

  async building(customer: number, name: string, address: string): Promise<number> {
    const { id } = await this.add('building', {
      name,
      customer_id: customer,
      building_type_id: this.id('building_type_mstr', 'RES'),
      address,
      area_id: this.id('area_mstr', 'CBE-E'),
      route_id: this.id('route_mstr', 'CBE-01'),
      state_id: this.id('state_mstr', 'TN'),
      city_id: this.id('city_mstr', 'Coimbatore'),
      pincode: '641018',
      branch_id: this.branch,
      floors: 7,
    });
    return id;
  }

  lift(building: number, position: string): Promise<WireRecord> {
    return this.add('lift', {
      building_id: building,
      position_name: position,
      lift_category_id: this.id('lift_category_mstr', 'PAS'),
      lift_type_id: this.id('lift_type_mstr', 'TMR'),
      lift_make_id: this.id('lift_make_mstr', 'OTS'),
      drive_type_id: this.id('drive_type_mstr', 'GLV'),
      controller_id: this.id('controller_mstr', 'ACM-S3'),
      capacity_kg: 544,
      speed_mps: '1.00',
      stops: 7,
      openings: 7,
    });
  }

  /** The draft of a contract for lifts. @param begun days since it began */
  async draft({ customer, building }: Place, lifts: string[], begun: number, more: Row = {}) {
    const made: WireRecord[] = [];
    for (const position of lifts) made.push(await this.lift(building, position));
    return this.add('contract', {
      contract_kind: 'amc',
      customer_id: customer,
      building_id: building,
      branch_id: this.branch,
      sales_person_id: this.id('employee', 'L0128'),
      start_on: this.day(-begun),
      months: 12,
      payment_type_id: this.id('payment_type_mstr', 'YA'),
      payment_term_id: this.id('payment_term_mstr', 'N30'),
      schedule_visit_id: this.id('schedule_visit_mstr', 'Q4'),
      customer_signatory: 'The secretary',
      lines: made.map(({ id }) => ({ lift_id: id, amc_type_id: this.id('amc_type_mstr', 'SEMI'), rate: '38000.00' })),
      ...more,
    });
  }

  linesOf(contract: WireRecord): Row[] {
    return (contract.lines as Row[]).map(({ id }) => ({ contract_line_id: id }));
  }
}

/** Has a document approved by the second person. */
export async function approved({ desk, head }: DeskPeople, made: WireRecord, type: string): Promise<WireRecord> {
  const handed = await desk.take(made, type, 'submit');
  return handed.status === 'submitted' ? head.take(made, type, 'approve') : handed;
}
