import { TextControl } from './text_control.tsx';
import type { WidgetProps } from './widget.ts';

export function EmailWidget(props: WidgetProps) {
  return (
    <TextControl
      props={props}
      inputMode="email"
      placeholder="name@company.in"
      as={(text) => text.replace(/\s/g, '')}
      parse={(text) => ({ value: text === '' ? null : text.toLowerCase() })}
    />
  );
}
