import type { WireRecord } from '../../../descriptor/types.ts';
import { BigButton } from './BigButton.tsx';
import { RecordChoice } from './RecordChoice.tsx';
import styles from './visit.module.css';

/** What was found: one of a list, or a value. */
export interface Finding {
  id: number | null;
  value: string;
}

export const NOTHING_FOUND: Finding = { id: null, value: '' };

/** Whether a finding answers what is recorded. */
export const isFound = (kind: WireRecord, { id, value }: Finding): boolean => {
  if (kind.value_kind === 'choice') return id !== null;
  if (kind.value_kind === 'number') return /^-?\d+(\.\d+)?$/.test(value.trim());
  return value.trim() !== '';
};

/** The fields of a job history entry for a finding. */
export const findingFields = ({ id, value }: Finding) => ({
  ...(id !== null && { attribute_lookup_id: id }),
  ...(value.trim() !== '' && { value: value.trim() }),
});

/**
 * The input for what is recorded about a component: a choice, yes or no, a number or text.
 * @param title the question; default: `Found` for a choice, `Value` otherwise
 */
export function FindingInput({
  kind,
  title,
  found,
  onFound,
}: {
  kind: WireRecord;
  title?: string;
  found: Finding;
  onFound: (found: Finding) => void;
}) {
  if (kind.value_kind === 'choice')
    return (
      <RecordChoice
        type="attribute_lookup"
        title={title ?? 'Found'}
        value={found.id}
        within={['attribute_lookup_type_id', 'eq', kind.id]}
        onChange={(id) => onFound({ id, value: '' })}
      />
    );
  if (kind.value_kind === 'boolean')
    return (
      <div role="radiogroup" aria-label={title ?? 'Found'}>
        {title !== undefined && <p>{title}</p>}
        <div className={styles.two}>
          {['Yes', 'No'].map((word) => (
            <BigButton key={word} main={found.value === word} onPress={() => onFound({ id: null, value: word })}>
              {word}
            </BigButton>
          ))}
        </div>
      </div>
    );
  return (
    <label className={styles.label}>
      {title ?? 'Value'}
      {typeof kind.unit === 'string' ? ` in ${kind.unit}` : ''}
      {range(kind.min, kind.max)}
      <input
        className={styles.input}
        inputMode={kind.value_kind === 'number' ? 'decimal' : 'text'}
        value={found.value}
        maxLength={120}
        onChange={({ target }) => onFound({ id: null, value: target.value })}
      />
    </label>
  );
}

const range = (min: unknown, max: unknown) =>
  typeof min === 'string' && typeof max === 'string' ? ` (${Number(min)} to ${Number(max)})` : '';
