import { useRef, useState } from 'react';
import { useDraft, useShownText } from './draft.ts';
import styles from './fields.module.css';
import type { WidgetProps } from './widget.ts';
import { described } from './widget.ts';

/** Multi-line text. Grows with its content; Enter starts a new line. */
export function LongTextWidget(props: WidgetProps) {
  const { id, readOnly, disabled, autoFocus, bare } = props;
  const element = useRef<HTMLTextAreaElement>(null);
  const draft = useDraft({
    value: props.value,
    parse: (text) => ({
      value:
        text.trim() === ''
          ? null
          : text
              .replace(/\r\n/g, '\n')
              .replace(/[ \t]+$/gm, '')
              .trim(),
    }),
    onChange: props.onChange,
    typed: props.typed,
  });
  const shown = typeof props.value === 'string' ? props.value : '';
  useShownText(element, draft, shown);
  const [first] = useState(draft.held() ?? shown);
  return (
    <textarea
      ref={element}
      id={id}
      rows={bare ? 1 : 3}
      className={bare ? styles.bare : styles.area}
      data-invalid={props.invalid ? '' : undefined}
      defaultValue={first}
      {...described(props)}
      {...(readOnly && { readOnly })}
      {...(disabled && { disabled })}
      {...(autoFocus && { autoFocus })}
      onChange={({ target }) => draft.type(target.value)}
      onBlur={() => {
        draft.settle();
        props.onBlur?.();
      }}
    />
  );
}
