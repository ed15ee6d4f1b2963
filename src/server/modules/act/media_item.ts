import type { Session } from '../../access/context.ts';
import { quoted } from '../../db/names.ts';
import { defineHooks } from '../../engine/records/hooks.ts';
import type { LiveSession } from '../../access/sessions/session_store.ts';

interface MediaRules {
  moderation: boolean;
  poster_roles: number[];
}

/** Who may post in the company, and whether posts need approval, by its media page configuration. */
async function rulesOf({ tenant, entityId }: Session): Promise<MediaRules> {
  const table = `${quoted(tenant.schema)}.media_page_config`;
  // The table is created on first use.
  const [found] = await tenant.db.query<{ there: boolean }>({
    name: 'media_rules_there',
    text: 'select to_regclass($1) is not null as there',
    values: [table],
  });
  const rows = found?.there
    ? await tenant.db.query<MediaRules>(
        `select coalesce(moderation, false) as moderation, coalesce(poster_roles, '{}') as poster_roles from ${table} where active and entity_id = $1 order by id limit 1`,
        [entityId],
      )
    : [];
  return rows[0] ?? { moderation: false, poster_roles: [] };
}

/** People with the page right "approval" on media moderate other people's posts. */
const isModerator = ({ rights }: LiveSession) => rights.isAdmin || rights.holds(['SCN_MEDIA'], 'approval_screen');

/** Media: who may post, and which posts wait for a moderator. */
export default defineHooks({
  async fill(session, record, stored) {
    if (record.state !== 'published' || stored?.state === 'published' || isModerator(session as LiveSession)) return {};
    return (await rulesOf(session)).moderation ? { state: 'in_moderation' } : {};
  },
  async check(session, _record, stored) {
    const { isAdmin } = session.rights;
    const { moderation, poster_roles: posters } = await rulesOf(session);
    if (!isAdmin && posters.length > 0 && !(session as LiveSession).roleIds.some((role) => posters.includes(role)))
      return [
        {
          field: 'title',
          message: 'Your roles cannot post here. An administrator can change this in Media page configuration.',
        },
      ];
    if (moderation && stored?.state === 'published' && !isModerator(session as LiveSession))
      return [
        { field: 'state', message: 'This is published already. Ask a moderator to change it, or post a new item.' },
      ];
    return [];
  },
});
