import { linearPattern } from '../../../../domain/linear_pattern.ts';
import { Decimal } from 'decimal.js';
import { formatMoney } from '../../../../descriptor/format.ts';
import type { FieldError } from '../../../../descriptor/types.ts';
import type { Guard } from '../../../engine/modules.ts';
import type { Unit } from '../../../engine/records/unit.ts';
import { closedPeriod } from '../open_period.ts';
import { applyingPolicy, factsOfCustomer, policiesOf } from '../../../platform/policies/policies.ts';
import type { CollectionPolicy } from '../policies.ts';

type Row = Record<string, unknown>;

/** Default limit of section 269ST of the Income-tax Act, if the COLLECTION policy has none. */
const CASH_LIMIT = '200000';
/** Number of bounced cheques within a year after which cheques are refused. */
const BOUNCES = 2;

/** Cash from one customer on one day, and for one bill, stays below the limit of section 269ST. */
async function cashLimit(unit: Unit, record: Row): Promise<FieldError[]> {
  const policies = await policiesOf(unit, unit.session.entityId, ['COLLECTION']);
  const policy = applyingPolicy<CollectionPolicy>(policies, String(record.receipt_on), {
    ...(await factsOfCustomer(unit, record.customer_id)),
    branch_id: record.branch_id as number,
  });
  const limit = new Decimal(policy.cash_day_limit ?? CASH_LIMIT);
  const alive = `r.customer_id = $1 and r.family = 'cash' and r.id <> $2 and r.status not in ('draft', 'bounced', 'reversed', 'rejected')`;
  // Locked, so that two receipts of a customer on one day are not submitted at the same time.
  await unit.lock([{ type: 'customer_dtl', id: Number(record.customer_id) }]);
  const [day] = await unit.query<{ sum: string }>(
    `select coalesce(sum(r.amount), 0)::text as sum from {receipt} r where ${alive} and r.receipt_on = $3`,
    [record.customer_id, record.id ?? 0, record.receipt_on],
  );
  const ofDay = new Decimal(day!.sum).plus(String(record.amount));
  const found: FieldError[] = [];
  if (ofDay.gte(limit))
    found.push({
      field: 'amount',
      message: `Cash of ${formatMoney(ofDay.toFixed(2))} from this customer today reaches the legal limit of ${formatMoney(limit.toFixed(2))} (section 269ST). Take the payment by bank.`,
    });
  for (const { billing_id: bill, cash } of record.allocations as Row[]) {
    const [before] = await unit.query<{ sum: string; bill_no: string | null }>(
      `select coalesce((select sum(a.cash) from {receipt.allocations} a join {receipt} r on r.id = a.parent_id
         where a.billing_id = $3 and ${alive}), 0)::text as sum, (select bill_no from {billing} where id = $3) as bill_no`,
      [record.customer_id, record.id ?? 0, bill],
    );
    const ofBill = new Decimal(before!.sum).plus(String(cash));
    if (ofBill.gte(limit) && found.length === 0)
      found.push({
        field: 'allocations',
        message: `Cash of ${formatMoney(ofBill.toFixed(2))} on ${before!.bill_no ?? 'one bill'} reaches the legal limit of ${formatMoney(limit.toFixed(2))} (section 269ST). Take the payment by bank.`,
      });
  }
  return found;
}

/** The limit of the mode is kept, its number has the format of the mode, and cheques are accepted from this customer. */
async function instrument(unit: Unit, record: Row): Promise<FieldError[]> {
  const [mode] = await unit.query<{
    name: string;
    number_pattern: string | null;
    family: string;
    day_limit: string | null;
  }>('select name, number_pattern, family, day_limit::text from {receipt_mode_mstr} where id = $1', [
    record.receipt_mode_id,
  ]);
  const found: FieldError[] = [];
  const number = record.instrument_no as string | null;
  if (mode!.number_pattern && number !== null && !linearPattern(mode!.number_pattern).test(number))
    found.push({
      field: 'instrument_no',
      message: `"${number}" is not a valid number for ${mode!.name}. Please check it.`,
    });
  if (mode!.day_limit !== null) {
    const [day] = await unit.query<{ sum: string }>(
      `select coalesce(sum(amount), 0)::text as sum from {receipt} where customer_id = $1 and id <> $2 and receipt_mode_id = $3 and receipt_on = $4
         and status not in ('draft', 'bounced', 'reversed', 'rejected')`,
      [record.customer_id, record.id ?? 0, record.receipt_mode_id, record.receipt_on],
    );
    const ofDay = new Decimal(day!.sum).plus(String(record.amount));
    if (ofDay.gt(mode!.day_limit))
      found.push({
        field: 'amount',
        message: `${mode!.name}: ${formatMoney(ofDay.toFixed(2))} from this customer on one day is above the limit of ${formatMoney(mode!.day_limit)}. Take the rest in another way.`,
      });
  }
  if (mode!.family !== 'cheque') return found;
  const [came] = await unit.query<{ count: number }>(
    `select count(*)::int as count from {receipt} where customer_id = $1 and family = 'cheque' and status = 'bounced'
       and bounced_on > $2::date - interval '1 year'`,
    [record.customer_id, record.receipt_on],
  );
  if (came!.count >= BOUNCES)
    found.push({
      field: 'receipt_mode_id',
      message: `${came!.count} cheques of this customer bounced within a year. Take the payment by bank.`,
    });
  const [same] = await unit.query<{ receipt_no: string | null }>(
    `select receipt_no from {receipt} where customer_id = $1 and id <> $2 and family = 'cheque' and instrument_no = $3
       and drawee_bank is not distinct from $4 and status not in ('draft', 'bounced', 'reversed', 'rejected') limit 1`,
    [record.customer_id, record.id ?? 0, number, record.drawee_bank],
  );
  if (same)
    found.push({
      field: 'instrument_no',
      message: `This cheque is on ${same.receipt_no ?? 'another receipt'} already.`,
    });
  return found;
}

