import type { Unit } from '../../engine/records/unit.ts';

/** The accounts whose roles in a company have an action: what concerns HR goes to the people who may act on it. */
export async function peopleWithAction(unit: Unit, company: number | null, action: string): Promise<number[]> {
  const rows = await unit.query<{ id: number }>(
    `select distinct u.id from {users} u join {users.companies} c on c.parent_id = u.id join {role} r on r.id = any(c.role_ids)
       join {role_action} a on a.role_id = r.id and a.action_code = $2 where u.active and u.status = 'active' and c.entity_id = $1`,
    [company, action],
  );
  return rows.map(({ id }) => Number(id));
}
