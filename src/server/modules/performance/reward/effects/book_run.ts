import { Decimal } from 'decimal.js';
import type { Effect } from '../../../../engine/modules.ts';
import { monthTitle } from '../../../../../domain/month_names.ts';
import { numberOf } from '../../sheet_lines.ts';

type Row = Record<string, unknown>;

/** Stores the approved payout of each member, which later runs deduct. */
export const bookRun: Effect = {
  elevated: true,
  async apply({ unit: person, record }) {
    const unit = person.elevated();
    const run = await unit.read('incentive_run', record.id);
    const lines = run.lines as Row[];
    const places = await unit.query<{
      id: number;
      department_id: number | null;
      branch_id: number | null;
      user_id: number | null;
    }>('select id, department_id, branch_id, user_id from {employee} where id = any($1)', [
      lines.map(({ employee_id: id }) => id),
    ]);
    const placeOf = new Map(places.map((one) => [one.id, one]));
    const amount = (value: unknown) => new Decimal(numberOf(value) ?? 0);
    await unit.createMany(
      'incentive_payout',
      lines.map((line) => {
        const place = placeOf.get(line.employee_id as number);
        const isHeld = line.hold === true;
        return {
          run_id: run.id,
          employee_id: line.employee_id,
          incentive_id: run.incentive_id ?? null,
          award_id: line.award_id ?? null,
          department_id: place?.department_id ?? null,
          branch_id: place?.branch_id ?? null,
          from_month: run.from_month,
          month: run.month,
          pay_month: run.pay_month,
          basis_value: numberOf(line.basis_value),
          rate: numberOf(line.rate),
          gross: numberOf(line.gross),
          days: line.days ?? null,
          gate: numberOf(line.gate),
          capped: line.capped === true,
          earlier: numberOf(line.earlier),
          due: numberOf(line.due) ?? '0',
          net: numberOf(line.net) ?? '0',
          // A line on hold settles nothing: the next run pays it, including the amount carried into this one.
          settled: isHeld ? '0' : amount(line.due).minus(amount(line.earlier)).toFixed(2),
          carried_out: (isHeld ? amount(line.carried_in) : amount(line.carried_out)).toFixed(2),
          adjust: isHeld ? '0' : (numberOf(line.adjust) ?? '0'),
          amount: numberOf(line.pay) ?? '0',
          note: line.hold_reason ?? line.adjust_reason ?? line.note ?? null,
          state: isHeld ? 'on_hold' : 'approved',
        };
      }),
    );
    const paid = new Set(
      lines.flatMap((line) => (line.hold === true || amount(line.pay).isZero() ? [] : line.employee_id)),
    );
    await unit.notify({
      event: 'incentive.approved',
      to: places.flatMap(({ id, user_id: user }) => (user !== null && paid.has(id) ? [user] : [])),
      entityId: unit.session.entityId,
      link: '/incentive_payouts?mine=1',
      values: { month: monthTitle(String(run.month)), pay_month: monthTitle(String(run.pay_month)) },
    });
  },
};
