import { CalendarMonthRegular } from '@fluentui/react-icons';
import { lazy } from 'react';
import { PickerControl } from './picker_control.tsx';
import type { WidgetProps } from './widget.ts';

const MonthPicker = lazy(() => import('./calendar/MonthPicker.tsx'));

/** A month, typed as MM-YYYY or "Apr 2025", or chosen. */
export function MonthWidget(props: WidgetProps) {
  return (
    <PickerControl
      props={props}
      placeholder="MM-YYYY"
      icon={<CalendarMonthRegular />}
      button="Choose a month"
      picker={(done) => (
        <MonthPicker
          value={typeof props.value === 'string' ? props.value : null}
          required={props.required === true}
          onPick={done}
        />
      )}
    />
  );
}
