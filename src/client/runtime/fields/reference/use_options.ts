import { useEffect, useState } from 'react';
import type { Field } from '../../../../descriptor/types.ts';
import { ApiError } from '../../../api/http.ts';
import type { FieldHost } from '../widget.ts';
import type { Option } from './option_calls.ts';
import { fetchOptions } from './option_calls.ts';
import { recentChoices } from './recent_choices.ts';

export interface OptionList {
  state: 'loading' | 'ready' | 'failed';
  /** How many of the first options are recent choices. */
  recent: number;
  options: Option[];
  message: string;
}

const nothing: OptionList = { state: 'loading', recent: 0, options: [], message: '' };
const pause = 150;

/** Options for the typed text, while the list is open; recent choices first while nothing is typed. */
export function useOptions(host: FieldHost | null, field: Field, query: string, open: boolean): OptionList {
  const [list, setList] = useState(nothing);
  useEffect(() => {
    if (!open) {
      setList(nothing);
      return;
    }
    const stop = new AbortController();
    const ask = async () => {
      // A restricted list is short, and a request by id would ignore the restriction.
      const ids = query === '' && !field.ref?.filter && !field.ref?.fixed ? recentChoices(field.ref?.type ?? '') : [];
      const [options, known] = await Promise.all([
        fetchOptions(host, field, { q: query, signal: stop.signal }),
        ids.length > 0 ? fetchOptions(host, field, { ids, signal: stop.signal }).catch(() => []) : [],
      ]);
      const recent = ids.flatMap((id) => known.find((option) => option.id === id && option.active !== false) ?? []);
      const rest = options.filter((option) => !recent.some(({ id }) => id === option.id));
      setList({ state: 'ready', recent: recent.length, options: [...recent, ...rest], message: '' });
    };
    const timer = setTimeout(
      () => {
        ask().catch((thrown: unknown) => {
          if (stop.signal.aborted) return;
          setList({
            ...nothing,
            state: 'failed',
            message: thrown instanceof ApiError ? thrown.message : 'The list could not be loaded.',
          });
        });
      },
      query === '' ? 0 : pause,
    );
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [host, field, query, open]);
  return list;
}
