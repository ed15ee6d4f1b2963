import { addDays } from '../../../../domain/fms/contract_years.ts';
import { cancellationCredit } from '../../../../domain/fms/line_ending.ts';
import { Exact } from '../../../../descriptor/exact.ts';
import type { Fill } from '../../../engine/modules.ts';
import type { Unit } from '../../../engine/records/unit.ts';
import { isRunning, readableDay } from '../contract_lines.ts';
import { policyOf } from '../policies.ts';
import { earnedOf, idsOf, knownLines, rowsOf } from '../line_money.ts';

type Row = Record<string, unknown>;

interface Category {
  notice_days: number | null;
  charge_percent: string | null;
  refund: boolean | null;
  win_back_days: number | null;
}

async function categoryOf(unit: Unit, id: unknown): Promise<Category | null> {
  const [row] = await unit.query<Category>(
    'select notice_days, charge_percent::text, refund, win_back_days from {amc_cancel_category_mstr} where id = $1',
    [id ?? null],
  );
  return row ?? null;
}

/** The earliest last day: the notice of the category, otherwise of the contract, after the day of the request. */
export const cancellationDays: Fill = {
  async run({ unit, record }) {
    const asked = record.requested_on;
    if (typeof asked !== 'string') return { earliest_day: null };
    const category = await categoryOf(unit, record.cancel_category_id);
    const [contract] = await unit.query<{ notice: number | null }>(
      'select notice_days as notice from {contract} where id = $1',
      [record.contract_id ?? null],
    );
    return { earliest_day: addDays(asked, category?.notice_days ?? contract?.notice ?? 0) };
  },
};

/** The default last day is the earliest one. */
export const cancellationLastDay: Fill = {
  run: ({ record }) => Promise.resolve({ last_day: record.earliest_day ?? null }),
};

/** The cancellation policy for the contract on the day of the request; null = contract or day is not known yet. */
async function cancellationPolicy(
  unit: Unit,
  record: Row,
): Promise<{ charge_percent?: number; refund_if_dues?: boolean } | null> {
  const [contract] = await unit.query<{ customer_id: number; amc_type_id: number; branch_id: number }>(
    'select customer_id, amc_type_id, branch_id from {contract} where id = $1',
    [record.contract_id ?? null],
  );
  if (!contract || typeof record.requested_on !== 'string') return null;
  return (await policyOf(unit, 'CANCELLATION', record.requested_on, contract))?.parameters ?? {};
}

/** Whether a credit is set against dues, by the cancellation policy for this customer (C10). */
export const cancellationDues: Fill = {
  async run({ unit, record }) {
    const policy = await cancellationPolicy(unit, record);
    return { dues_action: policy === null ? null : policy.refund_if_dues === true ? 'refund' : 'net' };
  },
};

/** What else depends on lines that end after a day: open visits and the last completed one, open calls, securities. */
async function concerned(unit: Unit, contract: unknown, lines: readonly number[], lifts: readonly number[]) {
  const visits = await unit.query<{ line: number; left: number; last: string | null }>(
    `select v.contract_line_id as line, count(*) filter (where v.status in ('planned', 'released'))::int as left, max(v.done_on)::text as last
     from {scheduled_ticket} v where v.contract_line_id = any($1::bigint[]) and v.active group by 1`,
    [lines],
  );
  const [calls] = await unit.query<{ open: number }>(
    `select count(*)::int as open from {fms_ticket} t where t.lift_id = any($1::bigint[]) and t.active and t.scheduled_ticket_id is null
       and t.status in ('new', 'assigned', 'accepted', 'travelling', 'attending', 'paused')`,
    [lifts],
  );
  const [deposits] = await unit.query<{ held: string | null }>(
    `select sum(d."left")::text as held from {deposit} d
     where d.contract_id = $1 and d.deposit_kind = 'security_taken' and d.status in ('lodged', 'part_returned') and d.active`,
    [contract ?? null],
  );
  return {
    lastVisit: new Map(visits.map(({ line, last }) => [line, last])),
    fields: {
      visits_left: visits.reduce((sum, { left }) => sum + left, 0),
      last_visit_on:
        visits
          .flatMap(({ last }) => last ?? [])
          .toSorted()
          .at(-1) ?? null,
      open_calls: calls?.open ?? 0,
      deposit_held: deposits?.held ?? '0.00',
    },
  };
}

/**
 * The earned amount of each line, and the credit less the charge (C10), with the customer's dues and other affected
 * records.
 */
export const cancellationPreview: Fill = {
  async run({ unit, record }) {
    const rows = rowsOf(record.lines);
    const ids = idsOf(rows.map(({ contract_line_id: id }) => id));
    const lines = await knownLines(unit, ids);
    const category = await categoryOf(unit, record.cancel_category_id);
    const last = typeof record.last_day === 'string' ? record.last_day : null;
    const money = last === null ? null : await earnedOf(unit, [...lines.keys()], last);
    const [dues] = await unit.query<{ dues: string | null }>(
      `select sum(b.outstanding)::text as dues from {billing} b where b.contract_id = $1 and b.status = 'posted' and b.active`,
      [record.contract_id ?? null],
    );
    const { lastVisit, fields } = await concerned(
      unit,
      record.contract_id,
      [...lines.keys()],
      [...lines.values()].map(({ lift_id: lift }) => lift),
    );
    const usual = (await cancellationPolicy(unit, record))?.charge_percent ?? null;
    const visitedAfter = (line: number): string | null => {
      const visit = lastVisit.get(line) ?? null;
      return visit !== null && last !== null && visit > last ? visit : null;
    };
    return {
      ...fields,
      win_back_on: last !== null && category?.win_back_days != null ? addDays(last, category.win_back_days) : null,
      dues_at_cancel: dues?.dues ?? '0.00',
      lines: rows.map((row) => {
        const line = lines.get(Number(row.contract_line_id));
        if (!line) return { problem: row.contract_line_id ? 'This line does not exist.' : null };
        const { earned = '0.00', unearned = '0.00' } = money?.get(line.id) ?? {};
        const { charge, credit } = cancellationCredit(unearned, {
          charge_percent: category?.charge_percent ?? usual,
          refund: category?.refund ?? true,
        });
        return {
          lift_id: line.lift_id,
          old_contract_id: line.contract_id,
          from_on: line.from_on,
          to_on: line.to_on,
          rate: line.net,
          billed: new Exact(earned).plus(unearned).toFixed(2),
          earned,
          unearned,
          charge,
          credit,
          problem: !isRunning(line as { line_status: 'active' })
            ? 'This line is not running now.'
            : line.contract_id !== record.contract_id
              ? 'This lift is in another contract.'
              : last !== null && last > line.to_on
                ? `It ends automatically on ${readableDay(line.to_on)}.`
                : visitedAfter(line.id) !== null
                  ? `The last visit was on ${readableDay(visitedAfter(line.id)!)}. The last day cannot be before it.`
                  : null,
        };
      }),
    };
  },
};
