import { TextControl } from './text_control.tsx';
import type { WidgetProps } from './widget.ts';

/** A short key; what is typed beyond its length is not taken. */
export function CodeWidget(props: WidgetProps) {
  const limit = props.field.schema.maxLength;
  return (
    <TextControl
      props={props}
      {...(typeof limit === 'number' && { maxLength: limit })}
      as={(text) => text.replace(/\s/g, '')}
    />
  );
}
