import { CalendarClockRegular } from '@fluentui/react-icons';
import { lazy } from 'react';
import { PickerControl } from './picker_control.tsx';
import type { WidgetProps } from './widget.ts';

const MomentPicker = lazy(() => import('./calendar/MomentPicker.tsx'));

/** A date and time in local time; typed, or date, then time, then Save. */
export function DateTimeWidget(props: WidgetProps) {
  return (
    <PickerControl
      props={props}
      placeholder={props.field.seconds ? 'DD-MM-YYYY HH:MM:SS' : 'DD-MM-YYYY HH:MM'}
      icon={<CalendarClockRegular />}
      button="Choose date and time"
      picker={(done) => (
        <MomentPicker
          value={typeof props.value === 'string' && props.value !== '' ? props.value : null}
          min={props.field.earliest}
          max={props.field.latest}
          seconds={props.field.seconds === true}
          onSave={done}
          onClear={() => done(null)}
          onClose={() => done()}
        />
      )}
    />
  );
}
