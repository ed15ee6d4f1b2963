import { Button } from '@fluentui/react-components';
import { StarFilled, StarRegular } from '@fluentui/react-icons';
import { useState } from 'react';
import { useLocation } from 'react-router-dom';
import type { PageStarProps } from './page_star.ts';
import { quickLinks, toggleQuickLink } from './quick_links.ts';
import styles from './star.module.css';

/** Where the links are shown. */
const HOME = new Set(['/', '/show_list', '/welcome_page']);

/** Adds a page to the quick links of Home. */
export default function QuickLinkStar({ title, path }: PageStarProps) {
  const { pathname, search } = useLocation();
  const links = quickLinks.use();
  const [busy, setBusy] = useState(false);
  const url = path ?? pathname + search;
  if (links === null || url.length > 500 || HOME.has(url)) return null;
  const starred = links.some((link) => link.own && link.url === url);
  const what = path === undefined ? 'this page' : title;
  const words = starred ? `Take ${what} out of your quick links` : `Keep ${what} as a quick link`;
  return (
    <Button
      className={styles.star}
      appearance="transparent"
      size="small"
      icon={starred ? <StarFilled /> : <StarRegular />}
      aria-label={words}
      title={words}
      aria-pressed={starred}
      data-starred={starred || undefined}
      disabledFocusable={busy}
      onClick={() => {
        setBusy(true);
        void toggleQuickLink(url, title).finally(() => setBusy(false));
      }}
    />
  );
}
