import { humanise } from '../../../../descriptor/humanise.ts';
import { listOfShape } from '../../../../descriptor/shape_fields.ts';
import type { Field, JsonSchema } from '../../../../descriptor/types.ts';
import styles from './shaped.module.css';

/** A displayed value with members: their names and values; for a description, the names of its fields. */
export default function ShapedValue({ field, value }: { field: Field; value: unknown }) {
  if (value === null || typeof value !== 'object') return null;
  const lines =
    field.shape === 'fields'
      ? listOfShape(value as JsonSchema).map(({ title, required }) => `${title}${required ? ' (required)' : ''}`)
      : Object.entries(value).map(([name, one]) => `${humanise(name)}: ${words(one)}`);
  return (
    <ul className={styles.facts}>
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
}

function words(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (Array.isArray(value)) return value.map(words).join(', ');
  if (value !== null && typeof value === 'object')
    return Object.entries(value)
      .map(([name, one]) => `${humanise(name)} ${words(one)}`)
      .join(' ');
  return value === null || value === undefined ? '–' : String(value as string | number);
}
