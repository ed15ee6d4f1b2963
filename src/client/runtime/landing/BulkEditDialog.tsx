import {
  Button,
  Dialog,
  DialogActions,
  DialogBody,
  DialogContent,
  DialogSurface,
  DialogTitle,
  Field as FormField,
  Select,
} from '@fluentui/react-components';
import { useState } from 'react';
import type { Screen, WireRecord } from '../../../descriptor/types.ts';
import type { BulkAnswer } from './bulk_calls.ts';
import { bulkSet } from './bulk_calls.ts';
import { bulkFields, bulkValue } from './bulk_value.ts';
import styles from './landing.module.css';
import { ValueInput } from './ValueInput.tsx';

/** One field, one value, all selected records. */
export default function BulkEditDialog({
  screen,
  records,
  onDone,
  onClose,
}: {
  screen: Screen;
  records: WireRecord[];
  onDone: (answer: BulkAnswer) => void;
  onClose: () => void;
}) {
  const fields = bulkFields(screen);
  const [name, setName] = useState(fields[0]?.name ?? '');
  const [text, setText] = useState('');
  const [picked, setPicked] = useState<number[]>([]);
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const field = fields.find((one) => one.name === name);
  const count = records.length === 1 ? '1 record' : `${records.length} records`;

  const save = () => {
    if (!field) return;
    const answer = bulkValue(field, text, picked);
    if ('error' in answer) {
      setError(answer.error);
      return;
    }
    setBusy(true);
    bulkSet(screen.name, records, { [field.name]: answer.value })
      .then(onDone)
      // The call has shown why.
      .catch(() => setBusy(false));
  };
  return (
    <Dialog open onOpenChange={(_, { open }) => !open && onClose()}>
      <DialogSurface className={styles.dialog}>
        <form
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            save();
          }}
        >
          <DialogBody>
            <DialogTitle>Change {count}</DialogTitle>
            <DialogContent className={styles.dialogFields}>
              <FormField label="Field">
                <Select
                  value={name}
                  onChange={(_, { value }) => {
                    setName(value);
                    setText('');
                    setPicked([]);
                    setError(null);
                  }}
                >
                  {fields.map((one) => (
                    <option key={one.name} value={one.name}>
                      {one.title}
                    </option>
                  ))}
                </Select>
              </FormField>
              {field && (
                <FormField
                  label="New value"
                  required={field.required}
                  {...(error
                    ? { validationMessage: error }
                    : !field.required && { hint: 'If left empty, the field is cleared.' })}
                >
                  <ValueInput
                    label="New value"
                    screen={screen}
                    field={field}
                    text={text}
                    picked={picked}
                    onText={(value) => {
                      setText(value);
                      setError(null);
                    }}
                    onPicked={setPicked}
                  />
                </FormField>
              )}
            </DialogContent>
            <DialogActions>
              <Button onClick={onClose}>Cancel</Button>
              <Button appearance="primary" type="submit" disabled={busy || !field}>
                Change {count}
              </Button>
            </DialogActions>
          </DialogBody>
        </form>
      </DialogSurface>
    </Dialog>
  );
}
