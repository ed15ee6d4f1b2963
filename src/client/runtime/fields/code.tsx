import { codeKeys } from './key_filter.ts';
import { TextControl } from './text_control.tsx';
import type { WidgetProps } from './widget.ts';

/** A short key; characters that it cannot hold, and what is typed beyond its length, are not taken. */
export function CodeWidget(props: WidgetProps) {
  const limit = props.field.schema.maxLength;
  return <TextControl props={props} {...(typeof limit === 'number' && { maxLength: limit })} as={codeKeys} />;
}
