import type { DragEvent, KeyboardEvent } from 'react';
import { ARROWS } from './next_card.ts';

/** Keys of a card: arrows focus others, M moves it, Enter opens it. */
export function cardKeys({
  onGo,
  onMove,
}: {
  onGo: (at: HTMLElement, key: string) => void;
  onMove: (() => void) | null;
}) {
  return (event: KeyboardEvent<HTMLElement>): void => {
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return;
    if (ARROWS.has(event.key)) {
      event.preventDefault();
      onGo(event.currentTarget, event.key);
    } else if (event.key.toLowerCase() === 'm' && onMove) {
      event.preventDefault();
      onMove();
    } else if (event.key === 'Enter') event.currentTarget.querySelector('a')?.click();
  };
}

/** Begins the drag of a card. */
export function beginDrag({ dataTransfer }: DragEvent, title: string): void {
  dataTransfer.effectAllowed = 'move';
  dataTransfer.setData('text/plain', title);
}
