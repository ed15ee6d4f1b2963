import { useState } from 'react';
import type { Screen, WireRecord } from '../../../descriptor/types.ts';
import { toast } from '../../app/feedback.ts';
import { currentSession } from '../../app/session.ts';
import { waitingActs } from '../../runtime/offline/outbox.ts';
import { BigButton } from './BigButton.tsx';
import { RecordChoice } from './RecordChoice.tsx';
import { useKeptList } from './use_kept.ts';
import { saveAndTake } from './visit_acts.ts';
import styles from './visit.module.css';

type Row = Record<string, unknown>;

/** What happened to the removed part, in the technician's words. */
const OLD_PART = [
  ['faulty', 'Faulty, I bring it back'],
  ['reusable', 'Still good, I bring it back'],
  ['kept_by_customer', 'The customer keeps it'],
  ['none_removed', 'There was none'],
] as const;

/** Parts from the technician's kit fitted in the lift, also recorded offline. */
export function PartsUsed({ ticket, uses }: { ticket: WireRecord; uses: Screen }) {
  const { employeeId } = currentSession();
  const kit = useKeptList('stock_balance', ['on_hand', 'gt', 0], 'item_id');
  const waiting = waitingActs.use();
  const [part, setPart] = useState<number | null>(null);
  const [qty, setQty] = useState('1');
  const [old, setOld] = useState('faulty');
  const [serial, setSerial] = useState('');
  const [cause, setCause] = useState(ticket.root_cause_id as number | null);
  const [action, setAction] = useState(ticket.action_taken_id as number | null);
  const [draft, setDraft] = useState<WireRecord | null>(null);
  const [wrong, setWrong] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  const left = leftInKit(
    kit ?? [],
    waiting.flatMap(({ type, do: name, input }) =>
      type === uses.name && name === 'create' ? ((input.lines ?? []) as Row[]) : [],
    ),
  );
  const chosen = left.find(({ id }) => id === part);
  const count = Number(qty);
  const isReady = chosen !== undefined && count > 0 && count <= chosen.qty && cause !== null && action !== null;
  const save = async () => {
    setBusy(true);
    const line = {
      item_id: chosen!.item,
      condition: chosen!.condition,
      qty,
      removed_condition: old,
      ...(chosen!.batch !== null && { batch_id: chosen!.batch }),
      ...(serial.trim() !== '' && { old_serial_no: serial.trim() }),
    };
    const done = await saveAndTake(
      uses,
      {
        done_at: new Date().toISOString(),
        ticket_id: ticket.id,
        lift_id: ticket.lift_id,
        technician_id: employeeId,
        root_cause_id: cause,
        action_taken_id: action,
        lines: [line],
      },
      'post',
      draft,
    );
    setBusy(false);
    setDraft(done.draft);
    setWrong(done.refused);
    if (done.refused !== null) return;
    if (done.waits) toast.info('Stored on this device. It is sent when the network is back.');
    else toast.success('The part was taken from your kit.');
    setDraft(null);
    setPart(null);
    setQty('1');
    setOld('faulty');
    setSerial('');
  };
  if (kit === null) return <p role="status">Loading your kit…</p>;
  if (left.length === 0) return <p>There is nothing in your kit. Ask the store to issue parts to you.</p>;
  return (
    <>
      <label className={styles.label}>
        Part from my kit
        <select
          className={styles.input}
          value={part ?? ''}
          onChange={({ target }) => setPart(target.value === '' ? null : Number(target.value))}
        >
          <option value="">Choose</option>
          {left.map(({ id, name, qty: has }) => (
            <option key={id} value={id} disabled={has <= 0}>
              {name} ({has})
            </option>
          ))}
        </select>
      </label>
      {chosen && (
        <>
          <label className={styles.label}>
            How many of {chosen.qty}
            <input
              className={styles.input}
              inputMode="decimal"
              value={qty}
              maxLength={10}
              onChange={({ target }) => setQty(target.value)}
            />
          </label>
          <label className={styles.label}>
            The old part
            <select className={styles.input} value={old} onChange={({ target }) => setOld(target.value)}>
              {OLD_PART.map(([value, words]) => (
                <option key={value} value={value}>
                  {words}
                </option>
              ))}
            </select>
          </label>
          {old !== 'none_removed' && (
            <label className={styles.label}>
              Serial number of the old part
              <input
                className={styles.input}
                value={serial}
                maxLength={60}
                onChange={({ target }) => setSerial(target.value)}
              />
            </label>
          )}
          <RecordChoice type="root_cause_mstr" title="Root cause" value={cause} onChange={setCause} />
          <RecordChoice type="action_taken_mstr" title="Action taken" value={action} onChange={setAction} />
          {wrong !== null && (
            <p className={styles.wrong} role="alert">
              {wrong}
            </p>
          )}
          <BigButton main busy={busy} disabled={!isReady} onPress={() => void save()}>
            Add to the ticket
          </BigButton>
        </>
      )}
    </>
  );
}

/** The kit by item and batch, less the parts in this device's unsent entries. */
function leftInKit(kit: readonly WireRecord[], waiting: readonly Row[]) {
  const isUsable = ({ condition }: WireRecord) => condition === 'new' || condition === 'refurbished';
  return kit.filter(isUsable).map((row) => {
    const used = waiting.filter(
      ({ item_id: item, batch_id: batch }) => item === row.item_id && (batch ?? null) === row.batch_id,
    );
    return {
      id: row.id,
      item: row.item_id as number,
      name: String(row.item_id__label),
      condition: String(row.condition),
      batch: (row.batch_id as number | null) ?? null,
      qty: used.reduce((sum, { qty }) => sum - Number(qty), Number(row.on_hand)),
    };
  });
}
