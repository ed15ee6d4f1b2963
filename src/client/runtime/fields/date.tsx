import { CalendarRegular } from '@fluentui/react-icons';
import { lazy } from 'react';
import { addDays } from './calendar/days.ts';
import { PickerControl } from './picker_control.tsx';
import type { WidgetProps } from './widget.ts';

const DayPicker = lazy(() => import('./calendar/DayPicker.tsx'));

/** DD-MM-YYYY, typed in any usual way, or from a calendar. */
export function DateWidget(props: WidgetProps) {
  const value = typeof props.value === 'string' && props.value !== '' ? props.value.slice(0, 10) : null;
  return (
    <PickerControl
      props={props}
      placeholder="DD-MM-YYYY"
      icon={<CalendarRegular />}
      button="Open calendar"
      step={(day, by) => (typeof day === 'string' ? addDays(day, by) : null)}
      picker={(done) => (
        <DayPicker
          value={value}
          min={props.field.earliest}
          max={props.field.latest}
          required={props.required === true}
          onPick={done}
        />
      )}
    />
  );
}
