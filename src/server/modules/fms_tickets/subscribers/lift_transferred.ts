import type { Subscriber } from '../../../engine/modules.ts';

/**
 * Open calls of transferred lifts follow, if the transfer says so, to the owner, building, branch and route of the
 * lift, and to the contract line that continues. Their cover stays that of the day of the report.
 */
export const liftTransferred: Subscriber = {
  async run({ event, unit }) {
    const { tickets, lines } = event.payload as unknown as {
      tickets: string | null;
      lines: { lift_id: number; new_line_id: number | null }[];
    };
    if (tickets !== 'move') return;
    const calls = await unit.query<{ id: number; status: string; lift_id: number; team_id: number | null }>(
      `select t.id, t.status, f.id as lift_id, f.customer_id, b.id as building_id, b.branch_id, b.route_id, r.team_id
       from {fms_ticket} t join {lift} f on f.id = t.lift_id join {building} b on b.id = f.building_id left join {route_mstr} r on r.id = b.route_id
       where t.lift_id = any($1::bigint[]) and t.active
         and t.status in ('new', 'assigned', 'accepted', 'travelling', 'attending', 'paused') order by t.id`,
      [lines.map(({ lift_id: id }) => id)],
    );
    for (const { id, status, lift_id: lift, team_id: team, ...place } of calls) {
      const next = lines.find((one) => one.lift_id === lift)?.new_line_id ?? null;
      const [line] = await unit.query<{ contract_line_id: number; contract_id: number }>(
        'select id as contract_line_id, contract_id from {contract_line} where id = $1',
        [next],
      );
      await unit.update('fms_ticket', id, {
        ...place,
        ...line,
        // An unassigned call is offered to the team of the route.
        ...(status === 'new' && team !== null && { team_id: team }),
      });
    }
  },
};
