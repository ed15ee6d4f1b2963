import { Exact } from '../../../descriptor/exact.ts';
import { yearPrices } from '../../../domain/fms/escalation.ts';
import type { EscalationRule, EscalationTiming, YearPrice } from '../../../domain/fms/escalation.ts';
import type { WireRecord } from '../../../descriptor/types.ts';
import type { Unit } from '../../engine/records/unit.ts';
import { linesOf } from './contract_lines.ts';

export interface Escalation {
  rule: EscalationRule;
  timing: EscalationTiming;
}

/** The escalation of prices by the chosen percentage and interval; null if one of them is not chosen. */
export async function escalationBy(unit: Unit, percentage: unknown, time: unknown): Promise<Escalation | null> {
  if (percentage === null || percentage === undefined || time === null || time === undefined) return null;
  const [rule] = await unit.query<Omit<EscalationRule, 'slabs'>>(
    'select min_increase::text, max_increase::text, round_to from {esclation_percentage_mstr} where id = $1',
    [percentage],
  );
  const slabs = await unit.query<EscalationRule['slabs'][number]>(
    'select age_from, age_to, percent::text from {esclation_percentage_mstr.slabs} where parent_id = $1 order by age_from',
    [percentage],
  );
  const [timing] = await unit.query<EscalationTiming>(
    'select first_after_months, then_every_months from {esclation_time_mstr} where id = $1',
    [time],
  );
  return rule && timing ? { rule: { ...rule, slabs }, timing } : null;
}

/** The escalation of a contract's own choice, otherwise the one that the ESCALATION policy names by its codes. */
export async function escalationFor(
  unit: Unit,
  own: { percentage: number | null; time: number | null },
  policy: Record<string, unknown> | undefined,
): Promise<Escalation | null> {
  if (own.percentage !== null && own.time !== null) return escalationBy(unit, own.percentage, own.time);
  const [usual] = await unit.query<{ percentage: number | null; time: number | null }>(
    `select (select id from {esclation_percentage_mstr} where code = $1 and active limit 1) as percentage,
       (select id from {esclation_time_mstr} where code = $2 and active limit 1) as time`,
    [policy?.percentage ?? null, policy?.time ?? null],
  );
  return escalationBy(unit, own.percentage ?? usual!.percentage, own.time ?? usual!.time);
}

/** The prices of a line by contract year: computed by the rule, unless somebody entered others. */
export interface LinePrices {
  /** The position of the line. */
  at: number;
  id: number;
  byRule: YearPrice[];
  prices: YearPrice[];
  /** Prices of a contract that people entered. */
  isOwn: boolean;
}

/** Prices of the lines of a contract by contract year (C2). */
export async function pricesOf(unit: Unit, contract: WireRecord): Promise<LinePrices[]> {
  const lines = linesOf(contract);
  const escalation = await escalationBy(unit, contract.escalation_percentage_id, contract.escalation_time_id);
  const lifts = await unit.query<{ id: number; since: string | null }>(
    'select id, commissioned_on::text as since from {lift} where id = any($1::bigint[])',
    [lines.map(({ lift_id: id }) => id)],
  );
  const since = new Map(lifts.map((one) => [one.id, one.since]));
  const start = String(contract.start_on);
  return lines.map((line, at) => {
    const byRule = yearPrices(
      line.net,
      {
        start,
        base: typeof contract.price_base_on === 'string' ? contract.price_base_on : start,
        line,
        commissioned: since.get(line.lift_id) ?? null,
      },
      contract.contract_kind === 'warranty' ? null : escalation,
    );
    const entered = new Map((line.year_prices ?? []).map((one) => [one.year_no, one.price]));
    const prices = byRule.map((year) => ({ ...year, price: entered.get(year.year_no) ?? year.price }));
    const isOwn = prices.some(({ price }, no) => !new Exact(price).equals(byRule[no]!.price));
    return { at, id: line.id, byRule, prices, isOwn };
  });
}

/** The sums of the lines' annual prices by contract year, regardless of the lines' days. */
export function yearTotals(
  lines: readonly { prices: readonly YearPrice[] }[],
): (Omit<YearPrice, 'price'> & { total: string })[] {
  const years = new Map<number, Omit<YearPrice, 'price'> & { total: string }>();
  for (const { price, ...year } of lines.flatMap(({ prices }) => prices)) {
    const known = years.get(year.year_no);
    years.set(year.year_no, { ...year, total: new Exact(known?.total ?? 0).plus(price).toFixed(2) });
  }
  return [...years.values()].toSorted((a, b) => a.year_no - b.year_no);
}
