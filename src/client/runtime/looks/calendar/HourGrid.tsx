import type { CSSProperties, DragEvent, MouseEvent, ReactNode } from 'react';
import { useEffect, useRef, useState } from 'react';
import { clockIn, place, today } from '../../../../descriptor/place.ts';
import { dayInWords, weekday, weekdays } from '../../fields/calendar/days.ts';
import { AddOn } from './AddOn.tsx';
import type { Entry } from './entries.ts';
import { DAY, sideBySide } from './entries.ts';
import styles from './hours.module.css';

/** Pixels per hour, and minutes per slot. */
const HOUR = 48;
const SLOT = 30;
/** The first visible hour, unless something is earlier. */
const MORNING = 8 * 60;
const pixels = (minutes: number) => (minutes * HOUR) / 60;
const clock = (minutes: number) =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
const isWhole = ({ from, until }: Entry) => from === 0 && until === DAY;

/** Days as columns of hours, with a strip above for all-day entries. Entries are dropped on half-hour slots. */
export function HourGrid({
  days,
  entriesOf,
  label,
  isDragging,
  onDay,
  onDrop,
  onAdd,
  draw,
}: {
  days: readonly string[];
  entriesOf: (day: string) => readonly Entry[];
  label: string;
  /** An entry that can be dropped is being dragged. */
  isDragging: boolean;
  /** Opens a day; null: it is already open. */
  onDay: ((day: string) => void) | null;
  /** `minutes`: null = the time of day is unchanged. */
  onDrop: (day: string, minutes: number | null) => void;
  /** Adds a record on a day, at minutes of it; null: not allowed. */
  onAdd: ((day: string, minutes?: number) => void) | null;
  draw: (entry: Entry, day: string, style?: CSSProperties) => ReactNode;
}) {
  const scroller = useRef<HTMLDivElement>(null);
  const [over, setOver] = useState<{ day: string; minutes: number | null } | null>(null);
  const shown = isDragging ? over : null;
  const first = Math.min(
    MORNING,
    ...days.flatMap((day) => entriesOf(day).flatMap((entry) => (isWhole(entry) ? [] : [entry.from]))),
  );
  useEffect(() => {
    if (scroller.current) scroller.current.scrollTop = pixels(Math.max(0, first - 30));
  }, [first]);
  const now = clockIn(place().timezone, Date.now());
  const target = (day: string, minutesAt: (event: DragEvent<HTMLElement>) => number | null) => ({
    onDragOver: (event: DragEvent<HTMLElement>) => {
      if (!isDragging) return;
      event.preventDefault();
      const minutes = minutesAt(event);
      if (over?.day !== day || over.minutes !== minutes) setOver({ day, minutes });
    },
    onDrop: (event: DragEvent<HTMLElement>) => {
      event.preventDefault();
      setOver(null);
      onDrop(day, minutesAt(event));
    },
  });
  const slotAt = (event: MouseEvent<HTMLElement>) => {
    const minutes = ((event.clientY - event.currentTarget.getBoundingClientRect().top) * 60) / HOUR;
    return Math.max(0, Math.min(DAY - SLOT, Math.floor(minutes / SLOT) * SLOT));
  };
  return (
    <div
      ref={scroller}
      className={styles.grid}
      role="group"
      aria-label={label}
      style={{ gridTemplateColumns: `48px repeat(${days.length}, minmax(96px, 1fr))` }}
    >
      <div className={styles.corner}>All day</div>
      {days.map((day) => (
        <div
          key={day}
          className={styles.top}
          data-column={day}
          data-over={(shown?.day === day && shown.minutes === null) || undefined}
          {...(day === today() && { 'aria-current': 'date' as const })}
          {...target(day, () => null)}
        >
          <h3>
            {onDay ? (
              <button type="button" aria-label={dayInWords(day)} onClick={() => onDay(day)}>
                {weekdays[weekday(day)]!.slice(0, 3)} {Number(day.slice(8))}
              </button>
            ) : (
              dayInWords(day)
            )}
          </h3>
          <AddOn day={day} onAdd={onAdd} />
          <ul>
            {entriesOf(day)
              .filter(isWhole)
              .map((entry) => draw(entry, day))}
          </ul>
        </div>
      ))}
      <div className={styles.clock} style={{ height: pixels(DAY) }} aria-hidden>
        {Array.from({ length: 23 }, (_, at) => (
          <span key={at} style={{ top: pixels((at + 1) * 60) }}>
            {clock((at + 1) * 60)}
          </span>
        ))}
      </div>
      {days.map((day) => (
        <ul
          key={day}
          className={styles.day}
          data-column={day}
          aria-label={dayInWords(day)}
          style={{ height: pixels(DAY), backgroundSize: `100% ${HOUR}px` }}
          {...target(day, slotAt)}
          data-adds={onAdd ? '' : undefined}
          onClick={(event) => {
            if (event.target === event.currentTarget) onAdd?.(day, slotAt(event));
          }}
        >
          {sideBySide(entriesOf(day).filter((entry) => !isWhole(entry))).map(({ entry, left, width }) =>
            draw(entry, day, {
              top: pixels(entry.from),
              height: pixels(entry.until - entry.from) - 2,
              insetInlineStart: `${left * 100}%`,
              width: `calc(${width * 100}% - 2px)`,
            }),
          )}
          {shown?.day === day && shown.minutes !== null && (
            <li className={styles.slot} style={{ top: pixels(shown.minutes), height: pixels(SLOT) }} aria-hidden>
              {clock(shown.minutes)}
            </li>
          )}
          {day === now.slice(0, 10) && (
            <li
              className={styles.now}
              style={{ top: pixels(Number(now.slice(11, 13)) * 60 + Number(now.slice(14, 16))) }}
              aria-hidden
            />
          )}
        </ul>
      ))}
    </div>
  );
}
