import { Input } from '@fluentui/react-components';
import type { KeyboardEvent, ReactElement, Ref } from 'react';
import { useState } from 'react';
import type { Parsed } from '../../../descriptor/fieldtypes/field_type.ts';
import { fieldType } from '../../../descriptor/fieldtypes/registry.ts';
import { useDraft } from './draft.ts';
import styles from './fields.module.css';
import type { WidgetProps } from './widget.ts';
import { described } from './widget.ts';

interface TextControlProps {
  props: WidgetProps;
  /** Default: the field type's. */
  parse?: (text: string) => Parsed;
  /** The value's text while the control has no focus. Default: the field type's format. */
  format?: (value: unknown) => string;
  /** The value's text while it is being edited. Default: as without focus. */
  edit?: (value: unknown) => string;
  /** Changes what is typed as it is typed, e.g. to capitals. */
  as?: (text: string) => string;
  type?: 'text' | 'password';
  inputMode?: 'text' | 'decimal' | 'numeric' | 'email' | 'tel' | 'url';
  align?: 'right';
  placeholder?: string;
  before?: ReactElement | string;
  /** Unit, picker button or the like; given the text, for a live count. */
  after?: ReactElement | string | ((text: string) => ReactElement | string | null);
  maxLength?: number;
  autoComplete?: string;
  onKey?: (event: KeyboardEvent<HTMLInputElement>, settle: () => void) => void;
  inputRef?: Ref<HTMLInputElement>;
}

/** One line of text that is read as a value: the base of most widgets. */
export function TextControl({ props, ...control }: TextControlProps) {
  const { field, id, value, bare, readOnly, disabled, autoFocus } = props;
  const type = fieldType(field.type);
  const [focused, setFocused] = useState(false);
  const draft = useDraft({
    value,
    parse: control.parse ?? ((text) => type.parse(text, field)),
    onChange: props.onChange,
    ...(props.onProblem && { onProblem: props.onProblem }),
    typed: props.typed === undefined ? undefined : (control.as?.(props.typed) ?? props.typed),
  });
  const format = control.format ?? ((one: unknown) => type.format(one, field));
  const text = draft.text ?? ((focused ? control.edit : undefined) ?? format)(value);

  const input = {
    id,
    value: text,
    autoComplete: control.autoComplete ?? 'off',
    spellCheck: false,
    ...described(props),
    ...(control.inputMode && { inputMode: control.inputMode }),
    ...(control.placeholder && { placeholder: control.placeholder }),
    ...(control.maxLength !== undefined && { maxLength: control.maxLength }),
    ...(readOnly && { readOnly }),
    ...(disabled && { disabled }),
    ...(autoFocus && { autoFocus }),
    onFocus: () => setFocused(true),
    onBlur: () => {
      setFocused(false);
      draft.settle();
      props.onBlur?.();
    },
    onKeyDown: (event: KeyboardEvent<HTMLInputElement>) => {
      if (event.key === 'Enter') draft.commit();
      control.onKey?.(event, draft.settle);
    },
  };
  const typed = (entered: string) => draft.type(control.as ? control.as(entered) : entered);
  const after = typeof control.after === 'function' ? control.after(text) : control.after;

  if (bare) {
    return (
      <input
        {...input}
        ref={control.inputRef}
        type={control.type ?? 'text'}
        className={styles.bare}
        data-align={control.align}
        onChange={(event) => typed(event.target.value)}
      />
    );
  }
  return (
    <Input
      {...input}
      input={{ ...(control.inputRef && { ref: control.inputRef }), ...(control.align && { className: styles.right }) }}
      type={control.type ?? 'text'}
      className={styles.control}
      {...(control.before && { contentBefore: <span className={styles.affix}>{control.before}</span> })}
      {...(after && { contentAfter: <span className={styles.affix}>{after}</span> })}
      onChange={(_, { value: entered }) => typed(entered)}
    />
  );
}
