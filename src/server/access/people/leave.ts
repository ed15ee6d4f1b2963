import type { Leave } from '../../../domain/leave.ts';
import { quoted, tableName } from '../../db/names.ts';
import type { Tenant } from '../../db/tenant.ts';

/**
 * The approved leave of these people between two days, YYYY-MM-DD, both included; of everybody without `people`. A
 * client whose leave was never used has none.
 */
export async function leaveBetween(
  { db, schema }: Pick<Tenant, 'db' | 'schema'>,
  from: string,
  to: string,
  people?: readonly number[],
): Promise<Leave[]> {
  const [kept] = await db.query<{ there: boolean }>('select to_regclass($1) is not null as there', [
    `${quoted(schema)}.leave`,
  ]);
  if (!kept?.there) return [];
  return db.query<Leave>(
    `select employee_id, from_date::text as "from", to_date::text as "to", part from ${tableName(schema, 'leave')}
     where active and state = 'approved' and daterange(from_date, to_date, '[]') && daterange($1::date, $2::date, '[]')
       and ($3::bigint[] is null or employee_id = any($3)) order by employee_id, from_date, id`,
    [from, to, people ?? null],
  );
}

/** The people who are on leave on a whole day. */
export async function awayOn(tenant: Pick<Tenant, 'db' | 'schema'>, day: string): Promise<number[]> {
  const found = await leaveBetween(tenant, day, day);
  return found.filter(({ part }) => part === 'day').map(({ employee_id: id }) => id);
}
