import type { Unit } from '../../engine/records/unit.ts';

/**
 * Sets the employee who holds a designation, or all of them without `designation`: the one holder of its seats in office, if
 * that is an employee. Terms have their own history, so that of the designation does not have it.
 */
export async function setDesignationHolders(unit: Unit, designation: number | null): Promise<void> {
  await unit.query(
    `update {board_designation} d set employee_id = h.employee_id from (
       select b.id, case when count(distinct t.board_member_id) = 1 then min(m.employee_id) end as employee_id
       from {board_designation} b left join {board_position} s on s.designation_id = b.id and s.active
       left join {board_tenure} t on t.seat_id = s.id and t.active and t.state = 'active'
       left join {board_member} m on m.id = t.board_member_id
       where $1::bigint is null or b.id = $1 group by b.id) h
     where h.id = d.id and d.employee_id is distinct from h.employee_id`,
    [designation],
  );
}
