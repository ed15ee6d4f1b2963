import { useContext, useState } from 'react';
import type { Field } from '../../../../descriptor/types.ts';
import { fieldWidth, isGroup, widgetFor } from '../registry.tsx';
import type { FieldHost } from '../widget.ts';
import { FieldErrorsContext } from '../widget.ts';
import styles from './rows.module.css';
import { isColumnRequired } from './shown_columns.ts';
import type { RowSheet } from './sheet/use_sheet.ts';
import { cellKey } from './sheet/use_sheet.ts';

interface RowFieldProps {
  field: Field;
  column: Field;
  sheet: RowSheet;
  index: number;
  host: FieldHost | null;
  fixed: boolean;
  /** Whether the label is for screen readers only. */
  unseen?: boolean;
}

/** One cell of a row as a form field, with its label and error. */
export function RowField({ field, column, sheet, index, host, fixed, unseen = false }: RowFieldProps) {
  const errors = useContext(FieldErrorsContext);
  const [touched, setTouched] = useState(false);
  const row = sheet.rows[index] ?? {};
  const key = sheet.keys[index] ?? 0;
  const Widget = widgetFor(column);
  const id = `row-${key}-${column.name}`;
  const path = `${field.name}.${index}.${column.name}`;
  const message = sheet.unread.get(cellKey(key, column))?.message ?? errors.get(path);
  const required = isColumnRequired(column, field.rows ?? [], row, host);
  const isMissing = message === undefined && touched && required && (row[column.name] ?? '') === '';
  const wrong = isMissing ? `${column.title} is required.` : message;
  const hidden = unseen ? styles.unseen : undefined;
  const wide = ['l', 'full'].includes(fieldWidth(column));
  return (
    <div className={styles.field} data-wide={wide ? '' : undefined}>
      {isGroup(column) ? (
        <span id={`${id}-label`} className={hidden ?? styles.label}>
          <Title column={column} required={required} />
        </span>
      ) : (
        <label id={`${id}-label`} htmlFor={id}>
          <Title column={column} required={required} />
        </label>
      )}
      <FieldErrorsContext value={column.rows ? below(errors, path) : errors}>
        <Widget
          field={column}
          id={id}
          value={row[column.name]}
          required={required}
          readOnly={fixed || column.readOnly}
          invalid={wrong !== undefined}
          onChange={(value) => sheet.change(index, { [column.name]: value })}
          onBlur={() => setTouched(true)}
          onProblem={(text, typed = '') =>
            sheet.note(index, column, text === null ? null : { text: typed, message: text })
          }
        />
      </FieldErrorsContext>
      <span
        id={`${id}-message`}
        className={styles.message}
        data-bad={wrong === undefined ? undefined : ''}
        role={wrong === undefined ? undefined : 'alert'}
      >
        {wrong ?? column.help ?? ''}
      </span>
    </div>
  );
}

/** The messages of nested rows, by their relative paths. */
function below(errors: ReadonlyMap<string, string>, path: string): ReadonlyMap<string, string> {
  const cut = path.lastIndexOf('.') + 1;
  return new Map([...errors].flatMap(([at, text]) => (at.startsWith(`${path}.`) ? [[at.slice(cut), text]] : [])));
}

function Title({ column, required }: { column: Field; required: boolean }) {
  return (
    <>
      {column.title}
      {required && (
        <span className={styles.mark} aria-hidden>
          {' *'}
        </span>
      )}
    </>
  );
}
