import type { RefObject } from 'react';
import { useEffect, useRef, useState } from 'react';

/** How long a page of a dashboard stays on a wall display. */
const PAGE_MS = 15_000;

/** An element's place in what scrolls, px. */
interface Placed {
  top: number;
  bottom: number;
}

/**
 * Where the next page of a scrolled area begins: at the first tile that is not shown whole, or further down within one
 * that is taller than the area; after the last one at the top again.
 */
export function nextPage(tiles: readonly Placed[], scrolled: number, height: number): number {
  const cut = tiles.find(({ bottom }) => bottom > scrolled + height + 1);
  if (!cut) return 0;
  return cut.top > scrolled + 1 ? cut.top : scrolled + height;
}

/**
 * Shows an element on the whole screen, as a wall display does: where its tiles are taller than the screen, the pages
 * take turns. `start` is null where the browser has no full screen.
 */
export function useFullScreen(): {
  frame: RefObject<HTMLDivElement | null>;
  isOn: boolean;
  start: (() => void) | null;
} {
  const frame = useRef<HTMLDivElement>(null);
  const [isOn, setOn] = useState(false);
  useEffect(() => {
    const changed = () => setOn(document.fullscreenElement !== null && document.fullscreenElement === frame.current);
    document.addEventListener('fullscreenchange', changed);
    return () => document.removeEventListener('fullscreenchange', changed);
  }, []);
  useEffect(() => {
    if (!isOn) return;
    const timer = setInterval(() => {
      const area = frame.current;
      if (!area) return;
      const from = area.getBoundingClientRect().top - area.scrollTop;
      const tiles = [...area.querySelectorAll(':scope > ul > li')].map((tile) => {
        const { top, bottom } = tile.getBoundingClientRect();
        return { top: top - from, bottom: bottom - from };
      });
      const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
      area.scrollTo({
        top: nextPage(tiles, area.scrollTop, area.clientHeight),
        behavior: calm ? 'auto' : 'smooth',
      });
    }, PAGE_MS);
    return () => clearInterval(timer);
  }, [isOn]);
  const start = document.fullscreenEnabled
    ? () => void frame.current?.requestFullscreen().catch(() => undefined)
    : null;
  return { frame, isOn, start };
}
