import { Button } from '@fluentui/react-components';
import { useState } from 'react';
import { parseTime } from '../../../../descriptor/fieldtypes/calendar.ts';
import { Calendar } from './Calendar.tsx';
import styles from './calendar.module.css';
import { localDay, localMoment, localTime } from './moments.ts';

/** Date, then time, then Save: 340 px wide. Save waits until both are there. */
export default function MomentPicker({
  value,
  onSave,
  onClear,
  onClose,
}: {
  /** ISO 8601, UTC. */
  value: string | null;
  onSave: (moment: string) => void;
  onClear: () => void;
  onClose: () => void;
}) {
  const [day, setDay] = useState(value ? localDay(value) : null);
  const [time, setTime] = useState(value ? localTime(value) : '');
  const clock = time.trim() === '' ? null : parseTime(time);
  const ready = day !== null && clock !== null && 'value' in clock;
  const save = () => {
    if (ready) onSave(localMoment(day, String(clock.value)));
  };
  return (
    <div role="dialog" aria-label="Choose a date and time" className={styles.moment}>
      <Calendar value={day} autoFocus onPick={setDay} />
      <div className={styles.times}>
        <label htmlFor="moment-time">Time</label>
        <input
          id="moment-time"
          value={time}
          placeholder="HH:MM"
          inputMode="numeric"
          autoComplete="off"
          aria-invalid={clock !== null && 'error' in clock}
          onChange={(event) => setTime(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            event.preventDefault();
            save();
          }}
        />
        <Button size="small" appearance="subtle" onClick={() => setTime(localTime(new Date().toISOString()))}>
          Now
        </Button>
      </div>
      <div className={styles.foot}>
        <Button size="small" appearance="subtle" onClick={onClear}>
          Clear
        </Button>
        <span>
          <Button size="small" onClick={onClose}>
            Close
          </Button>
          <Button size="small" appearance="primary" disabled={!ready} onClick={save}>
            Save
          </Button>
        </span>
      </div>
    </div>
  );
}
