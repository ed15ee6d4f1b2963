import { today } from '../../../../descriptor/place.ts';
import { Button } from '@fluentui/react-components';
import { Calendar } from './Calendar.tsx';
import styles from './calendar.module.css';

/** The popup of a date: the calendar, today, and clearing the date. */
export default function DayPicker(props: {
  value: string | null;
  min?: string | undefined;
  max?: string | undefined;
  required: boolean;
  onPick: (day: string | null) => void;
}) {
  const { required, onPick, ...calendar } = props;
  return (
    <div role="dialog" aria-label="Choose a date">
      <Calendar {...calendar} autoFocus onPick={onPick} />
      <div className={styles.foot}>
        <Button size="small" appearance="subtle" onClick={() => onPick(today())}>
          Today
        </Button>
        {!required && props.value !== null && (
          <Button size="small" appearance="subtle" onClick={() => onPick(null)}>
            Clear
          </Button>
        )}
      </div>
    </div>
  );
}
