import { useRef, useState } from 'react';
import { fieldType } from '../../../descriptor/fieldtypes/registry.ts';
import { useDraft, useShownText } from './draft.ts';
import styles from './fields.module.css';
import { TextControl } from './text_control.tsx';
import type { WidgetProps } from './widget.ts';
import { described } from './widget.ts';

/** Any value, as JSON. */
export function JsonWidget(props: WidgetProps) {
  if (props.bare) return <TextControl props={props} />;
  return <JsonArea {...props} />;
}

function JsonArea(props: WidgetProps) {
  const { id, field, value, readOnly, disabled } = props;
  const element = useRef<HTMLTextAreaElement>(null);
  const draft = useDraft({
    value,
    parse: (text) => {
      const parsed = fieldType('json').parse(text, field);
      return 'value' in parsed ? parsed : { error: whereWrong(text) ?? parsed.error };
    },
    onChange: props.onChange,
    ...(props.onProblem && { onProblem: props.onProblem }),
  });
  const shown = value === null || value === undefined ? '' : JSON.stringify(value, null, 2);
  useShownText(element, draft, shown);
  const [first] = useState(draft.held() ?? shown);
  return (
    <textarea
      ref={element}
      id={id}
      rows={4}
      spellCheck={false}
      className={`${styles.area} ${styles.mono}`}
      data-invalid={props.invalid ? '' : undefined}
      defaultValue={first}
      {...(readOnly && { readOnly })}
      {...(disabled && { disabled })}
      {...described(props)}
      onChange={({ target }) => draft.type(target.value)}
      onBlur={() => {
        draft.settle();
        props.onBlur?.();
      }}
    />
  );
}

/** The line of the JSON syntax error; null if the browser does not report it. */
function whereWrong(text: string): string | null {
  try {
    JSON.parse(text);
    return null;
  } catch (error) {
    const at = /position (\d+)/.exec(error instanceof Error ? error.message : '')?.[1];
    return at === undefined ? null : `This is not JSON: look at line ${text.slice(0, Number(at)).split('\n').length}.`;
  }
}
