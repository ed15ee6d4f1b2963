import { useMemo, useSyncExternalStore } from 'react';
import type { Field } from '../../../../descriptor/types.ts';
import { fieldWidth, isGroup, widgetFor } from '../../fields/registry.tsx';
import { isColumnShown, rowSections } from '../../fields/rows/shown_columns.ts';
import type { FieldHost } from '../../fields/widget.ts';
import { FieldHostContext } from '../../fields/widget.ts';
import type { FormController } from '../../form/use_form.ts';
import styles from './builder.module.css';
import type { Names, Place } from './places.ts';
import { patched, rowAt } from './places.ts';

interface RowEditorProps {
  form: FormController;
  names: Names;
  place: Place;
  fixed: boolean;
}

/** The fields of the selected section or question; the preview is updated at once. */
export function RowEditor({ form, names, place, fixed }: RowEditorProps) {
  const { store, host: outer, prefix } = form;
  const values = useSyncExternalStore(store.subscribe, store.values);
  const outerField = store.screen.fields.find(({ name }) => name === names.sections);
  const inner = outerField?.rows?.find(({ name }) => name === names.questions);
  const field = place.question === undefined ? outerField : inner;
  const row = rowAt(values, names, place);
  const path = `${names.sections}.${place.section}${place.question === undefined ? '' : `.${names.questions}.${place.question}`}`;
  const { section, question } = place;
  const host = useMemo<FieldHost | null>(() => {
    if (!field) return null;
    const set = (patch: Record<string, unknown>) =>
      store.set(patched(store.values(), names, { section, question }, patch));
    return {
      ...outer,
      rows: field.name,
      columns: field.rows ?? [],
      ...(field.part && { part: field.part.type }),
      ...(question !== undefined && outerField?.part && { asked: outerField.part.type }),
      values: () => ({ ...outer.values(), ...rowAt(store.values(), names, { section, question }) }),
      setValues: set,
    };
  }, [field, outer, outerField, store, names, section, question]);
  if (!field || !row || !host) return null;
  const columns = field.rows ?? [];
  const messages = store.messages();
  const heading = place.question === undefined ? 'Section' : 'Question';
  return (
    <FieldHostContext value={host}>
      <section className={styles.editor} aria-label={heading}>
        {rowSections(field).map((part, at) => {
          const shown = part.columns.filter(
            (column) => column.name !== names.questions && isColumnShown(column, columns, row, host),
          );
          if (shown.length === 0) return null;
          return (
            <div key={part.title ?? at} className={styles.fields}>
              {part.title !== undefined && <h3>{part.title}</h3>}
              {shown.map((column) => (
                <Cell
                  key={column.name}
                  column={column}
                  id={`${prefix}-${place.section}-${place.question ?? 's'}-${column.name}`}
                  value={row[column.name]}
                  fixed={fixed}
                  message={messages.get(`${path}.${column.name}`)}
                  onChange={(value) => host.setValues({ [column.name]: value })}
                  onProblem={(message) => store.problem(`${path}.${column.name}`, message)}
                />
              ))}
            </div>
          );
        })}
      </section>
    </FieldHostContext>
  );
}

interface CellProps {
  column: Field;
  id: string;
  value: unknown;
  fixed: boolean;
  message: string | undefined;
  onChange: (value: unknown) => void;
  onProblem: (message: string | null) => void;
}

function Cell({ column, id, value, fixed, message, onChange, onProblem }: CellProps) {
  const Widget = widgetFor(column);
  const title = (
    <>
      {column.title}
      {column.required && (
        <span className={styles.star} aria-hidden>
          {' *'}
        </span>
      )}
    </>
  );
  return (
    <div className={styles.field} data-wide={['l', 'full'].includes(fieldWidth(column)) ? '' : undefined}>
      {isGroup(column) ? (
        <span id={`${id}-label`}>{title}</span>
      ) : (
        <label id={`${id}-label`} htmlFor={id}>
          {title}
        </label>
      )}
      <Widget
        field={column}
        id={id}
        value={value}
        required={column.required}
        readOnly={fixed || column.readOnly}
        invalid={message !== undefined}
        onChange={onChange}
        onProblem={onProblem}
      />
      <span id={`${id}-message`} className={styles.message} data-bad={message === undefined ? undefined : ''}>
        {message ?? column.help ?? ''}
      </span>
    </div>
  );
}
