import type { Session } from '../../access/context.ts';
import { defineHooks } from '../../engine/records/hooks.ts';

const lastOne = 'At least one platform administrator with all rights must remain.';

async function isSuper({ tenant }: Session, userType: unknown): Promise<boolean> {
  return (
    (await tenant.db.query('select 1 from public.user_type where id = $1 and is_super and active', [userType])).length >
    0
  );
}

/** Whether another account would still have full access. */
async function otherSuper({ tenant }: Session, id: number): Promise<boolean> {
  const rows = await tenant.db.query(
    'select 1 from public.common_user u join public.user_type t on t.id = u.user_type_id join public.credential c on c.user_id = u.id where u.id <> $1 and u.active and t.active and t.is_super limit 1',
    [id],
  );
  return rows.length > 0;
}

/** Common users: nobody grants more than they hold, and the last account with full access stays. */
export default defineHooks({
  async check(session, record, stored) {
    const [before, after] = [
      stored !== null && (await isSuper(session, stored.user_type_id)),
      await isSuper(session, record.user_type_id),
    ];
    if (!session.rights.isAdmin && (before || after))
      return [
        {
          field: 'user_type_id',
          message: 'Only a platform administrator with all rights can assign or change this user type.',
        },
      ];
    if (stored && before && !after && !(await otherSuper(session, stored.id)))
      return [{ field: 'user_type_id', message: lastOne }];
    return [];
  },
  /** Invites a new account by a job: once, and again if the mail could not be written. */
  async saved({ tenant }, record) {
    if (record.version !== 1 || record.status === 'invited') return;
    await tenant.db.query(
      `with q as (insert into public.job (schema_name, name, payload, unique_key) values ('public', 'common_user_invite', jsonb_build_object('user', $1::bigint), $1::text) on conflict do nothing)
       select pg_notify('mainstay', '{"kind":"job"}')`,
      [record.id],
    );
  },
  async leave(session, stored, how) {
    if (how === 'activate') return null;
    if (stored.id === session.userId) return 'You cannot deactivate yourself.';
    if (!(await isSuper(session, stored.user_type_id))) return null;
    if (!session.rights.isAdmin) return 'Only a platform administrator with all rights can change this user.';
    return (await otherSuper(session, stored.id)) ? null : lastOne;
  },
});
