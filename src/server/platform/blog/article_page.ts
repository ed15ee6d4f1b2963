import { createHash } from 'node:crypto';
import { formatLongDate } from '../../../descriptor/format.ts';
import { dayIn } from '../../../descriptor/place.ts';
import { PLATFORM_ZONE } from '../../db/subscription.ts';
import { escapedHtml } from '../../services/mail/mail_html.ts';
import { cleanHtml } from '../../engine/records/rich_text.ts';

export interface Article {
  id: number;
  title: string;
  slug: string;
  summary: string | null;
  body: string;
  author: string;
  section: string;
  category: string | null;
  /** ISO 8601. */
  publish_at: string | null;
  updated_at: string;
  seo_title: string | null;
  seo_description: string | null;
  cover_alt: string | null;
  has_cover: boolean;
}

export interface ArticleList {
  articles: Pick<Article, 'title' | 'slug' | 'summary' | 'author' | 'section' | 'publish_at'>[];
  sections: { id: number; name: string }[];
  section: { id: number; name: string } | null;
  page: number;
  more: boolean;
}

/** One style sheet for both pages, allowed in the policy by its hash: no scripts, no external content. */
const STYLE = `:root{color-scheme:light dark;--page:#ffffff;--text:#242424;--line:#d6d6d6;--soft:#616161;--link:#0f548c}@media (prefers-color-scheme:dark){:root{--page:#1b1b1b;--text:#f0f0f0;--line:#424242;--soft:#adadad;--link:#77b7f0}}
*{box-sizing:border-box}body{margin:0;background:var(--page);color:var(--text);font:17px/1.6 'Segoe UI',system-ui,Roboto,Arial,sans-serif}main,.top{max-width:720px;margin:0 auto;padding:0 16px}.top{display:flex;gap:16px;align-items:baseline;padding-top:20px;padding-bottom:12px;border-bottom:1px solid var(--line)}.top a{font-weight:600;color:inherit;text-decoration:none}
a{color:var(--link)}h1{margin:32px 0 8px;font-size:clamp(26px,5vw,36px);line-height:1.2;overflow-wrap:anywhere}h2{margin:0 0 4px;font-size:20px;line-height:1.3}h2 a{color:inherit;text-decoration:none}h2 a:hover{text-decoration:underline}h3{margin:28px 0 8px;font-size:20px}h4{margin:24px 0 8px;font-size:17px}.by{margin:0 0 24px;color:var(--soft);font-size:14px}.lead{font-size:19px}
img{display:block;max-width:100%;height:auto;border-radius:8px;margin:0 0 24px}pre{overflow-x:auto;padding:12px;border:1px solid var(--line);border-radius:6px}blockquote{margin:16px 0;padding:0 0 0 16px;border-left:3px solid var(--line);color:var(--soft)}
ul.list{margin:16px 0;padding:0;list-style:none}ul.list li{padding:20px 0;border-top:1px solid var(--line)}ul.list li:first-child{border-top:0}ul.list p{margin:0}nav{display:flex;flex-wrap:wrap;gap:4px 16px;margin:16px 0;font-size:15px}nav a,nav b{padding:6px 0}.note{margin:16px 0 0;padding:8px 12px;border:1px solid var(--line);border-radius:6px;font-size:14px}footer{margin:48px 0 24px;color:var(--soft);font-size:14px}.top a.write{margin-left:auto;font-weight:400;font-size:15px;color:var(--link)}
form{display:grid;gap:4px;max-width:520px;margin:24px 0}label{margin-top:12px;font-size:15px;font-weight:600}input,textarea,button{width:100%;min-height:44px;padding:8px 12px;border:1px solid var(--soft);border-radius:6px;background:var(--page);color:inherit;font:inherit}textarea{resize:vertical}button{width:auto;justify-self:start;margin-top:16px;padding:8px 24px;border-color:var(--link);background:var(--link);color:var(--page);font-weight:600;cursor:pointer}.away{position:absolute;left:-9999px}`;

/** The content security policy of a page of the site; `forms`: allowed form targets. */
export function sitePolicy(forms: string): string {
  return `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; img-src 'self'; base-uri 'none'; form-action ${forms}; frame-ancestors 'none'`;
}
export const ARTICLE_POLICY = sitePolicy(`'none'`);

const dayOf = (at: string | null) =>
  at === null
    ? ''
    : `<time datetime="${escapedHtml(new Date(at).toISOString())}">${formatLongDate(dayIn(PLATFORM_ZONE, Date.parse(at)))}</time>`;
const joined = (parts: string[]) => parts.filter((part) => part !== '').join(' · ');

