import type { Database } from '../../db/database.ts';
import type { Article, ArticleList } from './article_page.ts';

/** An article with the file of its cover. */
export type StoredArticle = Article & { cover: number | null };

export const A_PAGE = 10;
const ARTICLE = `select b.id, b.title, b.slug, b.summary, b.body, b.author, b.publish_at, b.updated_at, b.seo_title, b.seo_description,
  s.name as section, c.name as category, i.alt_text as cover_alt, i.file is not null as has_cover, i.file as cover
  from public.blog b join public.blog_sect_categ s on s.id = b.section_id left join public.blog_sect_categ c on c.id = b.category_id left join public.image i on i.id = b.cover_id and i.active`;
const PUBLIC = `b.active and b.state = 'published' and b.slug is not null`;

/** The published article with this address. */
export async function publishedArticle(main: Database, slug: string): Promise<StoredArticle | undefined> {
  const [row] = await main.query<StoredArticle>(`${ARTICLE} where ${PUBLIC} and lower(b.slug) = lower($1)`, [slug]);
  return row;
}

/** An article as it is stored, whatever its state. */
export async function storedArticle(main: Database, id: number): Promise<StoredArticle | undefined> {
  const [row] = await main.query<StoredArticle>(`${ARTICLE} where b.active and b.id = $1`, [id]);
  return row;
}

/** The new address of an article that was public at another address. */
export async function movedTo(main: Database, slug: string): Promise<string | undefined> {
  const [row] = await main.query<{ slug: string }>(
    `select b.slug from public.blog b where ${PUBLIC} and $1 = any(b.old_slugs)`,
    [slug.toLowerCase()],
  );
  return row?.slug;
}

/** The sections that have public articles. */
export function sectionsToRead(main: Database): Promise<{ id: number; name: string }[]> {
  return main.query<{ id: number; name: string }>(
    `select s.id, s.name from public.blog_sect_categ s where s.active and exists (select 1 from public.blog b where b.section_id = s.id and ${PUBLIC}) order by s.sequence_no, s.name`,
  );
}

/** A page of the public articles, the newest first, with one more where there is a next page. */
export function articlesToRead(main: Database, section: number | null, page: number): Promise<ArticleList['articles']> {
  return main.query<ArticleList['articles'][number]>(
    `select b.title, b.slug, b.summary, b.author, b.publish_at, s.name as section from public.blog b join public.blog_sect_categ s on s.id = b.section_id
     where ${PUBLIC} and ($1::bigint is null or b.section_id = $1) order by b.publish_at desc nulls last, b.id desc limit ${A_PAGE + 1} offset $2`,
    [section, (page - 1) * A_PAGE],
  );
}

/** Scheduled articles whose time has come. */
export async function dueArticles(main: Database): Promise<number[]> {
  const due = await main.query<{ id: number }>(
    `select id from public.blog where active and state = 'scheduled' and slug is not null and publish_at <= now() order by publish_at, id`,
  );
  return due.map(({ id }) => id);
}
