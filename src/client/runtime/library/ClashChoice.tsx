import { Field, Input, Select } from '@fluentui/react-components';
import type { Offered } from '../../../domain/adoption.ts';
import styles from './library.module.css';

/** The other keys of a chosen row, by field; null = it is linked to the client's own record. */
export type OtherKeys = Record<string, string> | null;

/** The choice for a row whose key the client already uses: link it, or add it under another key. */
export default function ClashChoice({
  row,
  keys,
  onChange,
}: {
  row: Offered;
  keys: OtherKeys;
  onChange: (keys: OtherKeys) => void;
}) {
  return (
    <div className={styles.clash} role="group" aria-label={row.label}>
      {row.state === 'same' && (
        <Select
          aria-label={`What becomes of ${row.label}`}
          value={keys ? 'rename' : 'link'}
          onChange={(_, { value }) => onChange(value === 'rename' ? {} : null)}
        >
          <option value="link">Link it to yours, {row.own_label}</option>
          <option value="rename">Add it beside yours</option>
        </Select>
      )}
      {keys &&
        row.clashes.map(({ field, title, value, own_label: own }) => (
          <Field
            key={field}
            label={title}
            required
            hint={`${value} is in use here${own.toLowerCase() === value.toLowerCase() ? '' : `, by ${own}`}. Enter another one.`}
          >
            <Input value={keys[field] ?? ''} onChange={(_, { value: text }) => onChange({ ...keys, [field]: text })} />
          </Field>
        ))}
    </div>
  );
}
