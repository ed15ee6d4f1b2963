import type { FieldError } from '../../../descriptor/types.ts';
import { tableName } from '../../db/names.ts';
import type { Tenant } from '../../db/tenant.ts';

/** Whether the term is of a director's seat and has no consent: nobody becomes a director without one (s. 152(5)). */
export async function missingConsent(
  { db, schema }: Tenant,
  { seat_id: seat, board_member_id: member, consent }: Record<string, unknown>,
): Promise<FieldError[]> {
  if (consent !== null && consent !== undefined) return [];
  const [director] = await db.query<{ name: string }>(
    `select m.name from ${tableName(schema, 'board_position')} p
     join ${tableName(schema, 'board_designation')} d on d.id = p.designation_id and d.is_director
     join ${tableName(schema, 'board_member')} m on m.id = $2 where p.id = $1`,
    [seat, member],
  );
  return director ? [{ field: 'consent', message: `Attach the consent (DIR-2) of ${director.name}.` }] : [];
}
