import { unitOf } from '../../../descriptor/money.ts';
import { Input, Select } from '@fluentui/react-components';
import { useEffect, useState } from 'react';
import type { Field, Screen } from '../../../descriptor/types.ts';
import { filterKind } from './filter_draft.ts';
import styles from './landing.module.css';
import type { Option } from './use_labels.ts';
import { fetchOptions } from './use_labels.ts';

interface ValueProps {
  label: string;
  screen: Screen;
  field: Field;
  text: string;
  picked: number[];
  onText: (text: string) => void;
  onPicked: (ids: number[]) => void;
}

/** One value of a field, as text or as chosen records. */
export function ValueInput({ label, screen, field, text, picked, onText, onPicked }: ValueProps) {
  const kind = filterKind(field);
  if (kind === 'ref' || kind === 'refs')
    return <ReferenceInput {...{ label, screen, field, text, picked, onText, onPicked }} />;
  if (kind === 'enum' || kind === 'boolean') {
    const options =
      kind === 'boolean'
        ? [
            { value: 'yes', label: 'Yes' },
            { value: 'no', label: 'No' },
          ]
        : (field.options ?? []);
    return (
      <Select aria-label={label} value={text} onChange={(_, { value }) => onText(value)}>
        <option value="">—</option>
        {options.map(({ value, label }) => (
          <option key={String(value)} value={String(value)}>
            {label}
          </option>
        ))}
      </Select>
    );
  }
  return (
    <Input
      aria-label={label}
      {...(patterns[field.type] && { placeholder: patterns[field.type] })}
      {...(kind === 'number' && { inputMode: 'decimal' as const })}
      {...(unitOf(field) && { contentAfter: unitOf(field) })}
      value={text}
      onChange={(_, { value }) => onText(value)}
    />
  );
}

/** The notation of values; the browser's own date field follows its language, not the company's. */
const patterns: Record<string, string> = {
  date: 'DD-MM-YYYY',
  datetime: 'DD-MM-YYYY HH:MM',
  month: 'YYYY-MM',
  time: 'HH:MM',
};

/** A list with search: one choice for a reference, several for a list of references. */
function ReferenceInput({ screen, field, text, picked, onText, onPicked }: ValueProps) {
  const [search, setSearch] = useState('');
  const [options, setOptions] = useState<Option[]>([]);
  useEffect(() => {
    const stop = new AbortController();
    const timer = setTimeout(() => {
      fetchOptions(screen, field, search.trim(), stop.signal)
        .then(setOptions)
        .catch(() => undefined);
    }, 200);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [screen, field, search]);
  const several = field.type === 'refs';
  const chosen = (id: number) => (several ? picked.includes(id) : text === String(id));
  const choose = (id: number) => {
    if (!several) onText(chosen(id) ? '' : String(id));
    else onPicked(chosen(id) ? picked.filter((one) => one !== id) : [...picked, id]);
  };
  return (
    <div className={styles.editor}>
      <Input
        aria-label={`Search ${field.title}`}
        placeholder="Search"
        value={search}
        onChange={(_, { value }) => setSearch(value)}
      />
      <ul className={styles.options}>
        {options.map((option) => (
          <li key={option.id}>
            <button type="button" aria-pressed={chosen(option.id)} onClick={() => choose(option.id)}>
              {option.label}
              {option.detail && <span className={styles.muted}> · {option.detail}</span>}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
