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
import { useId, useMemo, useState, useSyncExternalStore } from 'react';
import { parameterForm } from '../../descriptor/parameter_form.ts';
import type { RecordAction, Screen } from '../../descriptor/types.ts';
import { ApiError } from '../api/http.ts';
import { answerDialog, dialogs, dialogsUsed } from '../app/feedback.ts';
import { currentSession } from '../app/session.ts';
import type { FieldHost } from './fields/widget.ts';
import { FieldErrorsContext, FieldHostContext, commitDrafts } from './fields/widget.ts';
import { FormField } from './form/FormField.tsx';
import { FormContext } from './form/form_context.ts';
import { createFormStore } from './form/form_store.ts';
import { isEmpty, newRecord } from './form/values.ts';

type Send = (params: Record<string, unknown>) => Promise<void>;

/** Other dialogs count upwards. */
let lastId = -1_000_000;

/** Asks what an action wants to know and sends it; what the server finds stands at its field. @returns whether it was sent */
export function askParameters(screen: Screen, action: RecordAction, send: Send): Promise<boolean> {
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
        draw: () => <ActionDialog screen={screen} action={action} send={send} onClose={close} />,
      },
    ]);
  });
}

function ActionDialog({
  screen,
  action,
  send,
  onClose,
}: {
  screen: Screen;
  action: RecordAction;
  send: Send;
  onClose: (done: boolean) => void;
}) {
  const prefix = useId().replace(/[^a-z\d]/gi, '');
  const fields = action.params ?? [];
  const [store] = useState(() => {
    const form = parameterForm(screen, fields, { landing: screen.routes.landing, menu: screen.menu });
    return createFormStore(form, newRecord(form));
  });
  const host = useMemo<FieldHost>(
    () => ({
      screen: store.screen,
      values: store.values,
      subscribe: store.subscribe,
      setValues: store.set,
      drafts: new Set(),
      awaited: new Set(),
      entityId: currentSession().entityId,
    }),
    [store],
  );
  const [general, setGeneral] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const messages = useSyncExternalStore(store.subscribe, store.messages);

  const run = async () => {
    commitDrafts(host);
    if (busy || !store.check()) return;
    const values = store.values();
    const missing = fields
      .filter(({ name, required }) => required && isEmpty(values[name]))
      .map(({ name }) => ({ field: name, message: 'This is needed.' }));
    store.refuse(missing);
    if (missing.length > 0) return;
    setBusy(true);
    setGeneral(null);
    try {
      await send(Object.fromEntries(fields.map(({ name }) => [name, values[name] ?? null])));
      onClose(true);
    } catch (thrown) {
      if (!(thrown instanceof ApiError)) throw thrown;
      const own = new Set(fields.map(({ name }) => name));
      const found =
        thrown.details.length > 0 ? thrown.details : [{ field: thrown.field ?? '', message: thrown.message }];
      store.refuse(found.filter(({ field }) => own.has(field.split('.')[0]!)));
      const others = found.filter(({ field }) => !own.has(field.split('.')[0]!)).map(({ message }) => message);
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
            <FormContext value={{ store, prefix, readOnly: false }}>
              <FieldHostContext value={host}>
                <FieldErrorsContext value={messages}>
                  {fields.map((field) => (
                    <FormField key={field.name} field={field} />
                  ))}
                </FieldErrorsContext>
              </FieldHostContext>
            </FormContext>
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
