import type { Effect } from '../../../engine/modules.ts';
import { dayOfRecord } from '../../../engine/records/day_of_record.ts';
import { accountsOf, notifyOfTicket } from '../ticket_people.ts';
import { assignmentsOf, ended, noted, peopleOf } from '../ticket_rows.ts';

/** Records an assignment: the rows, the time limit for the answer, and a push notification. */
export const assigned: Effect = {
  elevated: true,
  async apply({ unit, record, before }) {
    const all = unit.elevated();
    const now = unit.at;
    const [definition] = await all.query<{ accept_minutes: number | null }>(
      'select accept_minutes from {ticket_definition} where id = $1',
      [record.ticket_definition_id],
    );
    const minutes = definition?.accept_minutes ?? null;
    // The answer to work planned for another day is not due within minutes.
    const answers = minutes !== null && !record.planned_on && record.source !== 'schedule';
    const rows = ended(assignmentsOf(record), now.toISOString());
    const [team] = await all.query<{ team_id: number }>(
      `select m.parent_id as team_id from {team.members} m where m.employee_id = $1 and m."from" <= $2::date and coalesce(m."to", 'infinity') >= $2::date order by m.id desc limit 1`,
      [record.technician_id, dayOfRecord(unit, record)],
    );
    await all.update('fms_ticket', record.id, {
      assignments: noted(rows, peopleOf(record), { assigned_at: now.toISOString() }),
      offer_ends_at: answers ? new Date(now.getTime() + minutes * 60_000).toISOString() : null,
      ...(team && { team_id: team.team_id }),
    });
    const people = peopleOf(record);
    await notifyOfTicket(all, record, 'fms.assigned', await accountsOf(all, people));
    const left = before ? peopleOf(before).filter((one) => !people.includes(one)) : [];
    await notifyOfTicket(all, record, 'fms.taken_away', await accountsOf(all, left));
  },
};
