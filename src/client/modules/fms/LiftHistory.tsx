import { formatMoment } from '../../../descriptor/format.ts';
import { useKeptList } from './use_kept.ts';
import styles from './visit.module.css';

const SHOWN = 10;

/** The last entries of a lift's history. */
export function LiftHistory({ liftId }: { liftId: unknown }) {
  const rows = useKeptList(
    'job_history',
    typeof liftId === 'number' ? ['lift_id', 'eq', liftId] : null,
    '-done_at',
    SHOWN,
  );
  if (!rows || rows.length === 0) return null;
  return (
    <ol aria-label="Recorded before">
      {rows.map((row) => (
        <li key={row.id}>
          <strong>{String(row.attribute_lookup_type_id__label ?? '')}</strong>:{' '}
          {[row.attribute_lookup_id__label, row.value, row.fault_code].filter(Boolean).map(String).join(', ')}
          <br />
          <small className={styles.soft}>
            {formatMoment(String(row.done_at))}
            {typeof row.remark === 'string' ? ` · ${row.remark}` : ''}
          </small>
        </li>
      ))}
    </ol>
  );
}
