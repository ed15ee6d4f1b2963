import { useId } from 'react';
import { today } from '../../../descriptor/place.ts';
import type { Field } from '../../../descriptor/types.ts';
import { DateWidget } from '../../runtime/fields/date.tsx';
import styles from './org_chart.module.css';

const FROM: Field = {
  name: 'from',
  type: 'date',
  title: 'From',
  required: true,
  schema: {},
  secret: false,
  readOnly: false,
};

/** The day from which a move holds: today or later, with a hint beside it. */
export function StartDay({ day, hint, onChange }: { day: string; hint: string; onChange: (day: string) => void }) {
  const id = useId();
  return (
    <div className={styles.start}>
      <label htmlFor={id}>From</label>
      <DateWidget
        field={FROM}
        id={id}
        required
        value={day}
        // A day that has passed counts as today.
        onChange={(value) => onChange(typeof value === 'string' && value > today() ? value : today())}
      />
      <span className={styles.faint}>{hint}</span>
    </div>
  );
}
