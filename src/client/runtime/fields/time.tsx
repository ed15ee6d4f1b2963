import { parseTime } from '../../../descriptor/fieldtypes/calendar.ts';
import { TextControl } from './text_control.tsx';
import type { WidgetProps } from './widget.ts';

const two = (value: number) => String(value).padStart(2, '0');

/** HH:MM; "930", "9.30 pm" and "21" are accepted, arrow keys change it by a quarter of an hour. */
export function TimeWidget(props: WidgetProps) {
  const { value, onChange, readOnly } = props;
  return (
    <TextControl
      props={props}
      placeholder="HH:MM"
      parse={(text) => parseClock(text)}
      onKey={(event, settle) => {
        if (readOnly || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') || event.altKey) return;
        const [hour, minute] = String(value ?? '')
          .split(':')
          .map(Number);
        if (hour === undefined || minute === undefined || Number.isNaN(hour)) return;
        event.preventDefault();
        settle();
        const moved = (hour * 60 + minute + (event.key === 'ArrowUp' ? 15 : -15) + 1440) % 1440;
        onChange(`${two(Math.floor(moved / 60))}:${two(moved % 60)}`);
      }}
    />
  );
}

function parseClock(text: string): ReturnType<typeof parseTime> {
  const digits = /^(\d{1,2})(\d{2})$/.exec(text.trim()) ?? /^(\d{1,2})$/.exec(text.trim());
  return parseTime(digits ? `${digits[1]}:${digits[2] ?? '00'}` : text);
}
