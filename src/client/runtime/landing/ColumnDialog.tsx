import {
  Button,
  Checkbox,
  Dialog,
  DialogActions,
  DialogBody,
  DialogContent,
  DialogSurface,
  DialogTitle,
  Input,
} from '@fluentui/react-components';
import { ArrowDownRegular, ArrowUpRegular, SearchRegular } from '@fluentui/react-icons';
import { useState } from 'react';
import type { Screen } from '../../../descriptor/types.ts';
import type { ColumnChoice } from './column_state.ts';
import { defaultColumns, resolveColumns } from './column_state.ts';
import styles from './landing.module.css';

/** Which columns are shown, and in which order. */
export default function ColumnDialog({
  screen,
  columns,
  onSave,
  onClose,
}: {
  screen: Screen;
  columns: ColumnChoice[];
  onSave: (columns: ColumnChoice[] | null) => void;
  onClose: () => void;
}) {
  const [choice, setChoice] = useState(columns);
  const [text, setText] = useState('');
  const shown = resolveColumns(choice, screen);
  const wanted = text.trim().toLowerCase();
  const visible = choice.filter((column) => !column.hidden).length;

  const move = (field: string, to: number) => {
    setChoice((old) => {
      const from = old.findIndex((column) => column.field === field);
      const moved = old[from];
      if (!moved || to < 0 || to >= old.length) return old;
      const rest = old.filter((column) => column !== moved);
      return [...rest.slice(0, to), moved, ...rest.slice(to)];
    });
  };
  const tick = (field: string, on: boolean) =>
    setChoice((old) => old.map((column) => (column.field === field ? { ...column, hidden: !on } : column)));

  return (
    <Dialog open onOpenChange={(_, { open }) => !open && onClose()}>
      <DialogSurface className={styles.dialog}>
        <DialogBody>
          <DialogTitle>Columns</DialogTitle>
          <DialogContent>
            <Input
              className={styles.wide}
              contentBefore={<SearchRegular />}
              placeholder="Find a column"
              aria-label="Find a column"
              value={text}
              onChange={(_, { value }) => setText(value)}
            />
            <ul className={styles.columns}>
              {shown.map(({ field, title, hidden }, index) =>
                title.toLowerCase().includes(wanted) ? (
                  <li key={field.name}>
                    <Checkbox
                      label={title}
                      checked={!hidden}
                      disabled={!hidden && visible === 1}
                      onChange={(_, { checked }) => tick(field.name, checked === true)}
                    />
                    <Button
                      size="small"
                      appearance="subtle"
                      icon={<ArrowUpRegular />}
                      aria-label={`Move ${title} up`}
                      disabled={index === 0}
                      onClick={() => move(field.name, index - 1)}
                    />
                    <Button
                      size="small"
                      appearance="subtle"
                      icon={<ArrowDownRegular />}
                      aria-label={`Move ${title} down`}
                      disabled={index === shown.length - 1}
                      onClick={() => move(field.name, index + 1)}
                    />
                  </li>
                ) : null,
              )}
            </ul>
          </DialogContent>
          <DialogActions>
            <Button
              appearance="subtle"
              onClick={() => {
                setChoice(defaultColumns(screen));
                onSave(null);
                onClose();
              }}
            >
              Reset to default
            </Button>
            <Button onClick={onClose}>Cancel</Button>
            <Button
              appearance="primary"
              onClick={() => {
                onSave(choice);
                onClose();
              }}
            >
              Apply
            </Button>
          </DialogActions>
        </DialogBody>
      </DialogSurface>
    </Dialog>
  );
}
