import { formatMoney } from '../../descriptor/format.ts';
import { Exact } from '../../descriptor/exact.ts';

/** Why a part leaves the store. */
export type Cover = 'spare_warranty' | 'lift_warranty' | 'contract' | 'goodwill' | 'loan' | 'chargeable';

/** The parts of a lift's maintenance contract that concern parts. */
export interface CoveringContract {
  no: string;
  /** YYYY-MM-DD, both days included. */
  from: string;
  to: string;
  isSuspended: boolean;
  /** The spare group's entry for the AMC type of this contract; null = none. */
  treatment: 'free' | 'chargeable' | 'shared' | null;
  /** The customer's percentage of the free part: of the group, otherwise of the contract. */
  share: string | null;
  /** Free parts per contract year, in money; null = unlimited. */
  limit: string | null;
  /** List price of the parts given free in this contract year. */
  used: string;
  /** Free pieces of the group per contract year; null = unlimited. */
  limitQty: string | null;
  usedQty: string;
}

/** The inputs that decide who pays for a part. Days are YYYY-MM-DD, amounts and quantities decimals as text. */
export interface CoverFacts {
  /** Day of the request. */
  day: string;
  cause: { name: string; override: 'none' | 'chargeable' | 'free'; isCustomerFault: boolean } | null;
  /** Name of the spare group. */
  group: string | null;
  /** End of the warranty of the same part in the same position of this lift. */
  partWarrantyTo: string | null;
  liftWarrantyTo: string | null;
  /** The group is charged even while the lift is under warranty. */
  isChargedInWarranty: boolean;
  /** The contract in force on the day, or the last one before it. */
  contract: CoveringContract | null;
  /** Selling price of the quantity, before tax. */
  price: string;
  qty: string;
}

/** Who pays for a line, with the reason. */
export interface LineCover {
  cover: Cover;
  /** One sentence for the desk, the approver and the technician. */
  reason: string;
  /** Percent of the free part that the customer pays. */
  share: string;
  /** The free value, at list price, before the customer's share. */
  free: string;
  /** The customer's amount before tax. */
  customer: string;
}

const shown = (day: string) => day.split('-').reverse().join('-');

/**
 * Cover of a line of a material request (5.8 of the design of the stores): the root cause, the warranty of the part,
 * the warranty of the lift, the contract with its limits and share; the first that applies. Otherwise the customer
 * pays.
 */
export function lineCover(facts: CoverFacts): LineCover {
  const { day, cause, contract } = facts;
  const group = facts.group ?? 'this part';
  const free = (cover: Cover, reason: string): LineCover => ({
    cover,
    reason,
    share: '0',
    free: new Exact(facts.price).toFixed(2),
    customer: '0.00',
  });
  const charged = (reason: string): LineCover => ({
    cover: 'chargeable',
    reason,
    share: '100',
    free: '0.00',
    customer: new Exact(facts.price).toFixed(2),
  });

  if (cause?.override === 'free') return free('goodwill', `Free: root cause "${cause.name}".`);
  if (cause && (cause.override === 'chargeable' || cause.isCustomerFault))
    return charged(
      `Root cause "${cause.name}"${cause.isCustomerFault ? ' is the fault of the customer' : ' is charged'}.`,
    );
  if (facts.partWarrantyTo !== null && facts.partWarrantyTo >= day)
    return free('spare_warranty', `The part fitted before is in warranty until ${shown(facts.partWarrantyTo)}.`);
  const isLiftInWarranty = facts.liftWarrantyTo !== null && facts.liftWarrantyTo >= day;
  if (isLiftInWarranty && !facts.isChargedInWarranty)
    return free('lift_warranty', `The lift is in warranty until ${shown(facts.liftWarrantyTo!)}.`);

  if (!contract)
    return charged(
      isLiftInWarranty ? `The warranty of the lift does not cover ${group}.` : 'The lift has no contract.',
    );
  if (contract.from > day) return charged(`${contract.no} begins on ${shown(contract.from)}.`);
  if (contract.to < day) return charged(`${contract.no} ended on ${shown(contract.to)}.`);
  if (contract.isSuspended) return charged(`${contract.no} is suspended.`);
  if (contract.treatment === null || contract.treatment === 'chargeable')
    return charged(`${contract.no} does not cover ${group}.`);
  return underContract(facts, contract, group);
}

/** The free value under the contract for a covered line. */
function underContract({ price, qty }: CoverFacts, contract: CoveringContract, group: string): LineCover {
  const whole = new Exact(price);
  const asked = new Exact(qty);
  let free = whole;
  const why = [`${contract.no} covers ${group}`];
  if (contract.limitQty !== null) {
    const left = Exact.max(0, new Exact(contract.limitQty).minus(contract.usedQty));
    if (left.lessThan(asked)) {
      free = asked.isZero() ? free : whole.times(left).dividedBy(asked).toDecimalPlaces(2);
      why.push(`${left.toString()} of ${new Exact(contract.limitQty).toString()} a year are left`);
    }
  }
  if (contract.limit !== null) {
    const left = Exact.max(0, new Exact(contract.limit).minus(contract.used));
    if (left.lessThan(free)) {
      free = left;
      why.push(`${formatMoney(left.toFixed(2))} of the limit of ${formatMoney(contract.limit)} a year is left`);
    }
  }
  if (free.isZero() && !whole.isZero())
    return {
      cover: 'chargeable',
      reason: `${contract.no} covers ${group}, but its limit for this year is used up.`,
      share: '100',
      free: '0.00',
      customer: whole.toFixed(2),
    };
  const share = contract.treatment === 'shared' ? new Exact(contract.share ?? 0) : new Exact(0);
  const shared = free.times(share).dividedBy(100).toDecimalPlaces(2);
  if (!share.isZero()) why.push(`the customer pays ${share.toString()} % of it`);
  return {
    cover: 'contract',
    reason: `${why.join('; ')}.`,
    share: share.toString(),
    free: free.toFixed(2),
    customer: whole.minus(free).plus(shared).toFixed(2),
  };
}
