import { OpenRegular } from '@fluentui/react-icons';
import { Link } from 'react-router-dom';
import { menu } from '../../api/screens.ts';
import { MenuIcon } from '../layout/MenuIcon.tsx';
import { pageStar } from '../quick_links/page_star.ts';
import type { QuickLink } from '../quick_links/quick_links.ts';
import { quickLinks } from '../quick_links/quick_links.ts';
import { matchPath, matchScreen } from '../screen_routes.ts';
import { Card } from './Card.tsx';
import styles from './home.module.css';

/** The person's own links, those of their roles and the general ones; nothing if there are none. */
export function QuickLinks() {
  const links = quickLinks.use();
  const { screens, pages } = menu.use();
  const Star = pageStar.use();
  // Shares the icon file of the menu; pages that this person cannot open are left out.
  const open = (links ?? []).flatMap((link) => {
    const place = placeOf(link, screens, pages);
    return place === null ? [] : [{ ...link, ...place }];
  });
  if (open.length === 0) return null;
  return (
    <Card title="Quick links">
      <ul className={styles.lines}>
        {open.map((link) => (
          <li key={link.id} data-star={link.own || undefined}>
            {link.outside ? (
              <a href={link.url} target="_blank" rel="noopener noreferrer">
                <MenuIcon name={link.icon ?? 'Link'} />
                <span>{link.title}</span>
                <OpenRegular aria-label="opens in a new tab" />
              </a>
            ) : (
              <Link to={link.url}>
                <MenuIcon name={link.icon ?? undefined} />
                <span>{link.title}</span>
              </Link>
            )}
            {link.own && Star && <Star title={link.title} path={link.url} />}
          </li>
        ))}
      </ul>
    </Card>
  );
}

function placeOf(
  link: QuickLink,
  screens: Parameters<typeof matchScreen>[0],
  pages: string[],
): { outside: boolean; icon: string | null } | null {
  if (!link.url.startsWith('/')) return { outside: true, icon: link.icon };
  const [path = '', search = ''] = link.url.split(/(?=\?)/);
  const match = matchScreen(screens, path, search);
  if (match) return match.ref.rights[match.page] ? { outside: false, icon: link.icon ?? match.ref.icon ?? null } : null;
  return pages.some((one) => matchPath(one, path) !== null) ? { outside: false, icon: link.icon } : null;
}
