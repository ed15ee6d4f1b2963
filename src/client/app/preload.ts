/** The delay before a hovered link is preloaded; a passing pointer loads nothing. */
const RESTS_MS = 80;

/** The link of this application that contains an element. */
function linkOf(target: EventTarget | null): HTMLAnchorElement | null {
  const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href]') : null;
  return link && link.origin === location.origin && link.target !== '_blank' ? link : null;
}

/**
 * Preloads what the next page needs: the script of lists when idle, and the descriptor and script of a page whose link
 * is hovered, focused or pressed. @returns the function that stops it
 */
export function preloadNextPages(): () => void {
  let rests: ReturnType<typeof setTimeout> | undefined;
  // A failed preload is repeated when the page is needed, and errors are shown then.
  const fetchFor = (link: HTMLAnchorElement) =>
    void import('./screen_page.tsx')
      .then(({ preloadAddress }) => preloadAddress(link.pathname, link.search))
      .catch(() => undefined);
  const over = (event: PointerEvent) => {
    clearTimeout(rests);
    const link = linkOf(event.target);
    if (link) rests = setTimeout(() => fetchFor(link), RESTS_MS);
  };
  const now = (event: Event) => {
    const link = linkOf(event.target);
    if (link) fetchFor(link);
  };
  const list = () => void import('./screen_page.tsx').then(({ preloadList }) => preloadList()).catch(() => undefined);
  const idle = typeof requestIdleCallback === 'function' ? requestIdleCallback(list, { timeout: 5_000 }) : null;
  document.addEventListener('pointerover', over);
  document.addEventListener('pointerdown', now);
  document.addEventListener('focusin', now);
  return () => {
    clearTimeout(rests);
    if (idle !== null) cancelIdleCallback(idle);
    document.removeEventListener('pointerover', over);
    document.removeEventListener('pointerdown', now);
    document.removeEventListener('focusin', now);
  };
}
