import { codeKeys } from './key_filter.ts';
import { TextControl } from './text_control.tsx';
import type { WidgetProps } from './widget.ts';

/**
 * A short key; invalid characters are not accepted. A text that is too long stays in the control with a message,
 * because a truncated pasted code would be another code.
 */
export function CodeWidget(props: WidgetProps) {
  return <TextControl props={props} as={codeKeys} />;
}
