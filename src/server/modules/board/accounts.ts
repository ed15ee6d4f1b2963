import type { Unit } from '../../engine/records/unit.ts';

/** The accounts of a company with the flag of an office. */
export async function accountsWith(
  unit: Unit,
  company: number,
  flags: readonly ('chairman' | 'ceo')[],
): Promise<number[]> {
  const rows = await unit.query<{ id: number }>(
    `select distinct u.id from {users} u join {users.companies} c on c.parent_id = u.id
     where (${flags.map((flag) => `u.${flag}_flag`).join(' or ')}) and u.active and u.status = 'active' and c.entity_id = $1 order by u.id`,
    [company],
  );
  return rows.map(({ id }) => Number(id));
}
