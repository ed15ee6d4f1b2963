import { Button, Spinner } from '@fluentui/react-components';
import type { RefObject } from 'react';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { Field, Screen, WireRecord } from '../../../descriptor/types.ts';
import { formatValue } from '../../../descriptor/format.ts';
import { api } from '../../api/http.ts';
import { toast } from '../../app/feedback.ts';
import { Anchored } from '../fields/anchored.tsx';
import { commitDrafts } from '../fields/widget.ts';
import { useAskedFields } from '../form/asked_fields.tsx';
import { createFormStore } from '../form/form_store.ts';
import { saveRecord } from '../form/save.ts';
import type { SaveOutcome } from '../form/save.ts';
import type { Values } from '../form/values.ts';
import styles from './cell_editor.module.css';

interface CellEditorProps {
  screen: Screen;
  field: Field;
  /** The row; its record is reloaded, so that the latest version is changed. */
  row: WireRecord;
  /** The cell. */
  target: HTMLElement;
  onSaved: () => void;
  onClose: () => void;
}

/** One field of one record, edited in its list cell: Enter or a click outside saves, Esc cancels. */
export default function CellEditor(props: CellEditorProps) {
  const { screen, row, target, onClose } = props;
  const [record, setRecord] = useState<WireRecord | null>(null);
  const anchor = useRef<HTMLElement | null>(target);
  const closing = useRef(onClose);
  useEffect(() => {
    closing.current = onClose;
  });
  const leave = useRef(onClose);
  useEffect(() => {
    let gone = false;
    api
      .get<{ data: WireRecord }>(`/tapi/${screen.name}/${row.id}`)
      .then(({ data }) => gone || setRecord(data))
      // The call has shown why.
      .catch(() => closing.current());
    return () => {
      gone = true;
    };
  }, [screen.name, row.id]);
  return (
    <Anchored anchor={anchor} onClose={onClose} onOutside={() => leave.current()} wide className={styles.editor ?? ''}>
      {record ? <Editor {...props} record={record} leave={leave} /> : <Spinner size="tiny" label="Loading" />}
    </Anchored>
  );
}

function Editor({
  screen,
  field,
  record,
  leave,
  onSaved,
  onClose,
}: CellEditorProps & {
  record: WireRecord;
  /** What a click outside the editor does. */
  leave: RefObject<() => void>;
}) {
  const [store] = useState(() => createFormStore(screen, record));
  const fields = useMemo(() => [field], [field]);
  const { host, drawn } = useAskedFields(store, fields);
  const place = useRef<HTMLFormElement>(null);
  const [busy, setBusy] = useState(false);
  const [note, setNote] = useState<string | null>(null);
  const [theirs, setTheirs] = useState<{ record: WireRecord; by: string } | null>(null);
  const state = store.field(field.name);
  const fixed = state.held || !state.shown;

  useEffect(() => {
    const control = place.current?.querySelector<HTMLElement>('input, textarea, select, button');
    control?.focus();
  }, []);

  const taken = (outcome: SaveOutcome, base: Values) => {
    if (outcome.kind === 'saved') {
      const { version } = outcome.record;
      const undo = () => {
        const now = { ...outcome.record, version };
        void saveRecord(screen, { ...now, [field.name]: base[field.name] ?? null }, now).then((back) => {
          if (back.kind === 'saved') onSaved();
          else toast.error(`${field.title} could not be set back: it has been changed since.`);
        });
      };
      onSaved();
      onClose();
      toast.success(`${field.title} saved.`, { action: { label: 'Undo', onClick: undo } });
    } else if (outcome.kind === 'refused') {
      store.refuse(outcome.errors.filter((error) => error.field.split('.')[0] === field.name));
      const others = outcome.errors.filter((error) => error.field.split('.')[0] !== field.name);
      setNote(others.length > 0 ? others.map(({ message }) => message).join(' ') : null);
    } else if (outcome.kind === 'stale') setTheirs({ record: outcome.theirs, by: outcome.by });
    else if (outcome.kind === 'failed') setNote(outcome.message);
  };
  const send = async (values: Values, base: Values) => {
    setBusy(true);
    setNote(null);
    try {
      taken(await saveRecord(screen, values, base), base);
    } finally {
      setBusy(false);
    }
  };
  const save = () => {
    if (busy || fixed) return;
    commitDrafts(host);
    if (store.checkOnly([field.name]).length > 0) return;
    if (!store.dirty()) onClose();
    else void send(store.values(), store.base());
  };
  useEffect(() => {
    // Typed text is not lost; with a conflict open the person chooses first.
    leave.current = () => {
      if (fixed) onClose();
      else if (!theirs) save();
    };
  });
  const mine = store.values()[field.name];
  const other = theirs?.record[field.name];

  return (
    <form
      ref={place}
      noValidate
      aria-label={`Change ${field.title}`}
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
      onKeyDown={(event) => {
        // Keys must not reach the list below.
        event.stopPropagation();
        if (event.key === 'Escape' && !event.defaultPrevented) onClose();
      }}
    >
      {drawn}
      {fixed && <p className={styles.note}>This cannot be changed now.</p>}
      {note !== null && (
        <p role="alert" className={styles.note}>
          {note}
        </p>
      )}
      {theirs ? (
        <>
          <p role="alert" className={styles.note}>
            {theirs.by} has changed this record meanwhile. {field.title} is now{' '}
            {formatValue(field, other, theirs.record) || 'empty'}; you entered{' '}
            {formatValue(field, mine, store.values()) || 'nothing'}.
          </p>
          <div className={styles.buttons}>
            <Button
              size="small"
              onClick={() => {
                onSaved();
                onClose();
              }}
            >
              Keep theirs
            </Button>
            <Button
              size="small"
              appearance="primary"
              disabled={busy}
              onClick={() => void send({ ...theirs.record, [field.name]: mine }, theirs.record)}
            >
              Save mine
            </Button>
          </div>
        </>
      ) : (
        <div className={styles.buttons}>
          <Button size="small" onClick={onClose}>
            Cancel
          </Button>
          <Button size="small" appearance="primary" type="submit" disabled={busy || fixed}>
            Save
          </Button>
        </div>
      )}
    </form>
  );
}
