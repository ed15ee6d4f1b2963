import { useEffect, useState } from 'react';
import type { Field } from '../../../../descriptor/types.ts';
import { applyChoice } from '../reference/apply_choice.ts';
import type { Option } from '../reference/option_calls.ts';
import { fetchOptions, whereOf } from '../reference/option_calls.ts';
import type { FieldHost } from '../widget.ts';
import styles from './questions.module.css';

/** So many choices are buttons; more are looked up. */
const MAX_CHIPS = 8;

/** Whether a column is answered by choosing one of few. */
export const hasChoices = ({ type, options }: Field): boolean =>
  type === 'ref' || type === 'boolean' || (type === 'enum' && (options?.length ?? 0) <= MAX_CHIPS);

type Chips = { state: 'loading' } | { state: 'failed' } | { state: 'ready'; options: Option[] };

/** The records that a reference of this row may name. */
function useRecords(host: FieldHost | null, column: Field, narrowedTo: string): Chips {
  const [chips, setChips] = useState<Chips>({ state: 'loading' });
  useEffect(() => {
    if (column.type !== 'ref' || !host) return;
    const stop = new AbortController();
    setChips({ state: 'loading' });
    fetchOptions(host, column, { limit: MAX_CHIPS + 1, signal: stop.signal })
      .then((options) => setChips({ state: 'ready', options }))
      .catch(() => !stop.signal.aborted && setChips({ state: 'failed' }));
    return () => stop.abort();
  }, [host, column, narrowedTo]);
  return chips;
}

interface AnswerChipsProps {
  column: Field;
  id: string;
  host: FieldHost | null;
  value: unknown;
  fixed: boolean;
  onChange: (value: unknown) => void;
  /** Where there are too many choices, or they could not be fetched. */
  instead: () => React.ReactNode;
}

/** The choices of an answer as buttons; nothing where this question has none. */
export function AnswerChips({ column, id, host, value, fixed, onChange, instead }: AnswerChipsProps) {
  const where = host && column.type === 'ref' ? whereOf(column, host.values()) : null;
  const records = useRecords(host, column, JSON.stringify(where));
  // Narrowed to what this question does not have, the list is empty.
  if (where && Object.values(where).includes(null)) return null;
  if (column.type === 'ref' && records.state === 'loading') return <div className={styles.waiting} aria-hidden />;
  if (column.type === 'ref' && (records.state !== 'ready' || records.options.length > MAX_CHIPS)) return instead();
  const choices: { value: unknown; label: string; tone?: string | undefined; option?: Option }[] =
    column.type === 'boolean'
      ? [
          { value: true, label: 'Yes' },
          { value: false, label: 'No' },
        ]
      : column.type === 'enum'
        ? (column.options ?? []).map((one) => ({ value: one.value, label: one.label, tone: one.colour }))
        : records.state === 'ready'
          ? records.options.map((option) => ({ value: option.id, label: option.label, option }))
          : [];
  if (choices.length === 0) return null;
  const choose = (choice: (typeof choices)[number] | null) => {
    if (column.type === 'ref' && host) void applyChoice(host, column, choice?.option ?? null);
    else onChange(choice?.value ?? null);
  };
  return (
    <div className={styles.choices}>
      <span id={`${id}-label`} className={styles.label}>
        {column.title}
      </span>
      <div role="group" aria-labelledby={`${id}-label`} className={styles.chips}>
        {choices.map((choice) => (
          <button
            key={String(choice.value)}
            type="button"
            className={styles.chip}
            aria-pressed={choice.value === value}
            disabled={fixed}
            // A second touch takes it back.
            onClick={() => choose(choice.value === value ? null : choice)}
          >
            {choice.label}
          </button>
        ))}
      </div>
    </div>
  );
}
