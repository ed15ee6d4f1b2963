import type { SeatHolder } from '../../../domain/board/composition.ts';
import type { Unit } from '../../engine/records/unit.ts';
import { chairOf } from './judge_rules.ts';

/** Updates the current membership of a unit and of its meetings, because access follows from it. */
export async function setMembers(unit: Unit, unitId: number): Promise<void> {
  const rows = await unit.query<{ id: number; user_id: number | null; category: SeatHolder['category'] }>(
    `select distinct t.board_member_id as id, coalesce(m.user_id, e.user_id) as user_id, d.category
     from {board_tenure} t join {board_position} s on s.id = t.seat_id join {board_designation} d on d.id = s.designation_id
     join {board_member} m on m.id = t.board_member_id
     left join {employee} e on e.id = m.employee_id
     where s.unit_id = $1 and t.state = 'active' and t.active order by 1`,
    [unitId],
  );
  const accounts = [...new Set(rows.flatMap(({ user_id: user }) => user ?? []))];
  await unit.update('board_unit', unitId, {
    member_ids: [...new Set(rows.map(({ id }) => id))],
    member_user_ids: accounts,
    chair_user_ids: [chairOf(rows)?.user_id ?? []].flat(),
  });
  // Access to the papers of meetings follows too; their history does not change by it.
  await unit.query('update {board_meeting} set member_user_ids = $2 where unit_id = $1', [unitId, accounts]);
}
