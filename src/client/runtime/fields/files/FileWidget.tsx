import { Button, ProgressBar } from '@fluentui/react-components';
import { ArrowUploadRegular, CameraRegular, DeleteRegular, DocumentRegular } from '@fluentui/react-icons';
import { useEffect, useRef, useState } from 'react';
import { ApiError } from '../../../api/http.ts';
import { toast } from '../../../app/feedback.ts';
import { useHostValue } from '../reference/use_host_value.ts';
import type { WidgetProps } from '../widget.ts';
import { useFieldHost } from '../widget.ts';
import { openFile, uploadFile, useFileAddress } from './file_calls.ts';
import styles from './files.module.css';
import { inSentence } from '../../../../descriptor/in_sentence.ts';

/**
 * A file or picture of a record: chosen, dropped, or taken with the camera; uploaded at once, attached when the record
 * is saved.
 */
export default function FileWidget(props: WidgetProps) {
  const { id, field, onChange, onProblem, bare } = props;
  const host = useFieldHost();
  const picture = field.type === 'image';
  const value = typeof props.value === 'number' ? props.value : null;
  const label = useHostValue(host, `${field.name}__label`);
  const [sending, setSending] = useState<{ name: string; part: number } | null>(null);
  const [dragging, setDragging] = useState(false);
  const stored = useFileAddress(picture && !bare ? value : null);
  const file = useRef<HTMLInputElement>(null);
  const camera = useRef<HTMLInputElement>(null);
  const stop = useRef<AbortController>(undefined);
  const fixed = props.readOnly === true || props.disabled === true;
  // In a form an upload outlives its control: a row's dialog or a tab may be closed meanwhile, and the save
  // waits for it.
  const mounted = useRef(true);
  const outlives = useRef(false);
  outlives.current = host?.awaited !== undefined;
  useEffect(() => {
    mounted.current = true;
    return () => {
      mounted.current = false;
      if (!outlives.current) stop.current?.abort();
    };
  }, []);

  const send = (chosen: File | undefined) => {
    if (!chosen || fixed) return;
    stop.current = new AbortController();
    setSending({ name: chosen.name, part: 0 });
    onProblem?.(outlives.current ? null : 'Wait until the file has been uploaded.');
    const sent = uploadFile(host, field, chosen, (part) => setSending({ name: chosen.name, part }), stop.current.signal)
      .then((data) => {
        onProblem?.(null);
        if (host) host.setValues({ [field.name]: data.id, [`${field.name}__label`]: data.name });
        else onChange(data.id);
      })
      .catch((thrown: unknown) => {
        const aborted = thrown instanceof DOMException && thrown.name === 'AbortError';
        const message = thrown instanceof ApiError ? thrown.message : 'The file could not be uploaded. Try again.';
        onProblem?.(aborted ? null : message);
        if (!aborted && !mounted.current) toast.error(`${chosen.name}: ${message}`);
      })
      .finally(() => {
        setSending(null);
        host?.awaited?.delete(sent);
      });
    host?.awaited?.add(sent);
  };
  const remove = () => {
    onProblem?.(null);
    if (host) host.setValues({ [field.name]: null, [`${field.name}__label`]: null });
    else onChange(null);
  };
  const name = typeof label === 'string' && label !== '' ? label : 'File';
  const chooser = (ref: typeof file, capture: boolean) => (
    <input
      ref={ref}
      type="file"
      hidden
      aria-label={field.title}
      {...(picture && { accept: 'image/png,image/jpeg,image/webp,image/gif' })}
      {...(capture && { capture: 'environment' as const })}
      onChange={(event) => {
        send(event.target.files?.[0]);
        event.target.value = '';
      }}
    />
  );
  return (
    <div
      className={bare ? styles.cell : styles.box}
      data-dragging={dragging ? '' : undefined}
      onDragOver={(event) => {
        if (fixed || !event.dataTransfer.types.includes('Files')) return;
        event.preventDefault();
        setDragging(true);
      }}
      onDragLeave={() => setDragging(false)}
      onDrop={(event) => {
        event.preventDefault();
        setDragging(false);
        send(event.dataTransfer.files[0]);
      }}
    >
      {!fixed && chooser(file, false)}
      {!fixed && picture && chooser(camera, true)}
      {picture &&
        value !== null &&
        !bare &&
        (stored ? <img className={styles.preview} src={stored} alt={name} /> : <span className={styles.preview} />)}
      {value !== null && !sending && (
        <button
          type="button"
          className={styles.name}
          title={name}
          onClick={() => openFile(value).catch(() => toast.error('The file could not be opened.'))}
        >
          {!picture && <DocumentRegular aria-hidden />}
          <span>{name}</span>
        </button>
      )}
      {sending && (
        <span className={styles.progress} role="status">
          <span>
            {sending.name} · {Math.round(sending.part * 100)} %
          </span>
          <ProgressBar value={sending.part} aria-label={`Sending ${sending.name}`} />
        </span>
      )}
      <span className={styles.actions}>
        {sending && (
          <Button size="small" onClick={() => stop.current?.abort()}>
            Stop
          </Button>
        )}
        {!fixed && !sending && (
          <Button
            id={id}
            size={bare ? 'small' : 'medium'}
            appearance={bare ? 'subtle' : 'secondary'}
            icon={<ArrowUploadRegular />}
            aria-describedby={`${id}-label ${id}-message`}
            {...(bare && { 'aria-label': `${value === null ? 'Choose' : 'Replace'} ${inSentence(field.title)}` })}
            onClick={() => file.current?.click()}
          >
            {bare ? '' : value === null ? (picture ? 'Choose picture' : 'Choose file') : 'Replace'}
          </Button>
        )}
        {!fixed && !sending && picture && !bare && navigator.maxTouchPoints > 0 && (
          <Button icon={<CameraRegular />} onClick={() => camera.current?.click()}>
            Take photo
          </Button>
        )}
        {!fixed && !sending && value !== null && (
          <Button
            size={bare ? 'small' : 'medium'}
            appearance="subtle"
            icon={<DeleteRegular />}
            aria-label={`Remove ${name}`}
            onClick={remove}
          />
        )}
      </span>
    </div>
  );
}
