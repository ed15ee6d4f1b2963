import { useEffect, useState } from 'react';
import { fieldNamed } from './field_named.ts';
import { BigButton } from './BigButton.tsx';
import { LabelScan } from './LabelScan.tsx';
import { Photo, PhotoButton } from './PhotoButton.tsx';
import type { Fix } from '../../runtime/fields/position.ts';
import { positionNow } from '../../runtime/fields/position.ts';
import { useKept } from './use_kept.ts';
import type { VisitProps } from './visit_props.ts';
import { distanceKm } from '../../../domain/fms/best_order.ts';
import styles from './visit.module.css';

/**
 * Arrival: the position and the label of the lift; away from the building, or without a position, a reason and a photo.
 */
export function ArriveStep({ screen, record, take }: VisitProps) {
  const building = useKept('building', record.building_id);
  const [fix, setFix] = useState<Fix | null | undefined>(undefined);
  const [label, setLabel] = useState('');
  const [note, setNote] = useState('');
  const [photo, setPhoto] = useState<number | null>(null);
  const [busy, setBusy] = useState(false);
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    let gone = false;
    void positionNow().then((found) => !gone && setFix(found));
    return () => {
      gone = true;
    };
  }, [turn]);
  const site = building?.geo as Fix | null | undefined;
  const metres = fix && site ? Math.round(distanceKm(fix, site) * 1000) : null;
  const fence = Number(building?.geofence_m ?? 150);
  const isAway = metres !== null && metres > fence;
  const needsWords = fix === null || isAway;
  const arrive = () => {
    setBusy(true);
    void take('arrive', {
      arrive_geo: fix ?? null,
      ...(label.trim() !== '' && { arrive_scan: label.trim() }),
      ...(note.trim() !== '' && { arrive_note: note.trim() }),
      ...(photo !== null && { arrive_photo: photo }),
    }).finally(() => setBusy(false));
  };
  return (
    <>
      <section className={styles.card} aria-label="Arrival">
        <p role="status">
          {fix === undefined
            ? 'Looking for your position…'
            : fix === null
              ? 'Your position is unknown. Enter the reason and take a photo of the place.'
              : metres === null
                ? 'Your position is known.'
                : isAway
                  ? `You are ${metres} m from the building. Enter why you start here.`
                  : `You are at the building (${metres} m).`}
        </p>
        {needsWords && (
          <BigButton onPress={() => (setFix(undefined), setTurn((old) => old + 1))}>
            Try to get the position again
          </BigButton>
        )}
        <LabelScan value={label} onRead={setLabel} />
        {(needsWords || note !== '') && (
          <label className={styles.label}>
            Reason
            <input
              className={styles.input}
              value={note}
              maxLength={200}
              onChange={({ target }) => setNote(target.value)}
            />
          </label>
        )}
        {fix === null && (
          <PhotoButton
            screen={screen}
            field={fieldNamed(screen, 'arrive_photo')}
            label="Photo of the place"
            onTaken={setPhoto}
          />
        )}
        {photo !== null && (
          <div className={styles.photos}>
            <Photo file={photo} name="The place" />
          </div>
        )}
        {!needsWords && note === '' && label.trim() !== '' && !labelFits(label, record.lift_id__label) && (
          <p className={styles.wrong}>
            This label is {label.trim()}; your job is {String(record.lift_id__label)}. Scan the right one, or say why
            below.
          </p>
        )}
        {!needsWords && label.trim() !== '' && !labelFits(label, record.lift_id__label) && note === '' && (
          <BigButton onPress={() => setNote(' ')}>Say why</BigButton>
        )}
      </section>
      <div className={styles.bar}>
        <BigButton
          main
          busy={busy}
          disabled={fix === undefined || (needsWords && note.trim() === '') || (fix === null && photo === null)}
          onPress={arrive}
        >
          Arrived
        </BigButton>
      </div>
    </>
  );
}

/** Whether the scanned or typed label is that of the job's lift. */
function labelFits(label: string, lift: unknown): boolean {
  const number = /^\S+/.exec(String(lift ?? ''))?.[0] ?? '';
  return number === '' || label.toUpperCase().includes(number.toUpperCase());
}
