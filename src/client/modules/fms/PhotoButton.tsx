import { useId, useState } from 'react';
import type { Field, Screen } from '../../../descriptor/types.ts';
import { useFileAddress } from '../../runtime/fields/files/file_calls.ts';
import { keepPhoto } from './visit_acts.ts';
import styles from './visit.module.css';

/** Takes a photo with the camera and stores it for a field, also offline. */
export function PhotoButton({
  screen,
  field,
  label,
  onTaken,
}: {
  screen: Screen;
  field: Field;
  label: string;
  onTaken: (file: number) => unknown;
}) {
  const id = useId();
  const [busy, setBusy] = useState(false);
  const [wrong, setWrong] = useState<string | null>(null);
  const take = (file: File | undefined) => {
    if (!file) return;
    setBusy(true);
    setWrong(null);
    keepPhoto(screen, field, file)
      .then(onTaken)
      .catch((thrown: unknown) => setWrong(thrown instanceof Error ? thrown.message : 'The photo could not be saved.'))
      .finally(() => setBusy(false));
  };
  return (
    <>
      <label className={styles.big} htmlFor={id} aria-busy={busy}>
        {busy ? 'One moment…' : label}
      </label>
      <input
        id={id}
        className={styles.hidden}
        type="file"
        accept="image/*"
        capture="environment"
        onChange={({ target }) => {
          take(target.files?.[0]);
          target.value = '';
        }}
      />
      {wrong !== null && (
        <p className={styles.wrong} role="alert">
          {wrong}
        </p>
      )}
    </>
  );
}

/** A photo that was taken, small. */
export function Photo({ file, name }: { file: number; name: string }) {
  const address = useFileAddress(file);
  return address ? <img src={address} alt={name} /> : <span aria-label={name} role="img" />;
}
