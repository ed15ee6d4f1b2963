import type { Fill } from '../../../engine/modules.ts';
import { readableDay } from '../contract_lines.ts';
import { dayBefore, earnedOf, idsOf, knownLines, priceOn, rowsOf, runningLines } from '../line_money.ts';

interface KnownLift {
  id: number;
  lift_no: string;
  status: string;
  customer_id: number;
  building_id: number;
  building: string;
  route_id: number | null;
  branch_id: number | null;
  stay: number;
}

/** The effect of a transfer on each lift: its origin, its contract, and the unearned part of its bills (C9). */
export const transferPreview: Fill = {
  async run({ unit, record }) {
    const rows = rowsOf(record.lifts);
    const ids = idsOf(rows.map(({ lift_id: id }) => id));
    const lifts = new Map(
      (
        await unit.query<KnownLift>(
          `select f.id, f.lift_no, f.status, f.customer_id, f.building_id, b.name as building, f.route_id, f.branch_id,
             (select count(*)::int from {lift} o where o.building_id = f.building_id and o.active and o.status <> 'decommissioned' and o.id <> all($1::bigint[])) as stay
           from {lift} f join {building} b on b.id = f.building_id where f.id = any($1::bigint[]) and f.entity_id = $2`,
          [ids, unit.session.entityId],
        )
      ).map((one) => [one.id, one]),
    );
    const running = await runningLines(unit, ids);
    const lines = await knownLines(unit, [...running.values()]);
    const day = typeof record.effective_on === 'string' ? record.effective_on : null;
    const kind = record.transfer_kind;
    const touchesMoney = kind === 'owner' && record.contract_action !== 'none';
    const money = day !== null && touchesMoney ? await earnedOf(unit, [...lines.keys()], dayBefore(day)) : null;
    const [building] = await unit.query<{ customer_id: number }>('select customer_id from {building} where id = $1', [
      record.to_building_id ?? null,
    ]);
    const whole = kind === 'route' || kind === 'branch' || (kind === 'owner' && !record.to_building_id);
    return {
      lifts: await Promise.all(
        rows.map(async (row) => {
          const lift = lifts.get(Number(row.lift_id));
          if (!lift) return { problem: row.lift_id ? 'This lift does not exist.' : null };
          const line = lines.get(running.get(lift.id) ?? 0);
          const problem = (): string | null => {
            if (lift.status === 'decommissioned') return `Lift ${lift.lift_no} is decommissioned.`;
            if (kind === 'owner' && lift.customer_id === record.to_customer_id)
              return 'It belongs to this customer already.';
            if (kind === 'owner' && building && building.customer_id !== record.to_customer_id)
              return 'The building belongs to somebody else than the new owner.';
            if (kind === 'building' && lift.building_id === record.to_building_id)
              return 'It is in this building already.';
            if (kind === 'building' && building && building.customer_id !== lift.customer_id)
              return 'The building belongs to another customer. Transfer the lift to another owner.';
            if (whole && lift.stay > 0)
              return `${lift.stay} other lifts of ${lift.building} would move too. Take them along${kind === 'owner' ? ', or choose a building of the new owner' : ''}.`;
            if (line && touchesMoney && day !== null && (day <= line.from_on || day > line.to_on))
              return `Its contract runs from ${readableDay(line.from_on)} to ${readableDay(line.to_on)}. Choose a day within it.`;
            return null;
          };
          const part = line && money?.get(line.id);
          return {
            from_customer_id: lift.customer_id,
            from_building_id: lift.building_id,
            from_route_id: lift.route_id,
            from_branch_id: lift.branch_id,
            contract_line_id: line?.id ?? null,
            contract_id: line?.contract_id ?? null,
            price: line ? (day === null ? line.net : await priceOn(unit, line, day)) : null,
            earned: part?.earned ?? '0.00',
            unearned: part?.unearned ?? '0.00',
            problem: problem(),
          };
        }),
      ),
    };
  },
};
