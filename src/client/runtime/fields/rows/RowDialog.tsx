import {
  Button,
  Dialog,
  DialogActions,
  DialogBody,
  DialogContent,
  DialogSurface,
  DialogTitle,
  Link,
} from '@fluentui/react-components';
import { ChevronDownRegular, ChevronUpRegular } from '@fluentui/react-icons';
import { useContext, useMemo, useState } from 'react';
import type { Field } from '../../../../descriptor/types.ts';
import { fieldWidth, isGroup, widgetFor } from '../registry.tsx';
import type { FieldHost } from '../widget.ts';
import { FieldErrorsContext, FieldHostContext, commitDrafts } from '../widget.ts';
import styles from './rows.module.css';
import { isColumnRequired, isColumnShown, rowSections } from './shown_columns.ts';
import type { Sheet } from './use_sheet.ts';
import { cellKey } from './use_sheet.ts';

interface RowDialogProps {
  field: Field;
  columns: Field[];
  sheet: Sheet;
  index: number;
  host: FieldHost | null;
  fixed: boolean;
  /** Cells that cannot be changed now, by `row.column`. */
  held: ReadonlySet<string>;
  onOpen: (index: number) => void;
  onClose: () => void;
}

/** One row as a small form; what is entered is in the sheet at once. */
export default function RowDialog({
  field,
  columns,
  sheet,
  index,
  host,
  fixed,
  held,
  onOpen,
  onClose,
}: RowDialogProps) {
  const errors = useContext(FieldErrorsContext);
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const sections = useMemo(() => rowSections(field), [field]);
  const row = sheet.rows[index] ?? {};
  const key = sheet.keys[index] ?? 0;
  const settle = () => {
    if (host) commitDrafts(host);
  };
  const go = (next: number) => {
    settle();
    setTouched(new Set());
    onOpen(next);
  };
  return (
    <Dialog
      open
      modalType="modal"
      onOpenChange={(_, { open }) => {
        if (open) return;
        settle();
        onClose();
      }}
    >
      <DialogSurface
        className={styles.dialog ?? ''}
        onKeyDown={(event) => {
          // Another dialog, opened from this one.
          if (!event.currentTarget.contains(event.target as Node)) return;
          if ((event.ctrlKey || event.metaKey) && event.key === 'Enter') {
            event.preventDefault();
            settle();
            onClose();
          }
          // The form under the dialog has keys of its own.
          event.stopPropagation();
        }}
      >
        <DialogBody>
          <DialogTitle
            action={
              field.part && typeof row.id === 'number' ? (
                <Link
                  href={field.part.page.replace(':id', String(row.id))}
                  target="_blank"
                  className={styles.page ?? ''}
                >
                  Steps and history
                </Link>
              ) : null
            }
          >
            {field.title}: row {index + 1} of {sheet.rows.length}
          </DialogTitle>
          <DialogContent>
            <FieldHostContext value={host}>
              {sections.map((section, place) => (
                <section key={`${key}-${place}`}>
                  {section.title !== undefined && <h3 className={styles.sectionTitle}>{section.title}</h3>}
                  {section.help !== undefined && <p className={styles.sectionHelp}>{section.help}</p>}
                  <div className={styles.form}>
                    {section.columns
                      .filter((column) => isColumnShown(column, columns, row, host))
                      .map((column) => {
                        const Widget = widgetFor(column);
                        const id = `row-${key}-${column.name}`;
                        const path = `${field.name}.${index}.${column.name}`;
                        const message = sheet.unread.get(cellKey(key, column))?.message ?? errors.get(path);
                        const required = isColumnRequired(column, columns, row, host);
                        const missing =
                          message === undefined &&
                          touched.has(column.name) &&
                          required &&
                          (row[column.name] ?? '') === ''
                            ? `${column.title} is required.`
                            : undefined;
                        const wrong = message ?? missing;
                        // Under a heading of the same words the label is for screen readers alone.
                        const hidden = section.title === column.title ? styles.unseen : undefined;
                        const wide = ['l', 'full'].includes(fieldWidth(column));
                        return (
                          <div key={column.name} className={styles.field} data-wide={wide ? '' : undefined}>
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
                                readOnly={fixed || column.readOnly || held.has(`${index}.${column.name}`)}
                                invalid={wrong !== undefined}
                                onChange={(value) => sheet.change(index, { [column.name]: value })}
                                onBlur={() => setTouched((old) => new Set(old).add(column.name))}
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
                      })}
                  </div>
                </section>
              ))}
            </FieldHostContext>
          </DialogContent>
          <DialogActions>
            <span className={styles.steps}>
              <Button
                appearance="subtle"
                icon={<ChevronUpRegular />}
                aria-label="Row before"
                disabled={index === 0}
                onClick={() => go(index - 1)}
              />
              <Button
                appearance="subtle"
                icon={<ChevronDownRegular />}
                aria-label="Row after"
                disabled={index >= sheet.rows.length - 1}
                onClick={() => go(index + 1)}
              />
            </span>
            {!fixed && (
              <Button
                onClick={() => {
                  onClose();
                  sheet.remove([index]);
                }}
              >
                Delete row
              </Button>
            )}
            <Button
              appearance="primary"
              onClick={() => {
                settle();
                onClose();
              }}
            >
              Done
            </Button>
          </DialogActions>
        </DialogBody>
      </DialogSurface>
    </Dialog>
  );
}

/** The messages of rows within a row, by their paths from there. */
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
