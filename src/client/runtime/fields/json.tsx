import { Textarea } from '@fluentui/react-components';
import { fieldType } from '../../../descriptor/fieldtypes/registry.ts';
import { useDraft } from './draft.ts';
import styles from './fields.module.css';
import { TextControl } from './text_control.tsx';
import type { WidgetProps } from './widget.ts';
import { described } from './widget.ts';

/** Any value, as JSON. */
export function JsonWidget(props: WidgetProps) {
  const { id, value, readOnly, disabled, onBlur } = props;
  const draft = useDraft({
    value,
    parse: (text) => readJson(text),
    onChange: props.onChange,
    ...(props.onProblem && { onProblem: props.onProblem }),
  });
  if (props.bare) return <TextControl props={props} />;
  return (
    <Textarea
      id={id}
      className={styles.area}
      textarea={{ className: styles.mono, spellCheck: false }}
      rows={4}
      value={draft.text ?? (value === null || value === undefined ? '' : JSON.stringify(value, null, 2))}
      {...(readOnly && { readOnly })}
      {...(disabled && { disabled })}
      {...described(props)}
      onChange={(_, data) => draft.type(data.value)}
      onBlur={() => {
        draft.settle();
        onBlur?.();
      }}
    />
  );
}

/** Where the text stops being JSON is said by line. */
function readJson(text: string): { value: unknown } | { error: string } {
  const parsed = fieldType('json').parse(text, { name: '', type: 'json', title: '', required: false, schema: {}, secret: false, readOnly: false });
  if ('value' in parsed) return parsed;
  try {
    JSON.parse(text);
  } catch (error) {
    const at = /position (\d+)/.exec(error instanceof Error ? error.message : '')?.[1];
    if (at !== undefined) return { error: `This is not JSON: look at line ${text.slice(0, Number(at)).split('\n').length}.` };
  }
  return parsed;
}
