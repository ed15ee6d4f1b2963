import type { LiveSession } from '../../../access/sessions/session_store.ts';
import type { Fill } from '../../../engine/modules.ts';
import { mediaFor } from '../../../platform/media/media_feed.ts';

/** Links to the articles of the service that are published for this person, in the order of the service. */
export const articles: Fill = {
  async run({ unit, record }) {
    const [service] = await unit.query<{ ids: number[] | null }>(
      'select article_ids as ids from {service} where id = $1',
      [record.service_id ?? null],
    );
    const ids = service?.ids ?? [];
    const { session } = unit;
    if (ids.length === 0 || session.entityId === null) return { articles: null };
    const found = await mediaFor(session as LiveSession, session.entityId, 'm.id = any($7::bigint[])', [ids]);
    const shown = found.toSorted((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id));
    return {
      articles: shown.map(({ id, title }) => `- [${inLink(title)}](/media_page?item=${id})`).join('\n') || null,
    };
  },
};

/** A title as the text of a link: its brackets would end it. */
const inLink = (title: string): string => title.replaceAll(/[[\]\\]/g, String.raw`\$&`);
