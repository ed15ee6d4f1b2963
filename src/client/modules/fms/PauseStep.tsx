import { useState } from 'react';
import { BigButton, BigChoice } from './BigButton.tsx';
import { fieldNamed } from './field_named.ts';
import { Photo, PhotoButton } from './PhotoButton.tsx';
import { useKeptList } from './use_kept.ts';
import type { VisitProps } from './visit_props.ts';
import styles from './visit.module.css';

/** The reason of a pause, and its effect on the clock. */
export function PauseStep({ screen, take, onClose }: VisitProps & { onClose: () => void }) {
  const categories = useKeptList('pause_category', ['applies_to', 'in', ['fms', 'both']], 'name');
  const [chosen, setChosen] = useState<number | null>(null);
  const [remark, setRemark] = useState('');
  const [photo, setPhoto] = useState<number | null>(null);
  const [busy, setBusy] = useState(false);
  const category = categories?.find(({ id }) => id === chosen);
  const isReady =
    category !== undefined &&
    (category.remark_needed !== true || remark.trim() !== '') &&
    (category.photo_needed !== true || photo !== null);
  const pause = () => {
    setBusy(true);
    void take('pause', {
      pause_category_id: chosen,
      ...(remark.trim() !== '' && { pause_remark: remark.trim() }),
      ...(photo !== null && { pause_photo: photo }),
    })
      .then((isDone) => isDone && onClose())
      .finally(() => setBusy(false));
  };
  return (
    <>
      <section className={styles.card} role="radiogroup" aria-label="Reason for the pause">
        <h2>Why are you pausing?</h2>
        {categories?.length === 0 && <p>There are no reasons for pauses on this device. Try again with a network.</p>}
        {categories?.map(({ id, name, stops_clock: stops }) => (
          <BigChoice key={id} round chosen={id === chosen} onPress={() => setChosen(id)}>
            <span>
              {String(name)}
              <br />
              <small className={styles.soft}>{stops === false ? 'The clock runs on.' : 'The clock stops.'}</small>
            </span>
          </BigChoice>
        ))}
        {category && (
          <label className={styles.label}>
            {category.remark_needed === true ? 'Remark (needed)' : 'Remark'}
            <input
              className={styles.input}
              value={remark}
              maxLength={250}
              onChange={({ target }) => setRemark(target.value)}
            />
          </label>
        )}
        {category?.photo_needed === true && (
          <PhotoButton
            screen={screen}
            field={fieldNamed(screen, 'pause_photo')}
            label="Take a photo"
            onTaken={setPhoto}
          />
        )}
        {photo !== null && (
          <div className={styles.photos}>
            <Photo file={photo} name="Photo of the pause" />
          </div>
        )}
        {category?.material_request_needed === true && (
          <p>Request the material first, under Parts and material on the previous page.</p>
        )}
      </section>
      <div className={styles.bar}>
        <BigButton onPress={onClose}>Back</BigButton>
        <BigButton main busy={busy} disabled={!isReady} onPress={pause}>
          Pause
        </BigButton>
      </div>
    </>
  );
}
