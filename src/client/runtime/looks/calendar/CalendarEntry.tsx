import { Menu, MenuItem, MenuList, MenuPopover, MenuTrigger } from '@fluentui/react-components';
import { ArrowSwapRegular, MoreHorizontalRegular } from '@fluentui/react-icons';
import type { CSSProperties } from 'react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import type { WireRecord } from '../../../../descriptor/types.ts';
import { dayInWords } from '../../fields/calendar/days.ts';
import { ARROWS } from '../next_card.ts';
import styles from './calendar.module.css';
import type { Entry } from './entries.ts';

const SHIFTS: [days: number, minutes: number, label: string][] = [
  [-1, 0, 'A day earlier'],
  [1, 0, 'A day later'],
  [-7, 0, 'A week earlier'],
  [7, 0, 'A week later'],
];
/** Of what has a time of day. */
const TIME_SHIFTS: typeof SHIFTS = [
  [0, -30, 'Half an hour earlier'],
  [0, 30, 'Half an hour later'],
];

/** A record on a day. Enter opens it, M moves it, arrows go to other entries. */
export function CalendarEntry({
  entry: { record, title, time, state, tone, continued },
  day,
  to,
  draggable,
  dragged,
  onDrag,
  onShift,
  onMenu,
  onGo,
  style,
}: {
  entry: Entry;
  day: string;
  to: string | null;
  draggable: boolean;
  dragged: boolean;
  onDrag: (record: WireRecord | null) => void;
  /** Null: it stays where it is. */
  onShift: ((days: number, minutes: number) => void) | null;
  onMenu: (target: HTMLElement) => void;
  onGo: (at: HTMLElement, key: string) => void;
  /** Where it stands, in an hour grid. */
  style?: CSSProperties;
}) {
  const [open, setOpen] = useState(false);
  const words = [title, time, state, continued && 'continued', dayInWords(day)].filter(Boolean).join(', ');
  return (
    <li
      className={styles.entry}
      data-card
      {...(style && { style, 'data-placed': '' })}
      data-tone={tone}
      data-dragged={dragged || undefined}
      tabIndex={0}
      aria-label={words}
      title={words}
      {...(onShift && { 'aria-keyshortcuts': 'M' })}
      draggable={draggable}
      onDragStart={(event) => {
        event.dataTransfer.effectAllowed = 'move';
        event.dataTransfer.setData('text/plain', title);
        // A page that changes while a drag begins ends it at once.
        setTimeout(() => onDrag(record));
      }}
      onDragEnd={() => onDrag(null)}
      onKeyDown={(event) => {
        if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return;
        if (ARROWS.has(event.key)) {
          event.preventDefault();
          onGo(event.currentTarget, event.key);
        } else if (event.key.toLowerCase() === 'm' && onShift) {
          event.preventDefault();
          setOpen(true);
        } else if (event.key === 'Enter') event.currentTarget.querySelector('a')?.click();
      }}
    >
      {time !== '' && <time>{time}</time>}
      {to === null ? (
        <b>{title}</b>
      ) : (
        <Link to={to} draggable={false} tabIndex={-1}>
          {title}
        </Link>
      )}
      {onShift && (
        <Menu open={open} onOpenChange={(_, { open: now }) => setOpen(now)} positioning={{ align: 'end' }}>
          <MenuTrigger disableButtonEnhancement>
            <button type="button" className={styles.button} tabIndex={-1} aria-label={`Move ${title}`} title="Move (M)">
              <ArrowSwapRegular />
            </button>
          </MenuTrigger>
          <MenuPopover>
            <MenuList>
              {[...(time === '' ? [] : TIME_SHIFTS), ...SHIFTS].map(([days, minutes, label]) => (
                <MenuItem key={label} onClick={() => onShift(days, minutes)}>
                  {label}
                </MenuItem>
              ))}
            </MenuList>
          </MenuPopover>
        </Menu>
      )}
      <button
        type="button"
        className={styles.button}
        tabIndex={-1}
        aria-label={`Actions for ${title}`}
        onClick={(event) => onMenu(event.currentTarget)}
      >
        <MoreHorizontalRegular />
      </button>
    </li>
  );
}
