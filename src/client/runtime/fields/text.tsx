import { TextControl } from './text_control.tsx';
import type { WidgetProps } from './widget.ts';

/** Single-line text, and names. */
export function TextWidget(props: WidgetProps) {
  return <TextControl props={props} inputMode="text" />;
}
