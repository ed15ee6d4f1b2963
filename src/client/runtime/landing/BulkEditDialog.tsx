import {
  Button,
  Dialog,
  DialogActions,
  DialogBody,
  DialogContent,
  DialogSurface,
  DialogTitle,
  Field as FormField,
  Input,
  Select,
} from '@fluentui/react-components';
import { useEffect, useState } from 'react';
import type { Field, Screen, WireRecord } from '../../../descriptor/types.ts';
import type { BulkAnswer } from './bulk_calls.ts';
import { bulkSet } from './bulk_calls.ts';
import { bulkFields, bulkValue } from './bulk_value.ts';
import { filterKind } from './filter_draft.ts';
import styles from './landing.module.css';
import type { Option } from './use_labels.ts';
import { fetchOptions } from './use_labels.ts';

/** One field, one value, all selected records. */
export default function BulkEditDialog({
  screen,
  records,
  onDone,
  onClose,
}: {
  screen: Screen;
  records: WireRecord[];
  onDone: (answer: BulkAnswer) => void;
  onClose: () => void;
}) {
  const fields = bulkFields(screen);
  const [name, setName] = useState(fields[0]?.name ?? '');
  const [text, setText] = useState('');
  const [picked, setPicked] = useState<number[]>([]);
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const field = fields.find((one) => one.name === name);
  const count = records.length === 1 ? '1 record' : `${records.length} records`;

  const save = () => {
    if (!field) return;
    let answer: ReturnType<typeof bulkValue>;
    if (field.type === 'refs') answer = picked.length === 0 && field.required ? { error: 'Choose at least one.' } : { value: picked };
    else answer = bulkValue(field, text);
    if ('error' in answer) {
      setError(answer.error);
      return;
    }
    setBusy(true);
    bulkSet(screen.name, records, { [field.name]: answer.value })
      .then(onDone)
      // The call has told why.
      .catch(() => setBusy(false));
          noValidate
  };
  return (
    <Dialog open onOpenChange={(_, { open }) => !open && onClose()}>
      <DialogSurface className={styles.dialog}>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            save();
          }}
        >
          <DialogBody>
            <DialogTitle>Change {count}</DialogTitle>
            <DialogContent className={styles.dialogFields}>
              <FormField label="Field">
                <Select
                  value={name}
                  onChange={(_, { value }) => {
                    setName(value);
                    setText('');
                    setPicked([]);
                    setError(null);
                  }}
                >
                  {fields.map((one) => (
                    <option key={one.name} value={one.name}>
                      {one.title}
                    </option>
                  ))}
                </Select>
              </FormField>
              {field && (
                <FormField
                  label="New value"
                  required={field.required}
                  {...(error ? { validationMessage: error } : !field.required && { hint: 'Left empty, the field is cleared.' })}
                >
                  <ValueInput
                    screen={screen}
                    field={field}
                    text={text}
                    picked={picked}
                    onText={(value) => {
                      setText(value);
                      setError(null);
                    }}
                    onPicked={setPicked}
                  />
                </FormField>
              )}
            </DialogContent>
            <DialogActions>
              <Button onClick={onClose}>Cancel</Button>
              <Button appearance="primary" type="submit" disabled={busy || !field}>
                Change {count}
              </Button>
            </DialogActions>
          </DialogBody>
        </form>
      </DialogSurface>
    </Dialog>
  );
}

interface ValueProps {
  screen: Screen;
  field: Field;
  text: string;
  picked: number[];
  onText: (text: string) => void;
  onPicked: (ids: number[]) => void;
}

function ValueInput({ screen, field, text, picked, onText, onPicked }: ValueProps) {
  const kind = filterKind(field);
  if (kind === 'ref' || kind === 'refs') return <ReferenceInput {...{ screen, field, text, picked, onText, onPicked }} />;
  if (kind === 'enum' || kind === 'boolean') {
    const options = kind === 'boolean' ? [{ value: 'yes', label: 'Yes' }, { value: 'no', label: 'No' }] : (field.options ?? []);
    return (
      <Select aria-label="New value" value={text} onChange={(_, { value }) => onText(value)}>
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
      aria-label="New value"
      {...(patterns[field.type] && { placeholder: patterns[field.type] })}
      {...(kind === 'number' && { inputMode: 'decimal' as const })}
      {...(field.unit && { contentAfter: field.unit })}
      value={text}
      onChange={(_, { value }) => onText(value)}
    />
  );
}

/** How values are written; the browser's own date field follows its language, not the company's. */
const patterns: Record<string, string> = { date: 'DD-MM-YYYY', datetime: 'DD-MM-YYYY HH:MM', month: 'YYYY-MM', time: 'HH:MM' };

/** A searched list: one choice for a reference, several for a list of references. */
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
      <Input aria-label={`Search ${field.title}`} placeholder="Search" value={search} onChange={(_, { value }) => setSearch(value)} />
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
