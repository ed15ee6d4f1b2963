import type { FilterExpression } from '../../../descriptor/types.ts';
import { useKeptList } from './use_kept.ts';
import styles from './visit.module.css';

/** A native select of a list's records. `within`: a filter; null = it cannot be chosen yet. */
export function RecordChoice({
  type,
  title,
  value,
  within = ['id', 'gt', 0],
  onChange,
}: {
  type: string;
  title: string;
  value: number | null;
  within?: FilterExpression | null;
  onChange: (id: number | null) => void;
}) {
  const rows = useKeptList(type, within, 'name');
  if (rows?.length === 0) return null;
  return (
    <label className={styles.label}>
      {title}
      <select
        className={styles.input}
        value={value ?? ''}
        disabled={rows === null}
        onChange={({ target }) => onChange(target.value === '' ? null : Number(target.value))}
      >
        <option value="">Choose</option>
        {rows?.map(({ id, name, code }) => (
          <option key={id} value={id}>
            {String(name ?? code)}
          </option>
        ))}
      </select>
    </label>
  );
}
