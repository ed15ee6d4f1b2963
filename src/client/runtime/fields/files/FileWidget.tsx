import { Button, ProgressBar } from '@fluentui/react-components';
import { ArrowUploadRegular, CameraRegular, DeleteRegular, DocumentRegular } from '@fluentui/react-icons';
import { useEffect, useRef, useState } from 'react';
import { ApiError } from '../../../api/http.ts';
import { toast } from '../../../app/feedback.ts';
import { positionNow } from '../position.ts';
import { useHostValue } from '../reference/use_host_value.ts';
import type { WidgetProps } from '../widget.ts';
import { useFieldHost } from '../widget.ts';
import type { Field } from '../../../../descriptor/types.ts';
import { openFile, uploadFile, useFileAddress } from './file_calls.ts';
import type { Capture } from './stored_file.ts';
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
  const cameraOnly = useHostValue(host, field.camera?.only ?? '') === true;
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

  const send = (chosen: File | undefined, isShot = false) => {
    if (!chosen || fixed || (cameraOnly && !isShot)) return;
    stop.current = new AbortController();
    const { signal } = stop.current;
    setSending({ name: chosen.name, part: 0 });
    onProblem?.(outlives.current ? null : 'Wait until the file has been uploaded.');
    const progress = (part: number) => setSending({ name: chosen.name, part });
    const sent = captured(field, isShot)
      .then((capture) => uploadFile(host, field, chosen, progress, signal, capture))
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
        send(event.target.files?.[0], capture);
        event.target.value = '';
      }}
    />
  );
  const hasCamera = navigator.maxTouchPoints > 0;
  return (
    <div
      className={bare ? styles.cell : styles.box}
      data-dragging={dragging ? '' : undefined}
      onDragOver={(event) => {
        if (fixed || cameraOnly || !event.dataTransfer.types.includes('Files')) return;
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
        {!fixed && !sending && cameraOnly && (
          <Button
            id={id}
            size={bare ? 'small' : 'medium'}
            appearance={bare ? 'subtle' : 'secondary'}
            icon={<CameraRegular />}
            aria-describedby={`${id}-label ${id}-message`}
            {...(bare && { 'aria-label': `Take ${inSentence(field.title)}` })}
            disabled={!hasCamera}
            onClick={() => camera.current?.click()}
          >
            {bare ? '' : value === null ? 'Take photo' : 'Take another photo'}
          </Button>
        )}
        {!fixed && !sending && !cameraOnly && (
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
        {!fixed && !sending && picture && !cameraOnly && !bare && hasCamera && (
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
      {!fixed && cameraOnly && !hasCamera && !bare && (
        <span className={styles.hint}>Open this page on a phone or tablet to take the photo.</span>
      )}
    </div>
  );
}

/** What the device reports of a picture from its camera; null for any other file. */
async function captured(field: Field, isShot: boolean): Promise<Capture | null> {
  if (!isShot) return null;
  const place = field.camera?.place ? await positionNow() : null;
  if (field.camera?.place && !place)
    toast.warning('The photo is added without its place: this device does not share its position.');
  return { place };
}
