import { Button } from '@fluentui/react-components';
import { useState } from 'react';
import { ApiError } from '../../../api/http.ts';
import { uploadFile, useFileAddress } from '../files/file_calls.ts';
import type { WidgetProps } from '../widget.ts';
import { useFieldHost } from '../widget.ts';
import { useDrawing } from './use_drawing.ts';
import styles from './signature.module.css';

/** A signature drawn with finger, pen or mouse; stored as a picture. */
export default function SignatureWidget(props: WidgetProps) {
  const { id, field, onChange, onProblem } = props;
  const host = useFieldHost();
  const value = typeof props.value === 'number' ? props.value : null;
  const stored = useFileAddress(value, true);
  const drawing = useDrawing(() => onProblem?.('Press “Use this signature”, or clear it.'));
  const [again, setAgain] = useState(false);
  const [sending, setSending] = useState(false);
  const fixed = props.readOnly === true || props.disabled === true;

  const set = (file: number | null) => {
    if (host) host.setValues({ [field.name]: file, [`${field.name}__label`]: file === null ? null : 'Signature' });
    else onChange(file);
  };
  const clear = () => {
    drawing.clear();
    onProblem?.(null);
  };
  const save = () =>
    drawing.picture((picture) => {
      setSending(true);
      uploadFile(host, field, picture, () => undefined, new AbortController().signal)
        .then(({ id: file }) => {
          onProblem?.(null);
          drawing.clear();
          setAgain(false);
          set(file);
        })
        .catch((thrown: unknown) =>
          onProblem?.(thrown instanceof ApiError ? thrown.message : 'The signature could not be uploaded. Try again.'),
        )
        .finally(() => setSending(false));
    });

  if (value !== null && !again) {
    return (
      <div className={styles.pad}>
        {stored ? <img src={stored} alt={`${field.title}, signed`} /> : <span className={styles.blank} />}
        {!fixed && (
          <span className={styles.actions}>
            <Button id={id} size="small" aria-describedby={`${id}-label`} onClick={() => setAgain(true)}>
              Sign again
            </Button>
            <Button size="small" appearance="subtle" aria-describedby={`${id}-label`} onClick={() => set(null)}>
              Remove
            </Button>
          </span>
        )}
      </div>
    );
  }
  if (fixed) return <span className={styles.none}>Not signed</span>;
  return (
    <div className={styles.pad}>
      <canvas {...drawing.surface} aria-label={`${field.title}: draw your signature here`} />
      <span className={styles.actions}>
        <Button
          id={id}
          size="small"
          appearance="primary"
          disabled={!drawing.drawn || sending}
          aria-describedby={`${id}-label`}
          onClick={save}
        >
          Use this signature
        </Button>
        <Button size="small" disabled={!drawing.drawn} onClick={clear}>
          Clear
        </Button>
        {again && (
          <Button
            size="small"
            appearance="subtle"
            onClick={() => {
              clear();
              setAgain(false);
            }}
          >
            Keep the stored one
          </Button>
        )}
      </span>
    </div>
  );
}
