import type { FieldError } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import { defineHooks } from '../../engine/records/hooks.ts';

const LONGEST = 100;

/** The slug of an article: "Lifts & doors: 10 facts" → lifts-doors-10-facts. */
export function slugOf(title: string): string {
  const plain = title
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase();
  return (
    plain
      .replace(/['’]/g, '')
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-+|-+$/g, '')
      .slice(0, LONGEST)
      .replace(/-+$/, '') || 'article'
  );
}

/** Articles that have or had this slug. */
function holders({ tenant }: Session, slug: unknown, id: number): Promise<{ slug: string }[]> {
  return tenant.db.query<{ slug: string }>(
    'select slug from public.blog where id <> $2 and (lower(slug) = lower($1) or $1 = any(old_slugs))',
    [slug, id],
  );
}

/** Articles: the slug is made from the title and redirects after a change; sets the publication day. */
export default defineHooks({
  async fill(session, record, stored) {
    const set: Record<string, unknown> = {};
    const id = stored?.id ?? 0;
    if (!record.slug) {
      const base = slugOf(String(record.title ?? ''));
      let slug = base;
      for (let n = 2; (await holders(session, slug, id)).length > 0; n++) slug = `${base}-${n}`;
      set.slug = slug;
    }
    const slug = set.slug ?? record.slug;
    const wasPublic =
      stored !== null &&
      (stored.first_published_at !== null || stored.state === 'published' || stored.state === 'withdrawn');
    if (wasPublic && stored.slug && stored.slug !== slug) {
      const before = ((stored.old_slugs as string[] | null) ?? []).filter((one) => one !== slug && one !== stored.slug);
      set.old_slugs = [...before, stored.slug];
    }
    return set;
  },
  async check(session, record, stored) {
    const errors: FieldError[] = [];
    if (
      record.slug &&
      record.slug !== stored?.slug &&
      (await holders(session, record.slug, stored?.id ?? 0)).length > 0
    )
      errors.push({
        field: 'slug',
        message: `Another article is, or was, at "${String(record.slug)}". Choose another word.`,
      });
    if (
      record.state === 'published' &&
      stored?.publish_at !== record.publish_at &&
      Date.parse(String(record.publish_at)) > Date.now()
    )
      errors.push({
        field: 'publish_at',
        message: 'This date is in the future, but the article is already published.',
      });
    return errors;
  },
});
