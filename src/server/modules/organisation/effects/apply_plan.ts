import { orderOfMoves } from '../../../../domain/organisation/reorganisation.ts';
import { notifyNewManager } from '../../../access/people/people_notices.ts';
import { ensureTables } from '../../../db/tenants.ts';
import type { Effect } from '../../../engine/modules.ts';
import { movesOfPlan, peopleOfPlan, placesOf, rowsOfPlan } from '../plan_moves.ts';

/** Carries out all moves of a plan in one transaction; each is an entry in the history of its person. */
export const applyPlan: Effect = {
  elevated: true,
  locks: ({ record }) => Promise.resolve([...movesOfPlan(record).keys()].map((id) => ({ type: 'employee', id }))),
  async apply({ unit: person, services, record }) {
    const unit = person.elevated();
    await ensureTables(unit.session.tenant, services.screens(), ['employee_history']);
    const moves = movesOfPlan(record);
    const from = String(record.effective_on);
    const remark = `${String(record.name)}: ${String(record.reason)}`;
    const placeOf = new Map(rowsOfPlan(record).map((row) => [row.employee_id as number, placesOf(row)]));
    for (const id of orderOfMoves(await peopleOfPlan(unit), moves)) {
      const to = moves.get(id)!;
      const place = placeOf.get(id) ?? {};
      const isTransfer = Object.keys(place).length > 0;
      const change = await unit.create('employee_history', {
        ...place,
        employee_id: id,
        change: isTransfer ? 'transfer' : 'manager',
        effective_from: from,
        reporting_to_id: to,
        no_manager: to === null,
        moves_open: record.moves_open === true,
        remark,
      });
      const before = await unit.read('employee', id);
      const now = await unit.update('employee', id, {
        ...place,
        // A sub-department belongs to its department.
        ...(place.department_id !== undefined &&
          place.department_id !== before.department_id && { subdepartment_id: null }),
        reporting_to_id: to,
      });
      await unit.update('employee_history', change.id, {
        state: 'done',
        result: isTransfer ? 'Moved by a plan.' : 'Manager changed.',
      });
      const { session } = unit;
      if (before.reporting_to_id === now.reporting_to_id) continue;
      await notifyNewManager(
        services.notifications,
        session.tenant.db,
        session,
        { before, now },
        { effective_from: from, remark },
      );
    }
  },
};
