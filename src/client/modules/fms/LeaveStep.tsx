import { useState } from 'react';
import type { WireRecord } from '../../../descriptor/types.ts';
import { BigButton, BigChoice } from './BigButton.tsx';
import { RecordChoice } from './RecordChoice.tsx';
import type { VisitProps } from './visit_props.ts';
import styles from './visit.module.css';

const LIFT = [
  ['running', 'Running'],
  ['restricted', 'Running with a restriction'],
  ['down', 'Shut down for safety'],
] as const;

/** The final state of the lift and the work done. An unsafe lift stays shut down until a supervisor releases it. */
export function LeaveStep({ record, take, onClose }: VisitProps & { onClose: () => void }) {
  const [after, setAfter] = useState<string | null>(null);
  const [because, setBecause] = useState('');
  const [work, setWork] = useState(String(record.work_done ?? ''));
  const [cause, setCause] = useState(record.root_cause_id as number | null);
  const [action, setAction] = useState(record.action_taken_id as number | null);
  const [busy, setBusy] = useState(false);
  const isVisit = record.ticket_type === 'preventive';
  const needs = neededFor(record);
  const photos = (Array.isArray(record.photos) ? record.photos : []) as { kind: string }[];
  const missing = [
    ...(['before', 'after'] as const).flatMap((kind) =>
      needs.has(`photo_${kind}`) && !photos.some((one) => one.kind === kind) ? [`a photo from ${kind} the work`] : [],
    ),
    ...(needs.has('root_cause') && cause === null ? ['the root cause'] : []),
    ...(needs.has('action_taken') && action === null ? ['the action taken'] : []),
  ];
  const complete = () => {
    setBusy(true);
    void take('complete', {
      running_after: after,
      work_done: work.trim() === '' ? null : work.trim(),
      ...(cause !== null && { root_cause_id: cause }),
      ...(action !== null && { action_taken_id: action }),
      ...(after === 'down' && { unsafe_because: because.trim() }),
    })
      .then((isDone) => isDone && onClose())
      .finally(() => setBusy(false));
  };
  return (
    <>
      <section className={styles.card} role="radiogroup" aria-label="How the lift is left">
        <h2>How do you leave the lift?</h2>
        {LIFT.map(([state, words]) => (
          <BigChoice key={state} round chosen={after === state} onPress={() => setAfter(state)}>
            {words}
          </BigChoice>
        ))}
        {after === 'down' && (
          <label className={styles.label}>
            What is not safe?
            <input
              className={styles.input}
              value={because}
              maxLength={250}
              onChange={({ target }) => setBecause(target.value)}
            />
          </label>
        )}
        {after === 'down' && (
          <p className={styles.soft}>
            The customer is informed, and a supervisor has to release the lift before it runs again. Add a photo under
            Work.
          </p>
        )}
      </section>
      <section className={styles.card} aria-label="What was done">
        {(!isVisit || needs.has('root_cause')) && (
          <RecordChoice type="root_cause_mstr" title="Root cause" value={cause} onChange={setCause} />
        )}
        {(!isVisit || needs.has('action_taken')) && (
          <RecordChoice type="action_taken_mstr" title="Action taken" value={action} onChange={setAction} />
        )}
        <label className={styles.label}>
          In words
          <textarea
            className={styles.input}
            rows={3}
            value={work}
            maxLength={2000}
            onChange={({ target }) => setWork(target.value)}
          />
        </label>
      </section>
      {after !== null && missing.length > 0 && (
        <p className={styles.wrong} role="status">
          Still needed: {missing.join(', ')}.
        </p>
      )}
      <div className={styles.bar}>
        <BigButton onPress={onClose}>Back</BigButton>
        <BigButton
          main
          busy={busy}
          disabled={after === null || (after === 'down' && because.trim() === '') || missing.length > 0}
          onPress={complete}
        >
          Complete
        </BigButton>
      </div>
    </>
  );
}

/** The fields that the ticket type requires; with trapped people also the cause. */
function neededFor({ needs, trapped }: WireRecord): ReadonlySet<string> {
  return new Set([...(Array.isArray(needs) ? (needs as string[]) : []), ...(trapped === true ? ['root_cause'] : [])]);
}
