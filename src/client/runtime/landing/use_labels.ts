import { useEffect, useMemo, useState } from 'react';
import type { Field, Screen } from '../../../descriptor/types.ts';
import { api } from '../../api/http.ts';
import type { Labels } from './filter_words.ts';
import { idsInConditions } from './filter_words.ts';
import type { Condition } from './list_address.ts';

export interface Option {
  id: number;
  label: string;
  detail?: string;
}

const known = new Map<string, string>();

/** Remembers labels from options, so that a chip has its text at once. */
function noteLabels(type: string, options: Option[]): void {
  for (const { id, label } of options) known.set(`${type} ${id}`, label);
}

/** Records that a reference may refer to, for the typed text. */
export async function fetchOptions(screen: Screen, field: Field, q: string, signal?: AbortSignal): Promise<Option[]> {
  const type = field.ref?.type ?? '';
  const { data } = await api.get<{ data: Option[] }>(
    `/tapi/${type}/options`,
    { q, limit: 30, for: `${screen.name}.${field.name}` },
    { quiet: true, ...(signal && { signal }) },
  );
  noteLabels(type, data);
  return data;
}

/** Labels of the references in conditions by id; requested if unknown. */
export function useLabels(conditions: Condition[], screen: Screen): Labels {
  const wanted = useMemo(() => idsInConditions(conditions, screen), [conditions, screen]);
  return useIdLabels(wanted, screen);
}

/** Labels of the records in fields, or columns of child rows `of`, by id; requested if unknown. */
export function useIdLabels(wanted: { field: Field; of?: string; ids: number[] }[], screen: Screen): Labels {
  const [, setTurn] = useState(0);
  useEffect(() => {
    for (const { field, of, ids } of wanted) {
      const type = field.ref?.type ?? '';
      const missing = ids.filter((id) => !known.has(`${type} ${id}`));
      if (missing.length === 0) continue;
      api
        .get<{ data: Option[] }>(
          `/tapi/${type}/options`,
          { ids: missing.join(','), for: [screen.name, of, field.name].filter(Boolean).join('.') },
          { quiet: true },
        )
        .then(({ data }) => {
          noteLabels(type, data);
          setTurn((old) => old + 1);
        })
        // Without the right to the other list, the id is shown.
        .catch(() => undefined);
    }
  }, [wanted, screen]);
  return labelOf;
}

const labelOf: Labels = (type, id) => known.get(`${type} ${id}`);
