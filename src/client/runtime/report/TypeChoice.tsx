import { Field, Select } from '@fluentui/react-components';
import { screenRefs } from '../../api/screens.ts';

/** The record type of a report: one of the lists that this person may open. */
export function TypeChoice({ value, onChange }: { value: string; onChange: (type: string) => void }) {
  const types = screenRefs
    .use()
    .filter(({ kind, rights }) => kind !== 'settings' && rights.landing)
    .toSorted((a, b) => a.plural.localeCompare(b.plural, 'en'));
  return (
    <Field label="Records">
      <Select value={value} onChange={(_, { value: type }) => onChange(type)}>
        {value === '' && (
          <option value="" disabled>
            Choose
          </option>
        )}
        {types.map(({ name, plural }) => (
          <option key={name} value={name}>
            {plural}
          </option>
        ))}
      </Select>
    </Field>
  );
}
