import { Button } from '@fluentui/react-components';
import { useState } from 'react';
import type { Screen } from '../../../descriptor/types.ts';
import { commitDrafts } from '../fields/widget.ts';
import { useAskedFields } from '../form/asked_fields.tsx';
import { createFormStore } from '../form/form_store.ts';
import { isEmpty } from '../form/values.ts';
import type { WaitingAct } from './device_store.ts';
import { editableFields, enteredValues } from './edited_act.ts';
import styles from './outbox.module.css';

/** The values of a refused action, to be changed before it is sent again. */
export function EditAct({
  act,
  screen,
  onSend,
  onClose,
}: {
  act: WaitingAct;
  screen: Screen;
  onSend: (values: Record<string, unknown>) => Promise<unknown>;
  onClose: () => void;
}) {
  const [fields] = useState(() => editableFields(screen, act));
  // Only the values of the action are asked for; the server checks the rules of the whole record.
  const [store] = useState(() => createFormStore({ ...screen, fields, rules: [] }, enteredValues(act)));
  const { host, drawn } = useAskedFields(store, fields);
  const [busy, setBusy] = useState(false);
  const send = () => {
    commitDrafts(host);
    const values = store.values();
    const missing = fields
      .filter(({ name, required }) => required && isEmpty(values[name]))
      .map(({ name }) => ({ field: name, message: 'This is required.' }));
    const isFit = store.checkOnly(fields.map(({ name }) => name)).length === 0;
    store.refuse(missing);
    if (missing.length > 0 || !isFit || busy) return;
    setBusy(true);
    void onSend(Object.fromEntries(fields.map(({ name }) => [name, values[name] ?? null]))).finally(() =>
      setBusy(false),
    );
  };
  return (
    <>
      {drawn}
      <div className={styles.choices}>
        <Button size="small" appearance="primary" disabled={busy} onClick={send}>
          Send
        </Button>
        <Button size="small" disabled={busy} onClick={onClose}>
          Cancel
        </Button>
      </div>
    </>
  );
}
