import { useCallback, useEffect, useState } from 'react';
import type { FilterExpression, WireRecord } from '../../../descriptor/types.ts';
import { ApiError } from '../../api/http.ts';
import { fetchRows } from '../landing/list_calls.ts';
import { useLiveRecords } from '../landing/use_rows.ts';

/** The maximum number of rows in one response. */
const PAGE = 500;

export interface LookRows {
  /** Null = they are being loaded. */
  rows: WireRecord[] | null;
  /** There are more than requested. */
  more: boolean;
  error: ApiError | null;
  refresh: () => void;
}

/** The list parameters of a look. */
export interface LookQuery {
  type: string;
  company: number | null;
  /** The filters of the list. */
  parameters: Record<string, string>;
  /** What the look shows of it. */
  within: FilterExpression | null;
  columns: string[];
  sort: string[];
  max: number;
}

/** One filter of two that must both match. */
export function both(filter: string | undefined, within: FilterExpression | null): string | undefined {
  if (within === null) return filter;
  return JSON.stringify(filter === undefined ? within : ['and', JSON.parse(filter) as FilterExpression, within]);
}

/** The rows shown by a look, up to a limit; reloaded when somebody changes a record of the type. */
export function useLookRows({ type, company, parameters, within, columns, sort, max }: LookQuery): LookRows {
  const { filter, ...rest } = parameters;
  const narrowed = both(filter, within);
  const search = new URLSearchParams({
    ...rest,
    ...(narrowed !== undefined && { filter: narrowed }),
    columns: [...new Set(columns)].sort().join(','),
    sort: sort.join(','),
  }).toString();
  const [shown, setShown] = useState<{ rows: WireRecord[] | null; more: boolean; error: ApiError | null }>({
    rows: null,
    more: false,
    error: null,
  });
  const [turn, setTurn] = useState(0);
  const refresh = useCallback(() => setTurn((old) => old + 1), []);
  useLiveRecords(type, refresh);
  useEffect(() => {
    const stop = new AbortController();
    const load = async () => {
      const wanted = Object.fromEntries(new URLSearchParams(search));
      const rows: WireRecord[] = [];
      let after: string | undefined;
      do {
        const page = await fetchRows(
          type,
          wanted,
          { page: 1, size: Math.min(PAGE, max - rows.length), ...(after !== undefined && { after }) },
          { signal: stop.signal },
        );
        rows.push(...page.data);
        after = page.cursor ?? undefined;
      } while (after !== undefined && rows.length < max);
      return { rows, more: after !== undefined };
    };
    load()
      .then((answer) => !stop.signal.aborted && setShown({ ...answer, error: null }))
      .catch((thrown: unknown) => {
        if (stop.signal.aborted) return;
        const error = thrown instanceof ApiError ? thrown : new ApiError(0, 'no_response', 'Unable to contact server');
        setShown((old) => ({ ...old, error }));
      });
    return () => stop.abort();
  }, [type, company, search, max, turn]);
  return { ...shown, refresh };
}
