import type { KeyboardEvent, ReactElement, RefObject } from 'react';
import { useRef, useState } from 'react';
import type { Parsed } from '../../../descriptor/fieldtypes/field_type.ts';
import { fieldType } from '../../../descriptor/fieldtypes/registry.ts';
import { useDraft, useShownText } from './draft.ts';
import styles from './fields.module.css';
import { InputBox } from './input_box.tsx';
import type { WidgetProps } from './widget.ts';
import { described } from './widget.ts';

interface TextControlProps {
  props: WidgetProps;
  /** Default: the field type's. */
  parse?: (text: string) => Parsed;
  /** The displayed text without focus. Default: the field type's format. */
  format?: (value: unknown) => string;
  /** The text while editing. Default: as without focus. */
  edit?: (value: unknown) => string;
  /** Transforms the typed text immediately, e.g. to capitals. */
  as?: (text: string) => string;
  type?: 'text' | 'password';
  inputMode?: 'text' | 'decimal' | 'numeric' | 'email' | 'tel' | 'url';
  align?: 'right';
  placeholder?: string;
  before?: ReactElement | string;
  /** Unit, picker button or similar; receives the text, for a live count. */
  after?: ReactElement | string | ((text: string) => ReactElement | string | null);
  autoComplete?: string;
  onKey?: (event: KeyboardEvent<HTMLInputElement>, settle: () => void) => void;
  inputRef?: RefObject<HTMLInputElement | null>;
}

/** A single-line text that is parsed to a value: the base of most widgets. */
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
  const own = useRef<HTMLInputElement>(null);
  const element = control.inputRef ?? own;
  const shown = ((focused ? control.edit : undefined) ?? format)(value);
  useShownText(element, draft, shown);
  const [first] = useState(draft.held() ?? shown);
  // Only the character counter renders at each key.
  const [counted, setCounted] = useState<string | null>(null);

  const input = (
    <input
      ref={element}
      id={id}
      type={control.type ?? 'text'}
      className={bare ? styles.bare : styles.input}
      data-align={control.align}
      defaultValue={first}
      autoComplete={control.autoComplete ?? 'off'}
      spellCheck={false}
      {...described(props)}
      {...(control.inputMode && { inputMode: control.inputMode })}
      {...(control.placeholder && { placeholder: control.placeholder })}
      {...(readOnly && { readOnly })}
      {...(disabled && { disabled })}
      {...(autoFocus && { autoFocus })}
      onFocus={() => setFocused(true)}
      onChange={({ target }) => {
        const text = control.as?.(target.value) ?? target.value;
        if (text !== target.value) {
          const at = Math.max(0, (target.selectionStart ?? text.length) - (target.value.length - text.length));
          target.value = text;
          target.setSelectionRange(at, at);
        }
        draft.type(text);
        if (typeof control.after === 'function') setCounted(text);
      }}
      onBlur={() => {
        setFocused(false);
        setCounted(null);
        draft.settle();
        props.onBlur?.();
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter') draft.commit();
        control.onKey?.(event, draft.settle);
      }}
    />
  );
  if (bare) return input;
  const after = typeof control.after === 'function' ? control.after(counted ?? shown) : control.after;
  return (
    <InputBox
      before={control.before}
      after={after}
      invalid={props.invalid}
      fixed={readOnly === true || disabled === true}
    >
      {input}
    </InputBox>
  );
}
