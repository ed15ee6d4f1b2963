import { MoreHorizontalRegular } from '@fluentui/react-icons';
import type { CSSProperties } from 'react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import type { WireRecord } from '../../../../descriptor/types.ts';
import { dayInWords } from '../../fields/calendar/days.ts';
import { beginDrag, cardKeys } from '../card_events.ts';
import type { Shift } from '../ShiftMenu.tsx';
import { DAY_SHIFTS, ShiftMenu } from '../ShiftMenu.tsx';
import styles from './calendar.module.css';
import type { Entry } from './entries.ts';

/** Only for entries with a time. */
const TIME_SHIFTS: readonly Shift[] = [[0, -30, 'Half an hour earlier'], [0, 30, 'Half an hour later'], ...DAY_SHIFTS];

/** A record on a day. Enter opens it, M moves it, arrow keys focus other entries. */
export function CalendarEntry({
  entry: { record, title, time, state, tone, late, continued },
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
  /** Null: it cannot be moved. */
  onShift: ((days: number, minutes: number) => void) | null;
  onMenu: (target: HTMLElement) => void;
  onGo: (at: HTMLElement, key: string) => void;
  /** Its position in an hour grid. */
  style?: CSSProperties;
}) {
  const [open, setOpen] = useState(false);
  const words = [title, time, state, late, continued && 'continued', dayInWords(day)].filter(Boolean).join(', ');
  return (
    <li
      className={styles.entry}
      data-card
      {...(style && { style, 'data-placed': '' })}
      data-tone={tone}
      data-late={late !== null || undefined}
      data-dragged={dragged || undefined}
      tabIndex={0}
      aria-label={words}
      title={words}
      {...(onShift && { 'aria-keyshortcuts': 'M' })}
      draggable={draggable}
      onDragStart={(event) => {
        beginDrag(event, title);
        // A page change during the start of a drag would end it at once.
        setTimeout(() => onDrag(record));
      }}
      onDragEnd={() => onDrag(null)}
      onKeyDown={cardKeys({ onGo, onMove: onShift && (() => setOpen(true)) })}
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
        <ShiftMenu
          title={title}
          open={open}
          onOpen={setOpen}
          shifts={time === '' ? DAY_SHIFTS : TIME_SHIFTS}
          className={styles.button}
          onShift={onShift}
        />
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