/** A page of the public site. */
export function sitePage(
  site: string,
  title: string,
  {
    description,
    canonical,
    head = '',
    from = '',
    body,
  }: { description: string | null; canonical: string | null; head?: string; from?: string; body: string },
): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<title>${escapedHtml(title)} · ${escapedHtml(site)}</title>
${description ? `<meta name="description" content="${escapedHtml(description)}">\n` : ''}${canonical ? `<link rel="canonical" href="${escapedHtml(canonical)}">\n` : ''}${head}<style>${STYLE}</style></head>
<body><header class="top"><a href="/articles">${escapedHtml(site)}</a><span>Blog</span><a class="write" href="/enquiry${from === '' ? '' : `?from=${encodeURIComponent(from)}`}">Write to us</a></header>
<main>
${body}
</main></body></html>`;
}

/** A published article; `preview`: the signed path of an unpublished one. */
export function articlePage(
  site: string,
  article: Article,
  { address, preview = null }: { address: string; preview?: string | null },
): string {
  const description = article.seo_description ?? article.summary;
  const at = preview ?? `/articles/${article.slug}`;
  const head = preview
    ? '<meta name="robots" content="noindex">\n'
    : `<meta property="og:type" content="article">\n<meta property="og:title" content="${escapedHtml(article.seo_title ?? article.title)}">\n<meta property="og:url" content="${escapedHtml(address + at)}">\n${article.has_cover ? `<meta property="og:image" content="${escapedHtml(`${address}${at}/cover`)}">\n` : ''}`;
  return sitePage(site, article.seo_title ?? article.title, {
    description,
    canonical: preview ? null : address + at,
    head,
    from: preview ? '' : at,
    body: `${preview ? '<p class="note">Preview: not published. This address opens for one hour.</p>\n' : ''}<article>
<h1>${escapedHtml(article.title)}</h1>
<p class="by">${joined([dayOf(article.publish_at), escapedHtml(article.author), escapedHtml(article.category ?? article.section)])}</p>
${article.has_cover ? `<img src="${escapedHtml(at)}/cover" alt="${escapedHtml(article.cover_alt ?? '')}">\n` : ''}${article.summary ? `<p class="lead">${escapedHtml(article.summary)}</p>\n` : ''}${cleanHtml(article.body)}
</article>
<footer><a href="/articles">All articles</a></footer>`,
  });
}

/** The published articles, newest first, ten a page. */
export function listPage(
  site: string,
  { articles, sections, section, page: number, more }: ArticleList,
  address: string,
): string {
  const at = (one: number, wanted = section?.id) => {
    const query = new URLSearchParams({
      ...(wanted !== undefined && { section: String(wanted) }),
      ...(one > 1 && { page: String(one) }),
    }).toString();
    return `/articles${query === '' ? '' : `?${query}`}`;
  };
  const choices = [
    section ? `<a href="/articles">All</a>` : '<b>All</b>',
    ...sections.map(({ id, name }) =>
      id === section?.id ? `<b>${escapedHtml(name)}</b>` : `<a href="/articles?section=${id}">${escapedHtml(name)}</a>`,
    ),
  ];
  const items = articles.map(
    (one) => `<li><h2><a href="/articles/${escapedHtml(one.slug)}">${escapedHtml(one.title)}</a></h2>
<p class="by">${joined([dayOf(one.publish_at), escapedHtml(one.author), escapedHtml(one.section)])}</p>${one.summary ? `\n<p>${escapedHtml(one.summary)}</p>` : ''}</li>`,
  );
  const turns = [
    number > 1 ? `<a rel="prev" href="${escapedHtml(at(number - 1))}">Newer</a>` : '',
    more ? `<a rel="next" href="${escapedHtml(at(number + 1))}">Older</a>` : '',
  ].filter((one) => one !== '');
  return sitePage(site, section ? section.name : 'Articles', {
    description: null,
    canonical: address + at(number),
    body: `<h1>${escapedHtml(section ? section.name : 'Articles')}</h1>
${sections.length > 1 ? `<nav aria-label="Sections">${choices.join('')}</nav>\n` : ''}${items.length > 0 ? `<ul class="list">\n${items.join('\n')}\n</ul>` : '<p>Nothing has been published here yet.</p>'}
${turns.length > 0 ? `<nav aria-label="Pages">${turns.join('')}</nav>` : ''}`,
  });
}

/** The page for an address without an article. */
export function missingPage(site: string): string {
  return sitePage(site, 'Not found', {
    description: null,
    canonical: null,
    head: '<meta name="robots" content="noindex">\n',
    body: '<h1>There is no such article</h1>\n<p>It may have been withdrawn. <a href="/articles">All articles</a></p>',
  });
}
