import type { WireRecord } from '../../../descriptor/types.ts';
import { quoted } from '../../db/names.ts';
import { defineHooks } from '../../engine/records/hooks.ts';
import { beyondCurrentRights } from '../../access/rights/elevation.ts';

/** Roles: predefined ones stay, and a role must be removed from its holders first. */
export default defineHooks({
  async leave(session, stored: WireRecord, how, screens) {
    // Its holders get back what it grants.
    if (how === 'activate') return beyondCurrentRights(session, [stored.id], screens);
    const { tenant } = session;
    if (how === 'delete' && stored.is_system === true)
      return 'This role is shipped with the product. Deactivate it instead.';
    const s = quoted(tenant.schema);
    const held = await tenant.db.query<{ name: string }>(
      `select distinct u.name from ${s}.users__companies c join ${s}.users u on u.id = c.parent_id where $1 = any(c.role_ids) and u.active and u.status <> 'disabled' order by u.name limit 6`,
      [stored.id],
    );
    if (held.length === 0) return null;
    const names = held
      .slice(0, 5)
      .map(({ name }) => name)
      .join(', ');
    return `${names}${held.length > 5 ? ' and others' : ''} hold${held.length === 1 ? 's' : ''} this role. Give them another one under Users first.`;
  },
});
