import {
  Menu,
  MenuGroup,
  MenuGroupHeader,
  MenuItem,
  MenuList,
  MenuPopover,
  MenuTrigger,
} from '@fluentui/react-components';
import { ArrowSwapRegular, MoreHorizontalRegular } from '@fluentui/react-icons';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import type { Screen, WireRecord } from '../../../../descriptor/types.ts';
import type { ClockValue } from '../../../../domain/clock_value.ts';
import { ClockShown } from '../../fields/clock/ClockShown.tsx';
import { cellText, fieldOf, recordLabel } from '../../landing/cell_text.ts';
import { ARROWS } from '../next_card.ts';
import styles from './board.module.css';

/** A record on a board. M opens where it may go; arrows go to other cards. */
export function BoardCard({
  screen,
  card,
  to,
  targets,
  draggable,
  dragged,
  onDrag,
  onLook,
  onMove,
  onMenu,
  onGo,
}: {
  screen: Screen;
  card: WireRecord;
  to: string | null;
  targets: { value: string; label: string }[];
  draggable: boolean;
  dragged: boolean;
  onDrag: (card: WireRecord | null) => void;
  /** Somebody is about to move it. */
  onLook: () => void;
  onMove: (value: string) => void;
  onMenu: (target: HTMLElement) => void;
  onGo: (at: HTMLElement, key: string) => void;
}) {
  const [open, setOpen] = useState(false);
  const title = recordLabel(screen, card);
  const setMenu = (now: boolean) => {
    setOpen(now);
    if (now) onLook();
  };
  const facts = (screen.looks?.board?.card ?? []).flatMap((name) => {
    const field = fieldOf(screen, name);
    const text = field ? cellText(field, card) : '';
    return field && text !== '' && text !== title ? [{ field, text }] : [];
  });
  return (
    <li
      className={styles.card}
      data-card
      data-dragged={dragged || undefined}
      tabIndex={0}
      aria-label={[title, ...facts.map(({ field, text }) => `${field.title} ${text}`)].join(', ')}
      {...(targets.length > 0 && { 'aria-keyshortcuts': 'M' })}
      draggable={draggable && targets.length > 0}
      onDragStart={(event) => {
        event.dataTransfer.effectAllowed = 'move';
        event.dataTransfer.setData('text/plain', title);
        // A page that changes while a drag begins ends it at once.
        setTimeout(() => onDrag(card));
      }}
      onDragEnd={() => onDrag(null)}
      onKeyDown={(event) => {
        if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return;
        if (ARROWS.has(event.key)) {
          event.preventDefault();
          onGo(event.currentTarget, event.key);
        } else if (event.key.toLowerCase() === 'm' && targets.length > 0) {
          event.preventDefault();
          setMenu(true);
        } else if (event.key === 'Enter') event.currentTarget.querySelector('a')?.click();
      }}
    >
      <div className={styles.title}>
        {to === null ? (
          <b>{title}</b>
        ) : (
          <Link to={to} draggable={false} tabIndex={-1}>
            {title}
          </Link>
        )}
        {targets.length > 0 && (
          <Menu open={open} onOpenChange={(_, { open: now }) => setMenu(now)} positioning={{ align: 'end' }}>
            <MenuTrigger disableButtonEnhancement>
              <button type="button" className={styles.button} aria-label={`Move ${title}`} title="Move (M)">
                <ArrowSwapRegular />
              </button>
            </MenuTrigger>
            <MenuPopover>
              <MenuList>
                <MenuGroup>
                  <MenuGroupHeader>Move to</MenuGroupHeader>
                  {targets.map(({ value, label }) => (
                    <MenuItem key={value} onClick={() => onMove(value)}>
                      {label}
                    </MenuItem>
                  ))}
                </MenuGroup>
              </MenuList>
            </MenuPopover>
          </Menu>
        )}
        <button
          type="button"
          className={styles.button}
          aria-label={`Actions for ${title}`}
          onClick={(event) => onMenu(event.currentTarget)}
        >
          <MoreHorizontalRegular />
        </button>
      </div>
      {facts.map(({ field, text }) => (
        <div key={field.name} className={styles.fact}>
          <span>{field.title}</span>{' '}
          {field.type === 'clock' ? <ClockShown value={card[field.name] as ClockValue} /> : text}
        </div>
      ))}
    </li>
  );
}
