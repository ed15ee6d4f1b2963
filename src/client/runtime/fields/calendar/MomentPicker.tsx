import { Button } from '@fluentui/react-components';
import { useState } from 'react';
import { parseTime } from '../../../../descriptor/fieldtypes/calendar.ts';
import { Calendar } from './Calendar.tsx';
import styles from './calendar.module.css';
import { localDay, localMoment, localTime } from './moments.ts';

/** Date, then time in 24 hours, then Save: 340 px wide. Save is enabled when both are chosen and within the limits. */
export default function MomentPicker({
  value,
  min,
  max,
  seconds = false,
  onSave,
  onClear,
  onClose,
}: {
  /** ISO 8601, UTC. */
  value: string | null;
  /** The limits, with their time zone. */
  min?: string | undefined;
  max?: string | undefined;
  seconds?: boolean;
  onSave: (moment: string) => void;
  onClear: () => void;
  onClose: () => void;
}) {
  const [day, setDay] = useState(value ? localDay(value) : null);
  const [time, setTime] = useState(value ? localTime(value, seconds) : '');
  const clock = time.trim() === '' ? null : parseTime(time, seconds);
  const moment = day !== null && clock !== null && 'value' in clock ? localMoment(day, String(clock.value)) : null;
  const early = moment !== null && min !== undefined && Date.parse(moment) < Date.parse(min);
  const late = moment !== null && max !== undefined && Date.parse(moment) > Date.parse(max);
  const save = () => {
    if (moment !== null && !early && !late) onSave(moment);
  };
  // The day is within its limits, otherwise it could not have been chosen.
  const limit = early
    ? `From ${localTime(min, seconds)} on this day.`
    : late
      ? `Until ${localTime(max, seconds)} on this day.`
      : null;
  return (
    <div role="dialog" aria-label="Choose a date and time" className={styles.moment}>
      <Calendar value={day} min={min && localDay(min)} max={max && localDay(max)} autoFocus onPick={setDay} />
      <div className={styles.times}>
        <label htmlFor="moment-time">Time</label>
        <input
          id="moment-time"
          value={time}
          placeholder={seconds ? 'HH:MM:SS' : 'HH:MM'}
          inputMode="numeric"
          autoComplete="off"
          aria-invalid={early || late || (clock !== null && 'error' in clock)}
          aria-describedby={limit ? 'moment-limit' : undefined}
          onChange={(event) => setTime(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            event.preventDefault();
            save();
          }}
        />
        <Button size="small" appearance="subtle" onClick={() => setTime(localTime(new Date().toISOString(), seconds))}>
          Now
        </Button>
      </div>
      {limit && (
        <p id="moment-limit" role="alert" className={styles.limit}>
          {limit}
        </p>
      )}
      <div className={styles.foot}>
        <Button size="small" appearance="subtle" onClick={onClear}>
          Clear
        </Button>
        <span>
          <Button size="small" onClick={onClose}>
            Close
          </Button>
          <Button size="small" appearance="primary" disabled={moment === null || early || late} onClick={save}>
            Save
          </Button>
        </span>
      </div>
    </div>
  );
}
