import {
  Button,
  Dialog,
  DialogActions,
  DialogBody,
  DialogContent,
  DialogSurface,
  DialogTitle,
  MessageBar,
  Spinner,
} from '@fluentui/react-components';
import { useState } from 'react';
import { parameterForm } from '../../descriptor/parameter_form.ts';
import type { RecordAction, Screen } from '../../descriptor/types.ts';
import { ApiError } from '../api/http.ts';
import { answerDialog, dialogs, dialogsUsed } from '../app/feedback.ts';
import { commitDrafts } from './fields/widget.ts';
import { refusedElsewhere, useAskedFields } from './form/asked_fields.tsx';
import { createFormStore } from './form/form_store.ts';
import { isEmpty, newRecord } from './form/values.ts';

type Send = (params: Record<string, unknown>) => Promise<void>;

/** Ids of other dialogs count up. */
let lastId = -1_000_000;

/**
 * Asks for the parameters of an action, with known ones filled in, and sends it; server errors appear at their fields.
 * @returns whether it was sent
 */
export function askParameters(
  screen: Screen,
  action: RecordAction,
  given: Record<string, unknown>,
  send: Send,
): Promise<boolean> {
  return new Promise((resolve) => {
    const id = --lastId;
    const close = (done: boolean) => answerDialog(id, done);
    dialogsUsed.set(true);
    dialogs.set((old) => [
      ...old,
      {
        kind: 'own',
        id,
        resolve,
        opener: document.activeElement,
        draw: () => <ActionDialog screen={screen} action={action} given={given} send={send} onClose={close} />,
      },
    ]);
  });
}

function ActionDialog({
  screen,
  action,
  given,
  send,
  onClose,
}: {
  screen: Screen;
  action: RecordAction;
  given: Record<string, unknown>;
  send: Send;
  onClose: (done: boolean) => void;
}) {
  const fields = action.params ?? [];
  const [store] = useState(() => {
    const form = parameterForm(screen, fields, { landing: screen.routes.landing, menu: screen.menu });
    return createFormStore(form, { ...newRecord(form), ...given });
  });
  const { host, drawn } = useAskedFields(store, fields);
  const [general, setGeneral] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  const run = async () => {
    commitDrafts(host);
    if (busy || !store.check()) return;
    const values = store.values();
    const missing = fields
      .filter(({ name, required }) => required && isEmpty(values[name]))
      .map(({ name }) => ({ field: name, message: 'This is required.' }));
    store.refuse(missing);
    if (missing.length > 0) return;
    setBusy(true);
    setGeneral(null);
    try {
      await send(Object.fromEntries(fields.map(({ name }) => [name, values[name] ?? null])));
      onClose(true);
    } catch (thrown) {
      if (!(thrown instanceof ApiError)) throw thrown;
      const others = refusedElsewhere(store, fields, thrown).map(({ message }) => message);
      setGeneral(others.length > 0 ? others.join(' ') : null);
    } finally {
      setBusy(false);
    }
  };

  return (
    <Dialog open modalType="alert" onOpenChange={(_, { open }) => !open && onClose(false)}>
      <DialogSurface
        onKeyDown={(event) => {
          if (event.key === 'Escape') onClose(false);
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void run();
        }}
      >
        <DialogBody>
          <DialogTitle>{action.title}</DialogTitle>
          <DialogContent>
            {general !== null && (
              <MessageBar intent="error" style={{ marginBottom: 12 }}>
                {general}
              </MessageBar>
            )}
            {action.confirm !== undefined && <p style={{ marginTop: 0 }}>{action.confirm}</p>}
            {drawn}
          </DialogContent>
          <DialogActions>
            <Button onClick={() => onClose(false)}>Cancel</Button>
            <Button
              appearance="primary"
              aria-busy={busy}
              {...(busy && { icon: <Spinner size="tiny" /> })}
              onClick={() => void run()}
            >
              {action.title}
            </Button>
          </DialogActions>
        </DialogBody>
      </DialogSurface>
    </Dialog>
  );
}
