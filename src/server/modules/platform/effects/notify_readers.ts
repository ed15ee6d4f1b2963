import type { Effect } from '../../../engine/modules.ts';
import { MANUAL } from '../../../platform/manuals/manual.ts';

/** Notifies the readers of a manual that there is a new version. */
export const notifyReaders: Effect = {
  async apply({ unit, record }) {
    const people = await unit.query<{ id: number }>(
      `select u.id from {users} u where u.active and u.status = 'active' and not coalesce(u.is_service, false) and u.id <> $1
         and ($2::bigint[] = '{}' or exists (select 1 from {users.companies} c where c.parent_id = u.id and c.role_ids && $2))`,
      [unit.session.userId, record.audience ?? []],
    );
    await unit.notify({
      event: 'manual.published',
      to: people.map(({ id }) => id),
      values: { title: String(record.full_title) },
      link: `/usermanual_view/${String(record.batch_value)}`,
      record: { type: MANUAL, id: record.id },
    });
  },
};
