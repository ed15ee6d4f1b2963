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
import { useMemo } from 'react';
import type { Field } from '../../../../descriptor/types.ts';
import type { FieldHost } from '../widget.ts';
import { FieldHostContext, commitDrafts } from '../widget.ts';
import { RowField } from './RowField.tsx';
import styles from './rows.module.css';
import { isColumnShown, rowSections } from './shown_columns.ts';
import type { RowSheet } from './sheet/use_sheet.ts';

interface RowDialogProps {
  field: Field;
  columns: Field[];
  sheet: RowSheet;
  index: number;
  host: FieldHost | null;
  fixed: boolean;
  /** Locked cells, by `row.column`. */
  held: ReadonlySet<string>;
  onOpen: (index: number) => void;
  onClose: () => void;
}

/** One row as a small form; entries appear in the sheet at once. */
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
  const sections = useMemo(() => rowSections(field), [field]);
  const row = sheet.rows[index] ?? {};
  const key = sheet.keys[index] ?? 0;
  const settle = () => {
    if (host) commitDrafts(host);
  };
  const go = (next: number) => {
    settle();
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
          // The form below the dialog has its own keyboard shortcuts.
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
                      .map((column) => (
                        <RowField
                          key={column.name}
                          field={field}
                          column={column}
                          sheet={sheet}
                          index={index}
                          host={host}
                          fixed={fixed || held.has(`${index}.${column.name}`) || sheet.locked.has(column.name)}
                          // Below a heading with the same text, the label is for screen readers only.
                          unseen={section.title === column.title}
                        />
                      ))}
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
                aria-label="Previous row"
                disabled={index === 0}
                onClick={() => go(index - 1)}
              />
              <Button
                appearance="subtle"
                icon={<ChevronDownRegular />}
                aria-label="Next row"
                disabled={index >= sheet.rows.length - 1}
                onClick={() => go(index + 1)}
              />
            </span>
            {!fixed && !field.givenRows && (
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
