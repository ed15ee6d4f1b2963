import { TextControl } from './text_control.tsx';
import type { WidgetProps } from './widget.ts';

/** Hours and minutes; 1:30, "1h 30m" and 90 are the same. */
export function DurationWidget(props: WidgetProps) {
  return <TextControl props={props} align="right" placeholder="h:mm" />;
}
