import { codeKeys } from './key_filter.ts';
import { TextControl } from './text_control.tsx';
import type { WidgetProps } from './widget.ts';

/**
 * A short key; characters that it cannot hold are not taken. What is longer than the field allows stays in the control with
 * a message: a pasted code that was cut would be another code.
 */
export function CodeWidget(props: WidgetProps) {
  return <TextControl props={props} as={codeKeys} />;
}
