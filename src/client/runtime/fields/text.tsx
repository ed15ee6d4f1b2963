import { TextControl } from './text_control.tsx';
import type { WidgetProps } from './widget.ts';

/** Text of one line, and names. */
export function TextWidget(props: WidgetProps) {
  return <TextControl props={props} inputMode="text" />;
}
