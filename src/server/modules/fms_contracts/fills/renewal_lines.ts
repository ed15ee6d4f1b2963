import { completedYears } from '../../../../descriptor/expression/functions.ts';
import { addDays, daysIn } from '../../../../domain/fms/contract_years.ts';
import { renewalPrice } from '../../../../domain/fms/escalation.ts';
import { coverChange, ruleOf } from '../../../../domain/fms/renewal_rule.ts';
import type { Fill } from '../../../engine/modules.ts';
import { dayOfRecord } from '../../../engine/records/day_of_record.ts';
import type { Unit } from '../../../engine/records/unit.ts';
import { idsOf, priceOn, rowsOf } from '../line_money.ts';
import type { KnownLine } from '../line_money.ts';
import { policyRules } from '../policies.ts';
import { escalationFor } from '../prices.ts';

/** The latest line of a lift for a renewal. */
interface Latest extends KnownLine {
  amc_type_id: number;
  building: number;
  commissioned: string | null;
  base: string;
  percentage: number | null;
  time: number | null;
  next_no: string | null;
}

interface RenewalType {
  id: number;
  rule: string;
  price_rule: 'escalate' | 'same' | 'requote';
  /** Maximum days without cover for this type; null = no limit. */
  max_gap_days: number | null;
}

/** The latest line of each lift that had one, and whether another contract or a draft follows it already. */
export async function latestLines(unit: Unit, lifts: readonly number[]): Promise<Map<number, Latest>> {
  const rows = await unit.query<Latest>(
    `select distinct on (l.lift_id) l.id, l.version, l.contract_id, c.contract_no, c.status as contract_status, c.customer_id,
       coalesce(c.bill_to_customer_id, c.customer_id) as bill_to_id, c.branch_id, c.start_on::text, c.end_on::text, l.lift_id, f.lift_no,
       f.customer_id as lift_customer_id, f.building_id, f.building_id as building, f.route_id, l.from_on::text, l.to_on::text, l.rate::text, l.discount::text,
       l.net::text, l.line_status, l.amc_type_id, f.commissioned_on::text as commissioned, coalesce(c.price_base_on, c.start_on)::text as base,
       c.escalation_percentage_id as percentage, c.escalation_time_id as time,
       (select coalesce(d.contract_no, 'a draft') from {contract_line} n join {contract} d on d.id = n.contract_id
        where n.lift_id = l.lift_id and n.active and n.from_on > l.to_on and d.status in ('draft', 'submitted', 'approved') limit 1) as next_no
     from {contract_line} l join {contract} c on c.id = l.contract_id join {lift} f on f.id = l.lift_id
     where l.lift_id = any($1::bigint[]) and l.active and c.entity_id = $2 and l.line_status in ('active', 'held', 'closed') and l.cover_kind <> 'on_call'
     order by l.lift_id, l.to_on desc, l.id desc`,
    [lifts, unit.session.entityId],
  );
  return new Map(rows.map((one) => [one.lift_id, one]));
}

/** Calls of lifts in the twelve months before a day; none if calls are not recorded. */
async function callsOf(unit: Unit, lifts: readonly number[], day: string): Promise<Map<number, number>> {
  const [known] = await unit.query<{ kept: boolean }>(`select to_regclass('{fms_ticket}') is not null as kept`);
  if (!known!.kept) return new Map();
  const rows = await unit.query<{ lift_id: number; calls: number }>(
    `select lift_id, count(*)::int as calls from {fms_ticket} where lift_id = any($1::bigint[]) and active and ticket_type not in ('preventive', 'inspection')
       and reported_at > ($2::date - interval '12 months') group by lift_id`,
    [lifts, day],
  );
  return new Map(rows.map((one) => [one.lift_id, one.calls]));
}

/** Each lift with its ending line, the price suggested by the escalation (C2), and the start of the next contract. */
export const renewalLines: Fill = {
  async run({ unit, record }) {
    const rows = rowsOf(record.lines);
    const ids = idsOf(rows.map(({ lift_id: id }) => id));
    const lines = await latestLines(unit, ids);
    const today = dayOfRecord(unit, record);
    const calls = await callsOf(unit, ids, today);
    const policies = await policyRules(unit, ['RENEWAL', 'ESCALATION'], today);
    const types = await unit.query<RenewalType>(
      'select id, rule, price_rule, max_gap_days from {renewal_type_mstr} where active order by id',
    );
    const covers = await unit.query<{ id: number; coverage: string }>('select id, coverage from {amc_type_mstr}');
    const coverOf = (id: unknown) => covers.find((one) => one.id === id)?.coverage ?? null;
    return {
      lines: await Promise.all(
        rows.map(async (row) => {
          const line = lines.get(Number(row.lift_id));
          if (!line) return { problem: row.lift_id ? 'This lift has no contract to renew.' : null };
          const applying = await policies(line);
          const continuous = Number(applying.get('RENEWAL')?.parameters.gap_continuous_days ?? 30);
          const rule = ruleOf(line.to_on, today, continuous);
          const start = rule === 'late_break' ? today : addDays(line.to_on, 1);
          const rate = await priceOn(unit, line, line.to_on);
          const other = (row.new_amc_type_id ?? line.amc_type_id) !== line.amc_type_id;
          const change = other ? coverChange(coverOf(line.amc_type_id), coverOf(row.new_amc_type_id)) : null;
          const escalation = await escalationFor(unit, line, applying.get('ESCALATION')?.parameters);
          const type = types.find(
            (one) =>
              one.rule === (change ?? rule) &&
              daysIn({ from_on: addDays(line.to_on, 1), to_on: addDays(start, -1) }) <= (one.max_gap_days ?? Infinity),
          );
          const escalated = renewalPrice(rate, { base: line.base, commissioned: line.commissioned, start }, escalation);
          // Another type is quoted from scratch, because the previous price does not apply.
          const suggested =
            other || type?.price_rule === 'requote' ? null : type?.price_rule === 'same' ? rate : escalated;
          return {
            contract_line_id: line.id,
            contract_id: line.contract_id,
            customer_id: line.lift_customer_id,
            building_id: line.building,
            amc_type_id: line.amc_type_id,
            ends_on: line.to_on,
            starts_on: start,
            rate,
            age_years: line.commissioned === null ? null : completedYears(line.commissioned, start),
            calls: calls.get(line.lift_id) ?? 0,
            suggested,
            renewal_type_id: type?.id ?? null,
            problem: line.next_no === null ? null : `It is in ${line.next_no} already, which begins after this one.`,
          };
        }),
      ),
    };
  },
};

/** The new rate is the suggested one until somebody enters another. */
export const renewalRate: Fill = {
  run: ({ record }) =>
    Promise.resolve({ lines: rowsOf(record.lines).map(({ suggested }) => ({ new_rate: suggested ?? null })) }),
};
