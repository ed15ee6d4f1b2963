import { useId, useMemo, useState } from 'react';
import { unitOf } from '../../../descriptor/money.ts';
import type { Field } from '../../../descriptor/types.ts';
import { widgetFor } from '../fields/registry.tsx';
import styles from './report.module.css';

/** Controls that need more, or less, width than most. */
const WIDTHS: Record<string, string> = { ref: 'wide', enum: 'own', boolean: 'own' };

/** One parameter of a report or a view, with its label and error. */
export function Parameter({
  field,
  value,
  problem,
  onChange,
}: {
  field: Field;
  value: unknown;
  problem: string | null;
  onChange: (value: unknown) => void;
}) {
  const id = useId();
  const asked = useMemo(() => choiceOf(field), [field]);
  const Widget = widgetFor(asked);
  const [unread, setUnread] = useState<string | null>(null);
  const message = unread ?? problem;
  return (
    <div className={styles.parameter} data-width={WIDTHS[field.type]}>
      <label id={`${id}-label`} htmlFor={id}>
        {field.title}
        {unitOf(field) && ` (${unitOf(field)})`}
      </label>
      <Widget
        field={asked}
        id={id}
        required={field.required}
        value={typeof value === 'boolean' ? String(value) : (value ?? null)}
        invalid={message !== null}
        onChange={onChange}
        onProblem={setUnread}
      />
      <span id={`${id}-message`} className={styles.problem} role={message === null ? undefined : 'alert'}>
        {message}
      </span>
    </div>
  );
}

/** Yes or no as an optional choice: a switch would silently choose No. */
function choiceOf(field: Field): Field {
  return field.type === 'boolean'
    ? {
        ...field,
        type: 'enum',
        options: [
          { value: 'true', label: 'Yes' },
          { value: 'false', label: 'No' },
        ],
      }
    : field;
}
