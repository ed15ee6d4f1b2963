import { memo, useCallback, useContext } from 'react';
import type { ComponentType } from 'react';
import type { Field } from '../../../descriptor/types.ts';
import { fieldWidth, isGroup, widgetFor } from '../fields/registry.tsx';
import type { WidgetProps } from '../fields/widget.ts';
import { FieldNoteContext } from './field_note.ts';
import styles from './form.module.css';
import { controlId, useFieldState, useForm, useValue } from './form_context.ts';

/** One field of the form: label, control, and below it the help or the error. */
export function FormField({ field, required: byCondition = false }: { field: Field; required?: boolean }) {
  const { store, prefix, readOnly } = useForm();
  const { name } = field;
  const value = useValue(name);
  const state = useFieldState(name);
  const Note = useContext(FieldNoteContext);
  const id = controlId(prefix, name);
  const onChange = useCallback((next: unknown) => store.set({ [name]: next }), [store, name]);
  const onBlur = useCallback(() => store.touch(name), [store, name]);
  const onProblem = useCallback((message: string | null) => store.problem(name, message), [store, name]);
  if (!state.shown) return null;

  const required = (state.required || byCondition) && !field.readOnly && !state.held;
  const title = (
    <>
      {field.title}
      {required && (
        <span className={styles.star} aria-hidden>
          {' *'}
        </span>
      )}
      {state.changed && (
        <span className={styles.changed} role="img" aria-label="changed" title="Changed, not saved yet" />
      )}
    </>
  );
  return (
    <div className={styles.field} data-width={fieldWidth(field)} data-field={name}>
      {isGroup(field) ? (
        <span id={`${id}-label`} className={styles.label}>
          {title}
        </span>
      ) : (
        <label id={`${id}-label`} htmlFor={id} className={styles.label}>
          {title}
        </label>
      )}
      <Control
        Widget={widgetFor(field)}
        field={field}
        id={id}
        value={value}
        required={required}
        readOnly={readOnly || field.readOnly || state.held}
        invalid={state.message !== undefined}
        onChange={onChange}
        onBlur={onBlur}
        onProblem={onProblem}
      />
      <div id={`${id}-message`} className={styles.message} data-bad={state.message === undefined ? undefined : ''}>
        {state.message ?? field.help ?? ''}
      </div>
      {Note && <Note field={field} />}
    </div>
  );
}

/** Renders only when something that the control shows has changed. */
const Control = memo(function Control({ Widget, ...props }: WidgetProps & { Widget: ComponentType<WidgetProps> }) {
  return <Widget {...props} />;
});
