import { today } from '../../../../descriptor/place.ts';
import { ChevronLeftRegular, ChevronRightRegular } from '@fluentui/react-icons';
import type { KeyboardEvent } from 'react';
import { useEffect, useRef, useState } from 'react';
import { addDays, addMonths, dayInWords, weekday, weekdays, weeksOf } from './days.ts';
import { monthNames } from '../../../../domain/month_names.ts';
import styles from './calendar.module.css';

/** A month of days. Arrows move by day and week, Page keys by month (with Shift by year), Enter chooses. */
export function Calendar({
  value,
  min,
  max,
  autoFocus = false,
  onPick,
}: {
  value: string | null;
  min?: string | undefined;
  max?: string | undefined;
  autoFocus?: boolean;
  onPick: (day: string) => void;
}) {
  const now = today();
  const [at, setAt] = useState(value ?? now);
  const month = at.slice(0, 7);
  const grid = useRef<HTMLTableElement>(null);
  const keyed = useRef(autoFocus);

  useEffect(() => {
    if (!keyed.current) return;
    keyed.current = false;
    grid.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
  }, [at]);

  const keys: Record<string, (event: KeyboardEvent) => string> = {
    ArrowLeft: () => addDays(at, -1),
    ArrowRight: () => addDays(at, 1),
    ArrowUp: () => addDays(at, -7),
    ArrowDown: () => addDays(at, 7),
    Home: () => addDays(at, -weekday(at)),
    End: () => addDays(at, 6 - weekday(at)),
    PageUp: (event) => addMonths(at, event.shiftKey ? -12 : -1),
    PageDown: (event) => addMonths(at, event.shiftKey ? 12 : 1),
  };
  const outside = (day: string) => (min !== undefined && day < min) || (max !== undefined && day > max);
  const years = Number(month.slice(0, 4));

  return (
    <div className={styles.calendar}>
      <div className={styles.head}>
        <button
          type="button"
          className={styles.step}
          aria-label="Previous month"
          onClick={() => setAt(addMonths(at, -1))}
        >
          <ChevronLeftRegular />
        </button>
        <select
          aria-label="Month"
          value={month.slice(5)}
          onChange={(event) => setAt(addMonths(at, Number(event.target.value) - Number(month.slice(5))))}
        >
          {monthNames.map((name, index) => (
            <option key={name} value={String(index + 1).padStart(2, '0')}>
              {name}
            </option>
          ))}
        </select>
        <input
          type="number"
          aria-label="Year"
          value={years}
          min={1900}
          max={2200}
          onChange={(event) => {
            const year = Number(event.target.value);
            if (year >= 1900 && year <= 2200) setAt(addMonths(at, (year - years) * 12));
          }}
        />
        <button type="button" className={styles.step} aria-label="Next month" onClick={() => setAt(addMonths(at, 1))}>
          <ChevronRightRegular />
        </button>
      </div>
      <table
        ref={grid}
        role="grid"
        aria-label={`${monthNames[Number(month.slice(5)) - 1]} ${years}`}
        className={styles.grid}
      >
        <thead>
          <tr>
            {weekdays.map((name) => (
              <th key={name} scope="col" abbr={name}>
                {name.slice(0, 2)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody
          onKeyDown={(event) => {
            const move = keys[event.key];
            if (!move) return;
            event.preventDefault();
            keyed.current = true;
            setAt(move(event));
          }}
        >
          {weeksOf(month).map((week) => (
            <tr key={week[0]}>
              {week.map((day) => (
                <td key={day} aria-selected={day === value}>
                  <button
                    type="button"
                    tabIndex={day === at ? 0 : -1}
                    aria-label={dayInWords(day)}
                    aria-current={day === now ? 'date' : undefined}
                    data-other={day.slice(0, 7) === month ? undefined : ''}
                    disabled={outside(day)}
                    onClick={() => onPick(day)}
                  >
                    {Number(day.slice(8))}
                  </button>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
