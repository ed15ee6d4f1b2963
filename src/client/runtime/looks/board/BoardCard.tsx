import {
  Menu,
  MenuGroup,
  MenuGroupHeader,
  MenuItem,
  MenuList,
  MenuPopover,
  MenuTrigger,
} from '@fluentui/react-components';
import { ArrowSwapRegular, ClockAlarmRegular, DismissRegular, MoreHorizontalRegular } from '@fluentui/react-icons';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import type { Screen, WireRecord } from '../../../../descriptor/types.ts';
import type { ClockValue } from '../../../../domain/clock_value.ts';
import { ClockShown } from '../../fields/clock/ClockShown.tsx';
import { cellText, fieldOf, recordLabel } from '../../landing/cell_text.ts';
import { beginDrag, cardKeys } from '../card_events.ts';
import styles from './board.module.css';
import { lateness } from '../late.ts';
import type { Target } from './move_card.ts';

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
  onFixed,
  refused,
  onRead,
  onMenu,
  onGo,
}: {
  screen: Screen;
  card: WireRecord;
  to: string | null;
  targets: Target[];
  draggable: boolean;
  dragged: boolean;
  onDrag: (card: WireRecord | null) => void;
  /** Somebody is about to move it. */
  onLook: () => void;
  onMove: (value: string) => void;
  /** Somebody wants to move it, and it has nowhere to go. */
  onFixed: () => void;
  /** Why it was not moved; null = nothing was in the way. */
  refused: string | null;
  /** The reason has been read. */
  onRead: () => void;
  onMenu: (target: HTMLElement) => void;
  onGo: (at: HTMLElement, key: string) => void;
}) {
  const [open, setOpen] = useState(false);
  const title = recordLabel(screen, card);
  const late = lateness(screen, card);
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
      data-late={late !== null || undefined}
      tabIndex={0}
      aria-label={[
        title,
        ...(late === null ? [] : [late]),
        ...facts.map(({ field, text }) => `${field.title} ${text}`),
      ].join(', ')}
      aria-keyshortcuts="M"
      draggable={draggable}
      onDragStart={(event) => {
        beginDrag(event, title);
        // A page that changes while a drag begins ends it at once.
        setTimeout(() => onDrag(card));
      }}
      onDragEnd={() => onDrag(null)}
      onKeyDown={cardKeys({ onGo, onMove: () => (targets.length > 0 ? setMenu(true) : onFixed()) })}
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
          <Menu
            open={open}
            onOpenChange={(_, { open: now }) => setMenu(now)}
            positioning={{ align: 'end', autoSize: 'height' }}
          >
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
      {late !== null && (
        <div className={styles.late}>
          <ClockAlarmRegular aria-hidden /> {late}
        </div>
      )}
      {refused !== null && (
        <div className={styles.refused}>
          <span>{refused}</span>
          <button type="button" className={styles.button} aria-label="Hide the reason" onClick={onRead}>
            <DismissRegular />
          </button>
        </div>
      )}
      {facts.map(({ field, text }) => (
        <div key={field.name} className={styles.fact}>
          <span>{field.title}</span>{' '}
          {field.type === 'clock' ? <ClockShown value={card[field.name] as ClockValue} /> : text}
        </div>
      ))}
    </li>
  );
}
