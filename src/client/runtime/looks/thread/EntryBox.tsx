import { Button, Field as Labelled, Select, Textarea } from '@fluentui/react-components';
import { SendRegular } from '@fluentui/react-icons';
import { useState } from 'react';
import type { Field, Screen, WireRecord } from '../../../../descriptor/types.ts';
import { ApiError } from '../../../api/http.ts';
import { send } from './posts.ts';
import styles from './thread.module.css';

/** The box for the next row of a conversation. Ctrl+Enter sends it; text that could not be sent stays. */
export function EntryBox({
  screen,
  record,
  kind,
  text,
  onSent,
}: {
  screen: Screen;
  record: WireRecord;
  kind: Field | undefined;
  text: Field;
  onSent: (record: WireRecord) => void;
}) {
  const options = kind?.options ?? [];
  const [chosen, setChosen] = useState(String(kind?.default ?? options[0]?.value ?? ''));
  const [written, setWritten] = useState('');
  const [wrong, setWrong] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const go = async () => {
    if (busy) return;
    if (written.trim() === '') {
      setWrong('Write something first.');
      return;
    }
    setBusy(true);
    setWrong(null);
    try {
      onSent(await send(screen, record, written.trim(), chosen));
      setWritten('');
    } catch (thrown) {
      if (!(thrown instanceof ApiError)) throw thrown;
      setWrong(thrown.details.map(({ message }) => message).join(' ') || thrown.message);
    } finally {
      setBusy(false);
    }
  };
  return (
    <form
      className={styles.entry}
      onSubmit={(event) => {
        event.preventDefault();
        void go();
      }}
    >
      <Labelled
        label={text.title}
        {...(wrong !== null && { validationMessage: wrong, validationState: 'error' as const })}
      >
        <Textarea
          value={written}
          rows={2}
          resize="vertical"
          {...(typeof text.schema.maxLength === 'number' && { maxLength: text.schema.maxLength })}
          onChange={(_, { value }) => setWritten(value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
            event.preventDefault();
            void go();
          }}
        />
      </Labelled>
      <div className={styles.send}>
        {kind && (
          <Select aria-label={kind.title} value={chosen} onChange={(_, { value }) => setChosen(value)}>
            {options.map(({ value, label }) => (
              <option key={String(value)} value={String(value)}>
                {label}
              </option>
            ))}
          </Select>
        )}
        <Button type="submit" appearance="primary" icon={<SendRegular />} aria-busy={busy} title="Send (Ctrl+Enter)">
          Send
        </Button>
      </div>
    </form>
  );
}
