import { Button } from '@fluentui/react-components';
import { useRef, useState } from 'react';
import { ApiError } from '../../../api/http.ts';
import { uploadFile, useFileAddress } from '../files/file_calls.ts';
import type { WidgetProps } from '../widget.ts';
import { useFieldHost } from '../widget.ts';
import styles from './signature.module.css';

/** A signature drawn with finger, pen or mouse; stored as a picture. */
export default function SignatureWidget(props: WidgetProps) {
  const { id, field, onChange, onProblem } = props;
  const host = useFieldHost();
  const value = typeof props.value === 'number' ? props.value : null;
  const stored = useFileAddress(value, true);
  const [drawn, setDrawn] = useState(false);
  const [again, setAgain] = useState(false);
  const [sending, setSending] = useState(false);
  const canvas = useRef<HTMLCanvasElement>(null);
  const fixed = props.readOnly === true || props.disabled === true;

  const set = (file: number | null) => {
    if (host) host.setValues({ [field.name]: file, [`${field.name}__label`]: file === null ? null : 'Signature' });
    else onChange(file);
  };
  const context = () => {
    const pen = canvas.current?.getContext('2d');
    if (!pen || !canvas.current) return null;
    const { width, height } = canvas.current.getBoundingClientRect();
    // Once per size: setting the width empties a canvas.
    if (canvas.current.width !== Math.round(width * 2)) {
      canvas.current.width = Math.round(width * 2);
      canvas.current.height = Math.round(height * 2);
      pen.scale(2, 2);
    }
    pen.lineWidth = 2;
    pen.lineCap = 'round';
    pen.lineJoin = 'round';
    pen.strokeStyle = getComputedStyle(canvas.current).color;
    return pen;
  };
  const point = (event: React.PointerEvent<HTMLCanvasElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top] as const;
  };
  const clear = () => {
    const pen = context();
    if (pen && canvas.current) pen.clearRect(0, 0, canvas.current.width, canvas.current.height);
    setDrawn(false);
    onProblem?.(null);
  };
  const save = () => {
    canvas.current?.toBlob((blob) => {
      if (!blob) return;
      setSending(true);
      uploadFile(
        host,
        field,
        new File([blob], 'signature.png', { type: 'image/png' }),
        () => undefined,
        new AbortController().signal,
      )
        .then(({ id: file }) => {
          onProblem?.(null);
          setDrawn(false);
          setAgain(false);
          set(file);
        })
        .catch((thrown: unknown) =>
          onProblem?.(thrown instanceof ApiError ? thrown.message : 'The signature could not be sent. Try again.'),
        )
        .finally(() => setSending(false));
    }, 'image/png');
  };

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
      <canvas
        ref={canvas}
        role="img"
        aria-label={`${field.title}: draw your signature here`}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          const pen = context();
          pen?.beginPath();
          pen?.moveTo(...point(event));
          setDrawn(true);
          onProblem?.('Press “Use this signature”, or clear it.');
        }}
        onPointerMove={(event) => {
          if (event.buttons === 0) return;
          const pen = context();
          pen?.lineTo(...point(event));
          pen?.stroke();
        }}
      />
      <span className={styles.actions}>
        <Button
          id={id}
          size="small"
          appearance="primary"
          disabled={!drawn || sending}
          aria-describedby={`${id}-label`}
          onClick={save}
        >
          Use this signature
        </Button>
        <Button size="small" disabled={!drawn} onClick={clear}>
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
