import { AlertUrgentRegular } from '@fluentui/react-icons';
import { useSyncExternalStore } from 'react';
import { Link } from 'react-router-dom';
import { formatMoment } from '../../../descriptor/format.ts';
import { onTick } from '../../runtime/fields/clock/tick.ts';
import styles from './ticket.module.css';

type Row = Readonly<Record<string, unknown>>;

/** Minutes after the report at which the ladder escalates while nobody has accepted. */
const STEPS = [
  { after: 0, text: 'Technicians within 30 min, leader and supervisor alerted' },
  { after: 3, text: 'Supervisor and branch manager informed' },
  { after: 5, text: 'The desk phones' },
] as const;

/** Maximum interval of the desk's calls to the car. */
const CALL_EVERY_MIN = 10;

/** How long people have been trapped, who is on the way, and the step of the ladder. */
export function RescueStrip({ record, link }: { record: Row; link?: string }) {
  const since = Date.parse(String(record.reported_at));
  const minutes = useSyncExternalStore(onTick, () => Math.max(0, Math.floor((Date.now() - since) / 60_000)));
  const out = typeof record.all_out_at === 'string' ? record.all_out_at : null;
  if (out !== null)
    return (
      <p className={styles.allOut}>
        All out at {formatMoment(out)}: {String(record.trapped_count ?? 0)} people, {String(record.injured_count ?? 0)}{' '}
        injured.
      </p>
    );
  const taken = !['new', 'assigned'].includes(String(record.status));
  const phone = !taken && minutes >= 5;
  const calls = Array.isArray(record.desk_calls) ? (record.desk_calls as { at: string }[]) : [];
  const spoken = Math.max(since, ...calls.map(({ at }) => Date.parse(at)));
  const silent = Math.max(0, minutes - Math.floor((spoken - since) / 60_000));
  return (
    <section className={styles.rescue} aria-label="People are inside" aria-live="polite">
      <AlertUrgentRegular aria-hidden />
      <div>
        <strong>
          {link === undefined ? (
            'People are inside'
          ) : (
            <Link to={link}>People are inside: {String(record.ticket_no)}</Link>
          )}{' '}
          since {minutes} min
          {record.building_id__label ? ` · ${String(record.building_id__label)}` : ''}
          {record.lift_id__label ? ` · ${String(record.lift_id__label)}` : ''}
        </strong>
        <ol className={styles.ladder}>
          {STEPS.map(({ after, text }) => (
            <li key={after} data-done={!taken && minutes >= after ? '' : undefined}>
              {after === 0 ? 'At once' : `${after} min`}: {text}
            </li>
          ))}
        </ol>
        <p>
          {taken
            ? `${String(record.technician_id__label ?? 'Somebody')} ${record.status === 'attending' ? 'is on site' : 'goes'}.`
            : phone
              ? 'Nobody has accepted. Phone the technicians now, and write down each call to the car.'
              : 'Nobody has accepted yet.'}{' '}
          Fire and rescue service 101, emergency 112.
        </p>
        {record.status !== 'attending' && (
          <p data-due={silent >= CALL_EVERY_MIN || undefined}>
            {calls.length === 0 ? 'The desk has not spoken with them yet.' : `Last call to the car ${silent} min ago.`}
            {silent >= CALL_EVERY_MIN ? ' Call them now, and log the call.' : ''}
          </p>
        )}
      </div>
    </section>
  );
}
