import { useMemo } from 'react';
import { useScreenRef } from '../../api/screens.ts';
import type { Field } from '../../../descriptor/types.ts';
import { RefPicker } from '../../runtime/fields/reference/RefPicker.tsx';
import styles from './message.module.css';

/** Chooses the record for a message preview; empty = the one changed last. */
export function RecordChoice({
  type,
  value,
  onChange,
}: {
  type: string;
  value: number | null;
  onChange: (id: number | null) => void;
}) {
  const title = useScreenRef(type)?.title ?? 'Record';
  const field = useMemo(
    (): Field => ({
      name: 'record',
      type: 'ref',
      title,
      required: false,
      schema: {},
      secret: false,
      readOnly: false,
      ref: { type },
    }),
    [type, title],
  );
  return (
    <div className={styles.choice}>
      <label htmlFor="of-record">{title}</label>
      <RefPicker
        field={field}
        id="of-record"
        value={value}
        onChange={(id) => onChange(typeof id === 'number' ? id : null)}
      />
    </div>
  );
}
