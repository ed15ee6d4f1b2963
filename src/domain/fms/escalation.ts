import type { Decimal } from 'decimal.js';
import { Exact } from '../../descriptor/exact.ts';
import { addMonths, completedYears } from '../../descriptor/expression/functions.ts';
import { contractYears } from './contract_years.ts';
import type { ContractYear, Period } from './contract_years.ts';

/** The price increase defined by the escalation percentage; amounts are exact texts. */
export interface EscalationRule {
  /** Whole years of the lift's age, both inclusive; null = open end. */
  slabs: readonly { age_from: number; age_to: number | null; percent: string | number }[];
  min_increase: string | null;
  max_increase: string | null;
  /** 1, 10, 50 or 100. */
  round_to: string | number;
}

/** When a price rises: first this many months after the base day, then every so many months; 0 = only once. */
export interface EscalationTiming {
  first_after_months: number;
  then_every_months: number;
}

/** A price of a contract year. */
export interface YearPrice extends ContractYear {
  price: string;
}

const roundedTo = (value: Decimal, step: string | number): Decimal =>
  value.div(step).toDecimalPlaces(0, Exact.ROUND_HALF_UP).times(step);

/** The percentage for a lift of this age; null = no slab matches. */
function escalationPercent({ slabs }: EscalationRule, age: number): string | null {
  const slab = slabs.find(({ age_from: from, age_to: to }) => age >= from && (to === null || age <= to));
  return slab === undefined ? null : String(slab.percent);
}

/**
 * A price after one escalation: based on the rounded price that the customer has seen, within the minimum and maximum
 * increase (C2).
 */
export function escalatedPrice(price: string, percent: string | number, rule: Omit<EscalationRule, 'slabs'>): string {
  let increase: Decimal = new Exact(price).times(percent).div(100);
  if (rule.min_increase !== null && increase.lessThan(rule.min_increase)) increase = new Exact(rule.min_increase);
  if (rule.max_increase !== null && increase.greaterThan(rule.max_increase)) increase = new Exact(rule.max_increase);
  return roundedTo(new Exact(price).plus(increase), rule.round_to).toFixed(2);
}

/** The escalation days from the base day up to a day (C2). */
export function escalationDays(base: string, timing: EscalationTiming, until: string): string[] {
  const days: string[] = [];
  for (let months = timing.first_after_months; ; months += timing.then_every_months) {
    const day = addMonths(base, months);
    if (day > until) return days;
    days.push(day);
    if (timing.then_every_months === 0) return days;
  }
}

/** Whether an escalation is due on a day: one falls on or before it and after the last one. */
function escalationIsDue(base: string, timing: EscalationTiming, last: string | null, day: string): boolean {
  return escalationDays(base, timing, day).some((due) => last === null || due > last);
}

/**
 * The prices of the contract years of a line. The first is its net rate; a later one rises once if an escalation is due
 * on its first day, which becomes the new base (C2). Without a rule or a timing the price stays.
 * @param line its first and last day; `start` is the first day of the contract, `base` the day from which escalations
 * count
 * @param commissioned first day of the lift's age; null = unknown, the youngest slab applies
 */
export function yearPrices(
  net: string,
  { start, base, line, commissioned }: { start: string; base: string; line: Period; commissioned: string | null },
  escalation: { rule: EscalationRule; timing: EscalationTiming } | null,
): YearPrice[] {
  let price = new Exact(net).toFixed(2);
  let from = base;
  let every: EscalationTiming | null = escalation?.timing ?? null;
  return contractYears(start, line).map((year, at) => {
    if (at > 0 && escalation && every && escalationIsDue(from, every, null, year.from_on)) {
      const age = commissioned === null ? 0 : Math.max(0, completedYears(commissioned, year.from_on));
      const percent = escalationPercent(escalation.rule, age);
      if (percent !== null) price = escalatedPrice(price, percent, escalation.rule);
      from = year.from_on;
      const next = every.then_every_months;
      every = next === 0 ? null : { first_after_months: next, then_every_months: next };
    }
    return { ...year, price };
  });
}

/** The suggested price of a follow-up contract: the same rule as between contract years (C2). */
export function renewalPrice(
  last: string,
  { base, commissioned, start }: { base: string; commissioned: string | null; start: string },
  escalation: { rule: EscalationRule; timing: EscalationTiming } | null,
): string {
  if (!escalation || !escalationIsDue(base, escalation.timing, null, start)) return new Exact(last).toFixed(2);
  const age = commissioned === null ? 0 : Math.max(0, completedYears(commissioned, start));
  const percent = escalationPercent(escalation.rule, age);
  return percent === null ? new Exact(last).toFixed(2) : escalatedPrice(last, percent, escalation.rule);
}
