import { useEffect, useState } from 'react';
import type { WidgetProps } from '../widget.ts';
import { useFieldHost } from '../widget.ts';
import { Combobox } from './Combobox.tsx';
import { fetchOptions } from './option_calls.ts';
import { noteChoice } from './recent_choices.ts';
import { ChipList } from '../ChipList.tsx';
import { useHostValue } from './use_host_value.ts';

/** Chooses several records of another type: chips, and a search that stays open for the next. */
export function RefsPicker(props: WidgetProps) {
  const { field, onChange } = props;
  const host = useFieldHost();
  const ids = Array.isArray(props.value) ? props.value.filter((id): id is number => typeof id === 'number') : [];
  const beside = useHostValue(host, `${field.name}__label`);
  const labels = useLabels(props, ids, Array.isArray(beside) ? beside : []);
  const fixed = props.readOnly === true || props.disabled === true;

  const set = (next: number[], nextLabels: string[]) => {
    if (host) host.setValues({ [field.name]: next, [`${field.name}__label`]: nextLabels });
    else onChange(next);
  };
  const without = (index: number) => set(ids.toSpliced(index, 1), labels.toSpliced(index, 1));
  return (
    <div>
      <ChipList
        label={`Chosen: ${field.title}`}
        chips={ids.map((id, index) => ({ key: id, text: labels[index] ?? '' }))}
        fixed={fixed}
        onRemove={without}
      />
      {!fixed && (
        <Combobox
          props={props}
          text=""
          placeholder={ids.length === 0 ? 'Search' : 'Add another'}
          chosen={new Set(ids)}
          several
          onPick={(option) => {
            const index = ids.indexOf(option.id);
            if (index >= 0) {
              without(index);
              return;
            }
            noteChoice(field.ref?.type ?? '', option.id);
            set([...ids, option.id], [...labels, option.label]);
          }}
          onBackspace={() => ids.length > 0 && without(ids.length - 1)}
        />
      )}
    </div>
  );
}

function useLabels({ field }: WidgetProps, ids: number[], beside: unknown[]): string[] {
  const host = useFieldHost();
  const [asked, setAsked] = useState<ReadonlyMap<number, string>>(new Map());
  const complete = beside.length === ids.length;
  const missing = complete ? '' : ids.filter((id) => !asked.has(id)).join(',');
  useEffect(() => {
    if (missing === '') return;
    const stop = new AbortController();
    const wanted = missing.split(',').map(Number);
    fetchOptions(
      host,
      { ...field, ref: { type: field.ref?.type ?? '' } },
      { ids: wanted, limit: wanted.length, signal: stop.signal },
    )
      .then((found) =>
        setAsked(
          (old) =>
            new Map([
              ...old,
              ...wanted.map((id) => [id, found.find((one) => one.id === id)?.label ?? `#${id}`] as const),
            ]),
        ),
      )
      .catch(() => undefined);
    return () => stop.abort();
  }, [missing, field, host]);
  return ids.map((id, index) => (complete ? String(beside[index]) : (asked.get(id) ?? `#${id}`)));
}
