import { useSyncExternalStore } from 'react';
import { clockText, clockTone } from '../../../../domain/clock_value.ts';
import type { ClockValue } from '../../../../domain/clock_value.ts';
import styles from '../display.module.css';
import type { WidgetProps } from '../widget.ts';
import { described } from '../widget.ts';
import { onTick } from './tick.ts';

/** A running clock; renders only when its text changes. */
export function ClockShown({ value }: { value: ClockValue }) {
  const text = useSyncExternalStore(onTick, () => clockText(value, Date.now()));
  return (
    <span className={styles.badge} data-tone={clockTone(value, Date.now())} data-clock={value.state}>
      {text}
    </span>
  );
}

/** The same in a form. */
export function ClockWidget(props: WidgetProps) {
  const { id, value } = props;
  return (
    <output id={id} {...described(props)}>
      {value === null || value === undefined ? '–' : <ClockShown value={value as ClockValue} />}
    </output>
  );
}
