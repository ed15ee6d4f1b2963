import { formatNumber } from '../../../descriptor/format.ts';
import { quoted, tableName } from '../../db/names.ts';
import { AppError } from '../../db/errors.ts';
import { companyPan, gstinErrors } from '../../platform/reference/gstin_errors.ts';
import { defineHooks } from '../../engine/records/hooks.ts';
import { existingTables } from '../../db/existing_tables.ts';
import { timeZoneErrors } from '../../services/clock/zones.ts';

const many = (count: number, one: string, more: string): string => `${formatNumber(count)} ${count === 1 ? one : more}`;

/**
 * Branches: their GSTIN must be the company's in their state, the time zone must exist, and a closed branch may have no
 * people.
 */
export default defineHooks({
  async check(session, record) {
    return [...(await gstinErrors(session, record, await companyPan(session))), ...timeZoneErrors(record)];
  },
  async leave({ tenant }, stored, how) {
    if (how !== 'deactivate') return null;
    const { db, schema } = tenant;
    const s = quoted(schema);
    const there = await existingTables(db, schema);
    const members = there.has('employee')
      ? `(select count(*)::int from ${tableName(schema, 'employee')} where active and status <> 'left' and branch_id = $1)`
      : '0';
    const [held] = await db.query<{ members: number; users: number }>(
      `select ${members} as members, (select count(distinct u.id)::int from ${s}.users u join ${s}.users__companies c on c.parent_id = u.id where u.active and u.status <> 'disabled' and c.branch_id = $1) as users`,
      [stored.id],
    );
    const filter = JSON.stringify(['and', ['branch_id', 'in', [stored.id]], ['status', 'ne', 'left']]);
    const people = `/employee?${new URLSearchParams({ filter }).toString()}`;
    const used = [
      { type: 'employee', title: 'Members', one: 'member', more: 'members', count: held!.members, route: people },
      { type: 'users', title: 'Users', one: 'user', more: 'users', count: held!.users, route: '/users' },
    ].filter(({ count }) => count > 0);
    if (used.length === 0) return null;
    const words = used.map(({ count, one, more }) => many(count, one, more)).join(' and ');
    throw new AppError(
      409,
      'in_use',
      `${String(stored.name)} still has ${words}. Move them to another branch first: choose them in their list and change the branch of all at once.`,
      {
        extra: { used_by: used.map(({ one: _one, more: _more, ...rest }) => rest) },
      },
    );
  },
});
