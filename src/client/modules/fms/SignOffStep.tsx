import { useMemo, useState } from 'react';
import { createFormStore } from '../../runtime/form/form_store.ts';
import { useAskedFields } from '../../runtime/form/asked_fields.tsx';
import { commitDrafts } from '../../runtime/fields/widget.ts';
import { BigButton } from './BigButton.tsx';
import { fieldNamed } from './field_named.ts';
import { Photo, PhotoButton } from './PhotoButton.tsx';
import { RecordChoice } from './RecordChoice.tsx';
import type { VisitProps } from './visit_props.ts';
import styles from './visit.module.css';

type Way = 'signature' | 'code' | 'absent';
const WAYS: [Way, string][] = [
  ['signature', 'Sign here'],
  ['code', 'Code'],
  ['absent', 'Nobody there'],
];

/** The customer signs on the screen or says the code; if nobody is there, a reason and a photo are required. */
export function SignOffStep({ screen, record, take }: VisitProps) {
  const [way, setWay] = useState<Way>('signature');
  const [name, setName] = useState(String(record.signed_by ?? ''));
  const [designation, setDesignation] = useState<number | null>(null);
  const [code, setCode] = useState('');
  const [absent, setAbsent] = useState('');
  const [photo, setPhoto] = useState<number | null>(null);
  const [rating, setRating] = useState<number | null>(null);
  const [comment, setComment] = useState<number | null>(null);
  const [busy, setBusy] = useState(false);
  const signing = useMemo(() => ({ ...fieldNamed(screen, 'signature'), readOnly: false }), [screen]);
  const [store] = useState(() => createFormStore({ ...screen, fields: [withoutCondition(signing)], rules: [] }, {}));
  const { host, drawn } = useAskedFields(store, [withoutCondition(signing)]);
  const isReady = (at: Way) =>
    at === 'absent'
      ? absent.trim() !== '' && photo !== null
      : name.trim() !== '' && (at !== 'code' || code.trim().length === 6);
  const sign = () => {
    commitDrafts(host);
    const signature = store.values().signature;
    setBusy(true);
    void take('sign_off', {
      ...(way === 'absent'
        ? { absent_reason: absent.trim(), absent_photo: photo }
        : { signed_by: name.trim(), ...(designation !== null && { signed_designation_id: designation }) }),
      ...(way === 'signature' && signature != null && { signature }),
      ...(way === 'code' && { sign_code: code.trim() }),
      ...(rating !== null && { rating }),
      ...(comment !== null && { customer_comment_id: comment }),
    }).finally(() => setBusy(false));
  };
  return (
    <>
      <section className={styles.card} aria-label="Sign-off">
        <h2>Sign-off</h2>
        <div className={styles.two}>
          {WAYS.map(([one, words]) => (
            <BigButton key={one} main={way === one} onPress={() => setWay(one)}>
              {words}
            </BigButton>
          ))}
        </div>
        {way !== 'absent' && (
          <>
            <label className={styles.label}>
              Name
              <input
                className={styles.input}
                value={name}
                maxLength={120}
                autoComplete="off"
                onChange={({ target }) => setName(target.value)}
              />
            </label>
            <RecordChoice
              type="customer_designation"
              title="Designation"
              value={designation}
              onChange={setDesignation}
            />
          </>
        )}
        {way === 'signature' && drawn}
        {way === 'code' && (
          <>
            <BigButton onPress={() => void take('send_code')}>Send a code to the contact</BigButton>
            <label className={styles.label}>
              Code
              <input
                className={styles.input}
                inputMode="numeric"
                maxLength={6}
                value={code}
                onChange={({ target }) => setCode(target.value.replace(/\D/g, ''))}
              />
            </label>
          </>
        )}
        {way === 'absent' && (
          <>
            <label className={styles.label}>
              Reason for no signature
              <input
                className={styles.input}
                value={absent}
                maxLength={200}
                onChange={({ target }) => setAbsent(target.value)}
              />
            </label>
            <PhotoButton
              screen={screen}
              field={fieldNamed(screen, 'absent_photo')}
              label="Photo of the place"
              onTaken={setPhoto}
            />
            {photo !== null && (
              <div className={styles.photos}>
                <Photo file={photo} name="The place" />
              </div>
            )}
          </>
        )}
      </section>
      {way !== 'absent' && (
        <section className={styles.card} role="radiogroup" aria-label="Rating">
          <h2>How was our work?</h2>
          <div className={styles.line}>
            {[1, 2, 3, 4, 5].map((stars) => (
              <button
                key={stars}
                type="button"
                role="radio"
                aria-checked={rating === stars}
                aria-label={`${stars} of 5`}
                className={styles.choice}
                style={{ width: 56, justifyContent: 'center' }}
                onClick={() => setRating(stars)}
              >
                {rating !== null && stars <= rating ? '★' : '☆'}
              </button>
            ))}
          </div>
          <RecordChoice
            type="customer_comment"
            title="Comment"
            within={['used_at', 'contains', 'sign_off']}
            value={comment}
            onChange={setComment}
          />
        </section>
      )}
      <div className={styles.bar}>
        <BigButton main busy={busy} disabled={!isReady(way)} onPress={sign}>
          Sign off
        </BigButton>
      </div>
    </>
  );
}

/** The signature field is always shown here, whatever the ticket's state. */
function withoutCondition<T extends { when?: unknown }>(field: T): T {
  const { when: _when, ...rest } = field;
  return rest as T;
}
