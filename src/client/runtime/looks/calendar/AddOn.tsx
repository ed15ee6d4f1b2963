import { AddRegular } from '@fluentui/react-icons';
import { dayInWords } from '../../fields/calendar/days.ts';
import styles from './calendar.module.css';

/** Adds a record on a day, for keyboard and touch. */
export function AddOn({ day, onAdd }: { day: string; onAdd: ((day: string) => void) | null }) {
  if (!onAdd) return null;
  return (
    <button
      type="button"
      className={styles.add}
      aria-label={`Add on ${dayInWords(day)}`}
      title="Add"
      onClick={() => onAdd(day)}
    >
      <AddRegular />
    </button>
  );
}