/** Whether a receipt may be submitted: an open period, the fields of its mode, and the cash limit. */
export const receiptComplete: Guard = {
  async check({ unit, record }) {
    const found = await closedPeriod(unit, {
      field: 'receipt_on',
      day: String(record.receipt_on),
      branch: record.branch_id as number,
    });
    found.push(...(await instrument(unit, record)));
    if (record.family === 'cash') found.push(...(await cashLimit(unit, record)));
    return found;
  },
};

/** Whether a receipt may be approved: its period is still open, and its cheque is not post-dated. */
export const receiptDated: Guard = {
  check({ unit, record }) {
    return closedPeriod(unit, {
      field: 'receipt_on',
      day: String(record.value_on),
      branch: record.branch_id as number,
    });
  },
};

/** Whether the date in a field is in an open period of the record's branch. */
export const periodOpen: Guard = {
  args: {
    type: 'object',
    required: ['field'],
    additionalProperties: false,
    properties: { field: { type: 'string', 'x-field': true } },
  },
  check({ unit, record, args }) {
    const field = String(args.field);
    return closedPeriod(unit, { field, day: String(record[field]), branch: record.branch_id as number });
  },
};

/** Whether the receipts of a pay-in slip may be paid in: approved, and on no other slip. */
export const slipsFree: Guard = {
  async check({ unit, record }) {
    const slips = record.slips as Row[];
    const receipts = await unit.query<{
      id: number;
      receipt_no: string | null;
      status: string;
      deposit_id: number | null;
    }>('select id, receipt_no, status, deposit_id from {receipt} where id = any($1::bigint[])', [
      slips.map(({ receipt_id: id }) => id),
    ]);
    return receipts.flatMap(({ receipt_no, status, deposit_id }) => {
      if (status !== 'approved')
        return [{ field: 'slips', message: `${receipt_no ?? 'A receipt'} is not approved. Remove it.` }];
      if (deposit_id !== null && deposit_id !== record.id)
        return [{ field: 'slips', message: `${receipt_no ?? 'A receipt'} is on another slip. Remove it.` }];
      return [];
    });
  },
};

/** The highest share of the taxable value that TDS takes without a second look. */
const USUAL_TDS = '0.3';

/**
 * The approver of a deduction above the limit of its type, of unusually high TDS, or of TDS of a customer who deducts none,
 * needs the right to override prices.
 */
export const deductionsAllowed: Guard = {
  async check({ unit, record }) {
    if (unit.session.rights.refuseAction('FMS_PRICE_OVERRIDE') === null) return [];
    const rows = record.deductions as Row[];
    const kinds = await unit.query<{ id: number; name: string; kind: string; limit: string | null }>(
      'select id, name, kind, approval_over::text as "limit" from {deduction} where id = any($1::bigint[])',
      [rows.map(({ deduction_id: id }) => id)],
    );
    const bills = await unit.query<{ id: number; taxable: string }>(
      'select id, taxable_total::text as taxable from {billing} where id = any($1::bigint[])',
      [rows.map(({ billing_id: id }) => id)],
    );
    const [customer] = await unit.query<{ name: string; deducts: boolean }>(
      'select name, tds_id is not null as deducts from {customer_dtl} where id = $1',
      [record.customer_id],
    );
    return rows.flatMap(({ deduction_id: id, billing_id: bill, amount }, at) => {
      const kind = kinds.find((one) => one.id === id);
      if (kind?.kind === 'tds' && customer?.deducts === false)
        return [
          {
            field: `deductions.${at}.deduction_id`,
            message: `${customer.name} is not known to deduct TDS. Enter it at the customer, or have a user with the right to override prices approve this.`,
          },
        ];
      const most = kind?.kind === 'tds' ? bills.find((one) => one.id === bill) : undefined;
      const share = most === undefined ? null : new Decimal(most.taxable).times(USUAL_TDS).toFixed(2);
      const isOver = (limit: string | null | undefined) =>
        limit !== null && limit !== undefined && new Decimal(String(amount)).gt(limit);
      const limit = isOver(kind?.limit) ? kind!.limit! : isOver(share) ? share! : null;
      if (limit === null) return [];
      return [
        {
          field: `deductions.${at}.amount`,
          message: `${kind!.name} above ${formatMoney(limit)}${limit === share ? ', 30 % of the taxable value,' : ''} must be approved by a user with the right to override prices.`,
        },
      ];
    });
  },
};
