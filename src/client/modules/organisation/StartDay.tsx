import { Field } from '@fluentui/react-components';
import { today } from '../../../descriptor/place.ts';
import styles from './org_chart.module.css';

/** The day from which a move holds: today or later, with a hint beside it. */
export function StartDay({ day, hint, onChange }: { day: string; hint: string; onChange: (day: string) => void }) {
  return (
    <div className={styles.two}>
      <Field label="From" required>
        <input
          className={styles.date}
          type="date"
          aria-label="From"
          required
          min={today()}
          value={day}
          onChange={({ target }) => onChange(target.value)}
        />
      </Field>
      <span className={styles.faint}>{hint}</span>
    </div>
  );
}
