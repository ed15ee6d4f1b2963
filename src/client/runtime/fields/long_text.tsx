import { Textarea } from '@fluentui/react-components';
import { useDraft } from './draft.ts';
import styles from './fields.module.css';
import type { WidgetProps } from './widget.ts';
import { described } from './widget.ts';

/** Text of several lines. Grows with what is written; Enter makes a line. */
export function LongTextWidget(props: WidgetProps) {
  const { id, value, readOnly, disabled, autoFocus, bare } = props;
  const draft = useDraft({
    value,
    parse: (text) => ({ value: text.trim() === '' ? null : text.replace(/\r\n/g, '\n').replace(/[ \t]+$/gm, '').trim() }),
    onChange: props.onChange,
    typed: props.typed,
  });
  const shared = {
    id,
    value: draft.text ?? (typeof value === 'string' ? value : ''),
    rows: bare ? 1 : 3,
    ...described(props),
    ...(readOnly && { readOnly }),
    ...(disabled && { disabled }),
    ...(autoFocus && { autoFocus }),
    onBlur: () => {
      draft.settle();
      props.onBlur?.();
    },
  };
  if (bare) return <textarea {...shared} className={styles.bare} onChange={(event) => draft.type(event.target.value)} />;
  return <Textarea {...shared} className={styles.area} onChange={(_, { value: text }) => draft.type(text)} />;
}
