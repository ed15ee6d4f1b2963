import { today } from '../../../../descriptor/place.ts';
import { Button } from '@fluentui/react-components';
import { ChevronLeftRegular, ChevronRightRegular } from '@fluentui/react-icons';
import { useState } from 'react';
import styles from './calendar.module.css';
import { monthNames } from '../../../../domain/month_names.ts';

/** Twelve months of a year. */
export default function MonthPicker({
  value,
  required,
  onPick,
}: {
  value: string | null;
  required: boolean;
  onPick: (month: string | null) => void;
}) {
  const [year, setYear] = useState(value ? Number(value.slice(0, 4)) : Number(today().slice(0, 4)));
  return (
    <div role="dialog" aria-label="Choose a month">
      <div className={styles.calendar}>
        <div className={styles.yearLine}>
          <button type="button" className={styles.step} aria-label="Previous year" onClick={() => setYear(year - 1)}>
            <ChevronLeftRegular />
          </button>
          <span aria-live="polite">{year}</span>
          <button type="button" className={styles.step} aria-label="Next year" onClick={() => setYear(year + 1)}>
            <ChevronRightRegular />
          </button>
        </div>
        <div className={styles.months}>
          {monthNames.map((name, index) => {
            const month = `${year}-${String(index + 1).padStart(2, '0')}`;
            return (
              <button
                key={name}
                type="button"
                aria-pressed={month === value}
                aria-label={`${name} ${year}`}
                onClick={() => onPick(month)}
              >
                {name.slice(0, 3)}
              </button>
            );
          })}
        </div>
      </div>
      {!required && value !== null && (
        <div className={styles.foot}>
          <Button size="small" appearance="subtle" onClick={() => onPick(null)}>
            Clear
          </Button>
        </div>
      )}
    </div>
  );
}
