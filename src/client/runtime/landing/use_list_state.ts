import { useCallback, useLayoutEffect, useMemo, useRef } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { Field } from '../../../descriptor/types.ts';
import type { ListState } from './list_address.ts';
import { readAddress, writeAddress } from './list_address.ts';

/** The list's state in the address, and its setters. Typing replaces the history entry, choices add one. */
export function useListState(
  fields: readonly Field[],
): [ListState, (part: Partial<ListState>, how?: 'push' | 'replace') => void] {
  const [query, setQuery] = useSearchParams();
  const state = useMemo(() => readAddress(query, fields), [query, fields]);
  const latest = useRef({ state, query });
  useLayoutEffect(() => {
    latest.current = { state, query };
  }, [state, query]);
  const change = useCallback(
    (part: Partial<ListState>, how: 'push' | 'replace' = 'push') => {
      const { state: before, query: beforeQuery } = latest.current;
      const next = { ...before, ...part };
      // Changed filters start at the first page.
      if (next.page !== null && part.page === undefined) next.page = 1;
      const written = writeAddress(next, beforeQuery);
      // Two changes in one event accumulate.
      latest.current = { state: next, query: written };
      setQuery(written, { replace: how === 'replace' });
    },
    [setQuery],
  );
  return [state, change];
}
