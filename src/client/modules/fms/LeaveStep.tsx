import { useRef, useState } from 'react';
import type { WireRecord } from '../../../descriptor/types.ts';
import { missingForCompletion } from '../../../domain/fms/ticket_needs.ts';
import { useScreen } from '../../api/screens.ts';
import { currentSession } from '../../app/session.ts';
import { BigButton, BigChoice } from './BigButton.tsx';
import type { Finding } from './FindingInput.tsx';
import { FindingInput, NOTHING_FOUND, findingFields, isFound } from './FindingInput.tsx';
import { RecordChoice } from './RecordChoice.tsx';
import type { Observation } from './use_needs.ts';
import { useNeeds } from './use_needs.ts';
import { useKept } from './use_kept.ts';
import { saveOfVisit } from './visit_acts.ts';
import type { VisitProps } from './visit_props.ts';
import styles from './visit.module.css';

const LIFT = [
  ['running', 'Running'],
  ['restricted', 'Running with a restriction'],
  ['down', 'Shut down for safety'],
] as const;

/**
 * The final state of the lift, what must be recorded about it, and the work done; nothing is completed before that is
 * there. An unsafe lift stays shut down until a supervisor releases it.
 */
export function LeaveStep({ record, take, onClose }: VisitProps & { onClose: () => void }) {
  const [after, setAfter] = useState<string | null>(null);
  const [because, setBecause] = useState('');
  const [work, setWork] = useState(String(record.work_done ?? ''));
  const [cause, setCause] = useState(record.root_cause_id as number | null);
  const [action, setAction] = useState(record.action_taken_id as number | null);
  const [found, setFound] = useState<ReadonlyMap<number, Finding>>(new Map());
  // After a refused completion, entries that were saved before are not saved again.
  const saved = useRef(new Map<number, Finding>());
  const [busy, setBusy] = useState(false);
  const [wrong, setWrong] = useState<string | null>(null);
  const { screen: history } = useScreen('job_history');
  const known = useNeeds(record);
  const taken = useKept('action_taken_mstr', action);
  const asksWork = (need: string) => record.ticket_type !== 'preventive' || known?.needs.has(need) === true;
  const asked = known?.observations ?? [];
  const answered = asked.filter(({ kind }) => isFound(kind, found.get(kind.id) ?? NOTHING_FOUND));
  const missing =
    known === null
      ? []
      : missingForCompletion({
          needs: [...known.needs],
          trapped: record.trapped === true,
          photos: Array.isArray(record.photos) ? (record.photos as { kind?: unknown }[]) : [],
          hasCause: cause !== null,
          hasAction: action !== null,
          materialFor: taken?.needs_material === true ? String(taken.name) : null,
          hasParts: known.hasParts,
          hasHistory: known.hasHistory || answered.length > 0,
          unrecorded: asked.filter((one) => !answered.includes(one)),
          openQuestions: known.openQuestions,
        });
  const complete = async () => {
    for (const { kind } of answered) {
      const finding = found.get(kind.id)!;
      if (saved.current.get(kind.id) === finding) continue;
      const { refused } = await saveOfVisit(history!, entryOf(record, kind, finding));
      if (refused !== null) return setWrong(refused);
      saved.current.set(kind.id, finding);
    }
    const isDone = await take('complete', {
      running_after: after,
      work_done: work.trim() === '' ? null : work.trim(),
      ...(cause !== null && { root_cause_id: cause }),
      ...(action !== null && { action_taken_id: action }),
      ...(after === 'down' && { unsafe_because: because.trim() }),
    });
    if (isDone) onClose();
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
      {asked.length > 0 && (
        <Observations
          asked={asked}
          found={found}
          onFound={(kind, finding) => setFound((old) => new Map(old).set(kind, finding))}
        />
      )}
      <section className={styles.card} aria-label="What was done">
        {asksWork('root_cause') && (
          <RecordChoice type="root_cause_mstr" title="Root cause" value={cause} onChange={setCause} />
        )}
        {asksWork('action_taken') && (
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
        <ul className={styles.wrong} role="status" aria-label="Still missing">
          {missing.map(({ message }) => (
            <li key={message}>{message}</li>
          ))}
        </ul>
      )}
      {wrong !== null && (
        <p className={styles.wrong} role="alert">
          {wrong}
        </p>
      )}
      <div className={styles.bar}>
        <BigButton onPress={onClose}>Back</BigButton>
        <BigButton
          main
          busy={busy}
          disabled={
            known === null ||
            history === null ||
            after === null ||
            (after === 'down' && because.trim() === '') ||
            missing.length > 0
          }
          onPress={() => {
            setBusy(true);
            setWrong(null);
            void complete().finally(() => setBusy(false));
          }}
        >
          Complete
        </BigButton>
      </div>
    </>
  );
}

/** The questions about components that this type of ticket must answer. */
function Observations({
  asked,
  found,
  onFound,
}: {
  asked: readonly Observation[];
  found: ReadonlyMap<number, Finding>;
  onFound: (kind: number, finding: Finding) => void;
}) {
  return (
    <section className={styles.card} aria-label="Found and done">
      <h2>Found and done</h2>
      {asked.map(({ kind, component, name }) => (
        <FindingInput
          key={kind.id}
          kind={kind}
          title={`${component}: ${name}`}
          found={found.get(kind.id) ?? NOTHING_FOUND}
          onFound={(finding) => onFound(kind.id, finding)}
        />
      ))}
    </section>
  );
}

/** The entry of the lift's history for an answer. */
const entryOf = (record: WireRecord, kind: WireRecord, finding: Finding) => ({
  lift_id: record.lift_id,
  fms_ticket_id: record.id,
  employee_id: currentSession().employeeId ?? record.technician_id,
  done_at: new Date().toISOString(),
  attribute_lookup_group_id: kind.attribute_lookup_group_id,
  attribute_lookup_type_id: kind.id,
  ...findingFields(finding),
});
