import {
  Button,
  Dialog,
  DialogActions,
  DialogBody,
  DialogContent,
  DialogSurface,
  DialogTitle,
  Field as FormField,
} from '@fluentui/react-components';
import type { FormEvent } from 'react';
import { useState } from 'react';
import type { Field, Screen } from '../../../descriptor/types.ts';
import { bulkValue } from '../landing/bulk_value.ts';
import styles from '../landing/landing.module.css';
import { ValueInput } from '../landing/ValueInput.tsx';

export interface Asked {
  field: Field;
  message: string;
}

/** What a record needs before it can be moved on. */
export default function MoveDialog({
  screen,
  title,
  asks,
  onMove,
  onClose,
}: {
  screen: Screen;
  title: string;
  asks: Asked[];
  onMove: (values: Record<string, unknown>) => Promise<Asked[] | null>;
  onClose: () => void;
}) {
  const [wanted, setWanted] = useState(asks);
  const [texts, setTexts] = useState<Record<string, string>>({});
  const [picked, setPicked] = useState<Record<string, number[]>>({});
  const [errors, setErrors] = useState<Record<string, string>>(
    Object.fromEntries(asks.map(({ field, message }) => [field.name, message])),
  );
  const [busy, setBusy] = useState(false);

  const move = async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    const values: Record<string, unknown> = {};
    const wrong: Record<string, string> = {};
    for (const { field } of wanted) {
      const answer = bulkValue(field, texts[field.name] ?? '', picked[field.name]);
      if ('error' in answer) wrong[field.name] = answer.error;
      else values[field.name] = answer.value;
    }
    setErrors(wrong);
    if (Object.keys(wrong).length > 0) return;
    setBusy(true);
    const missing = await onMove(values);
    setBusy(false);
    if (missing === null) return;
    setWanted((old) => [...old, ...missing.filter(({ field }) => !old.some((one) => one.field.name === field.name))]);
    setErrors(Object.fromEntries(missing.map(({ field, message }) => [field.name, message])));
  };
  return (
    <Dialog open onOpenChange={(_, { open }) => !open && onClose()}>
      <DialogSurface className={styles.dialog}>
        <form onSubmit={(event) => void move(event)} noValidate>
          <DialogBody>
            <DialogTitle>{title}</DialogTitle>
            <DialogContent className={styles.dialogFields}>
              {wanted.map(({ field }) => (
                <FormField
                  key={field.name}
                  label={field.title}
                  required
                  {...(errors[field.name] !== undefined && { validationMessage: errors[field.name] })}
                >
                  <ValueInput
                    label={field.title}
                    screen={screen}
                    field={field}
                    text={texts[field.name] ?? ''}
                    picked={picked[field.name] ?? []}
                    onText={(text) => setTexts((old) => ({ ...old, [field.name]: text }))}
                    onPicked={(ids) => setPicked((old) => ({ ...old, [field.name]: ids }))}
                  />
                </FormField>
              ))}
            </DialogContent>
            <DialogActions>
              <Button onClick={onClose}>Cancel</Button>
              <Button appearance="primary" type="submit" disabledFocusable={busy}>
                {busy ? 'Moving…' : 'Move'}
              </Button>
            </DialogActions>
          </DialogBody>
        </form>
      </DialogSurface>
    </Dialog>
  );
}
