import {
  Button,
  Checkbox,
  Dialog,
  DialogActions,
  DialogBody,
  DialogContent,
  DialogSurface,
  DialogTitle,
  Field,
  Input,
} from '@fluentui/react-components';
import { useState } from 'react';
import styles from './landing.module.css';

/** A view's name, and whether others see it. */
export default function ViewDialog({
  title,
  onSave,
  onClose,
  ...start
}: {
  title: string;
  name?: string;
  shared?: boolean;
  onSave: (name: string, shared: boolean) => Promise<void>;
  onClose: () => void;
}) {
  const [name, setName] = useState(start.name ?? '');
  const [shared, setShared] = useState(start.shared ?? false);
  const [busy, setBusy] = useState(false);
  const [missing, setMissing] = useState(false);
  const save = () => {
    const clean = name.trim();
    if (clean === '') {
      setMissing(true);
      return;
    }
    setBusy(true);
    onSave(clean, shared)
      // The call has shown why.
      .catch(() => undefined)
      .finally(() => setBusy(false));
  };
  return (
    <Dialog open onOpenChange={(_, { open }) => !open && onClose()}>
      <DialogSurface className={styles.dialog}>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            save();
          }}
        >
          <DialogBody>
            <DialogTitle>{title}</DialogTitle>
            <DialogContent className={styles.dialogFields}>
              <Field label="Name" required {...(missing && { validationMessage: 'Give the view a name.' })}>
                <Input
                  maxLength={60}
                  value={name}
                  onChange={(_, { value }) => {
                    setName(value);
                    setMissing(false);
                  }}
                />
              </Field>
              <Checkbox
                label="Everyone who sees this list sees the view"
                checked={shared}
                onChange={(_, { checked }) => setShared(checked === true)}
              />
            </DialogContent>
            <DialogActions>
              <Button onClick={onClose}>Cancel</Button>
              <Button appearance="primary" type="submit" disabled={busy}>
                Save view
              </Button>
            </DialogActions>
          </DialogBody>
        </form>
      </DialogSurface>
    </Dialog>
  );
}
