import type { ReactElement, ReactNode } from 'react';
import { Suspense, useRef, useState } from 'react';
import { Anchored } from './anchored.tsx';
import styles from './fields.module.css';
import { TextControl } from './text_control.tsx';
import type { WidgetProps } from './widget.ts';

interface PickerControlProps {
  props: WidgetProps;
  placeholder: string;
  icon: ReactElement;
  /** Label of the button that opens the picker. */
  button: string;
  /** The content of the popup. Loaded when it is first opened. */
  picker: (done: (value?: unknown) => void) => ReactNode;
  edit?: (value: unknown) => string;
  /** Arrow keys in the text: the value moved by that number of steps; null = not movable. */
  step?: (value: unknown, by: 1 | -1) => unknown;
}

/** A text that can be typed, with a picker: a button, or Alt and the down arrow. */
export function PickerControl({ props, placeholder, icon, button, picker, edit, step }: PickerControlProps) {
  const anchor = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const [open, setOpen] = useState(false);
  const fixed = props.readOnly === true || props.disabled === true;
  const done = (value?: unknown) => {
    setOpen(false);
    input.current?.focus();
    if (value !== undefined) props.onChange(value);
  };
  return (
    <div ref={anchor} className={props.bare ? styles.bareLine : styles.pickerLine}>
      <TextControl
        props={props}
        placeholder={placeholder}
        inputRef={input}
        {...(edit && { edit })}
        onKey={(event, settle) => {
          if (fixed || (event.key !== 'ArrowDown' && event.key !== 'ArrowUp')) return;
          if (event.altKey) {
            event.preventDefault();
            settle();
            setOpen(true);
          } else if (step && !props.bare) {
            const moved = step(props.value, event.key === 'ArrowUp' ? 1 : -1);
            if (moved === null) return;
            event.preventDefault();
            settle();
            props.onChange(moved);
          }
        }}
        {...(!fixed && {
          after: (
            <button
              type="button"
              className={styles.iconButton}
              tabIndex={-1}
              aria-label={`${button}: ${props.field.title}`}
              aria-expanded={open}
              onClick={() => setOpen(!open)}
            >
              {icon}
            </button>
          ),
        })}
      />
      {open && (
        <Anchored anchor={anchor} onClose={() => done()}>
          <Suspense fallback={<div className={styles.pickerWaiting} />}>{picker(done)}</Suspense>
        </Anchored>
      )}
    </div>
  );
}
