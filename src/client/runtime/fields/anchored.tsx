import type { ReactNode, RefObject } from 'react';
import { useEffect, useLayoutEffect, useRef } from 'react';
import styles from './anchored.module.css';

interface AnchoredProps {
  /** What it hangs on. */
  anchor: RefObject<HTMLElement | null>;
  onClose: () => void;
  /** A click outside; without a handler it closes. */
  onOutside?: () => void;
  /** At least as wide as the anchor. */
  wide?: boolean;
  className?: string;
  children: ReactNode;
}

const gap = 4;
const edge = 8;

/**
 * A layer below (or above) a control. It is in the browser's top layer, so no dialog or scroll container clips it, and
 * it stays next to the control in the DOM, so the focus order is right.
 */
export function Anchored({ anchor, onClose, onOutside = onClose, wide = false, className, children }: AnchoredProps) {
  const layer = useRef<HTMLDivElement>(null);
  const closing = useRef(onClose);
  closing.current = onClose;
  const outside = useRef(onOutside);
  outside.current = onOutside;

  useLayoutEffect(() => {
    const element = layer.current;
    if (!element) return;
    element.showPopover?.();
    const place = () => {
      const from = anchor.current?.getBoundingClientRect();
      if (!from) return;
      if (wide) element.style.minWidth = `${Math.min(from.width, innerWidth - 2 * edge)}px`;
      const { width, height } = element.getBoundingClientRect();
      const below = innerHeight - from.bottom - gap - edge;
      const above = from.top - gap - edge;
      const over = height > below && above > below;
      element.style.maxHeight = `${Math.max(120, over ? above : below)}px`;
      element.style.top = `${over ? Math.max(edge, from.top - gap - Math.min(height, above)) : from.bottom + gap}px`;
      element.style.left = `${Math.max(edge, Math.min(from.left, innerWidth - width - edge))}px`;
    };
    place();
    const watch = typeof ResizeObserver === 'function' ? new ResizeObserver(place) : null;
    watch?.observe(element);
    addEventListener('scroll', place, true);
    addEventListener('resize', place);
    return () => {
      watch?.disconnect();
      removeEventListener('scroll', place, true);
      removeEventListener('resize', place);
    };
  }, [anchor, wide]);

  useEffect(() => {
    const pointer = (event: PointerEvent) => {
      const target = event.target as Node;
      if (!layer.current?.contains(target) && !anchor.current?.contains(target)) outside.current();
    };
    // In the capture phase: Esc closes this layer, not the dialog or form below.
    const key = (event: KeyboardEvent) => {
      // A nested layer is closed first.
      if (event.key !== 'Escape' || layer.current?.querySelector('[popover]')) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      closing.current();
    };
    document.addEventListener('pointerdown', pointer, true);
    addEventListener('keydown', key, true);
    return () => {
      document.removeEventListener('pointerdown', pointer, true);
      removeEventListener('keydown', key, true);
    };
  }, [anchor]);

  return (
    <div ref={layer} popover="manual" className={className ? `${styles.layer} ${className}` : styles.layer}>
      {children}
    </div>
  );
}
