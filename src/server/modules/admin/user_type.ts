import { defineHooks } from '../../engine/records/hooks.ts';

/** User types: only people with full access grant it, and the last type that gives somebody full access stays. */
export default defineHooks({
  async check(session, record, stored) {
    const [before, after] = [stored?.is_super === true, record.is_super === true];
    if (before === after) return [];
    if (!session.rights.isAdmin)
      return [{ field: 'is_super', message: 'Only a platform administrator with all rights can give or remove this.' }];
    return before && !(await otherHolders(session.tenant.db, stored!.id))
      ? [{ field: 'is_super', message: 'No other user type with users has full access.' }]
      : [];
  },
  async leave(session, stored, how) {
    if (how === 'activate' || stored.is_super !== true) return null;
    return (await otherHolders(session.tenant.db, stored.id)) ? null : 'No other user type with users has full access.';
  },
});

async function otherHolders(
  db: { query(text: string, values: unknown[]): Promise<unknown[]> },
  id: number,
): Promise<boolean> {
  return (
    (
      await db.query(
        'select 1 from public.common_user u join public.user_type t on t.id = u.user_type_id where t.id <> $1 and t.is_super and t.active and u.active limit 1',
        [id],
      )
    ).length > 0
  );
}
