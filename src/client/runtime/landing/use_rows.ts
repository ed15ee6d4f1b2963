import { useCallback, useEffect, useRef, useState } from 'react';
import { ApiError } from '../../api/http.ts';
import { onLive } from '../../api/live.ts';
import type { Count, ListPage } from './list_calls.ts';
import { fetchCount, fetchRows } from './list_calls.ts';

/** First rows of lists opened earlier in this tab: going back shows them at once, and fresh ones a moment later. */
const remembered = new Map<string, ListPage>();
const rememberedAtMost = 24;

/** @returns the page to show: unchanged rows are the same objects, so that they are not rendered again */
function remember(key: string, page: ListPage): ListPage {
  const before = remembered.get(key);
  const kept = before && JSON.stringify(before) === JSON.stringify(page) ? before : page;
  remembered.delete(key);
  remembered.set(key, kept);
  const [oldest] = remembered.keys();
  if (remembered.size > rememberedAtMost && oldest !== undefined) remembered.delete(oldest);
  return kept;
}

/**
 * Calls started during the first render. Effects may run much later: a Suspense boundary waits until 300 ms after the
 * last fallback, and the rows can arrive before that.
 */
const earlyRows = new Map<string, Promise<ListPage>>();

function askEarly(
  key: string,
  type: string,
  parameters: Record<string, string>,
  place: { page: number; size: number },
): void {
  if (earlyRows.has(key)) return;
  const call = fetchRows(type, parameters, place);
  // The consumer handles a failure; an abandoned render has no consumer.
  call.catch(() => undefined);
  earlyRows.set(key, call);
  setTimeout(() => earlyRows.delete(key), 5_000);
}

/** Another person or company sees different rows. */
export function forgetRows(): void {
  remembered.clear();
  earlyRows.clear();
}

export interface Rows {
  /** The key of the rows shown now; while `stale`, the rows of another key are being loaded. */
  key: string;
  first: ListPage | null;
  stale: boolean;
  error: ApiError | null;
  count: Count | null;
  /** The total number of rows without the search; only if the list is filtered. */
  total: Count | null;
  /** Reloads without losing the position. */
  refresh: () => void;
}

interface Shown {
  key: string;
  first: ListPage | null;
  error: ApiError | null;
  /** How many answers there have been. */
  answers: number;
}

export interface RowsQuery {
  type: string;
  company: number | null;
  parameters: Record<string, string>;
  page: number;
  size: number;
  narrowed: boolean;
}

/** The first rows of a list and their count, reloaded when somebody changes a record of the type. */
export function useRows({ type, company, parameters, page, size, narrowed }: RowsQuery): Rows {
  const search = new URLSearchParams(parameters).toString();
  const key = `${company ?? ''} ${type} ${page} ${size} ${search}`;
  const [shown, setShown] = useState<Shown>(() => {
    askEarly(key, type, Object.fromEntries(new URLSearchParams(search)), { page, size });
    return { key, first: remembered.get(key) ?? null, error: null, answers: 0 };
  });
  const [count, setCount] = useState<Count | null>(null);
  const [total, setTotal] = useState<Count | null>(null);
  const [turn, setTurn] = useState(0);
  const refresh = useCallback(() => setTurn((old) => old + 1), []);

  useEffect(() => {
    const stop = new AbortController();
    const known = remembered.get(key);
    if (known) setShown((old) => (old.key === key ? old : { key, first: known, error: null, answers: 0 }));
    const early = earlyRows.get(key);
    earlyRows.delete(key);
    const call =
      early ??
      fetchRows(type, Object.fromEntries(new URLSearchParams(search)), { page, size }, { signal: stop.signal });
    call
      .then((first) => {
        if (stop.signal.aborted) return;
        const kept = remember(key, first);
        setShown((old) => ({ key, first: kept, error: null, answers: old.key === key ? old.answers + 1 : 1 }));
      })
      .catch((thrown: unknown) => {
        if (stop.signal.aborted) return;
        const error = thrown instanceof ApiError ? thrown : new ApiError(0, 'no_response', 'Unable to contact server');
        setShown((old) => ({ ...old, key, first: old.key === key ? old.first : null, error }));
      });
    return () => stop.abort();
  }, [key, type, search, page, size, turn]);

  const counted = new URLSearchParams(search);
  counted.delete('sort');
  counted.delete('columns');
  // The sort order, which does not affect the count, is not part of it.
  const counts = counted.toString();
  const countKey = `${company ?? ''} ${type} ${counts}`;
  const lastCounted = useRef('');
  const arrived = shown.key === key ? shown.first : null;
  useEffect(() => {
    if (lastCounted.current !== countKey) setCount(null);
    lastCounted.current = countKey;
    // Cached rows are counted with the response that follows.
    if (!arrived || shown.answers === 0) return;
    // A list that ends on its first page needs no count.
    if (page === 1 && !arrived.pagination.has_next && !arrived.pagination.more) {
      setCount({ count: arrived.data.length, capped: false });
      return;
    }
    const stop = new AbortController();
    fetchCount(type, Object.fromEntries(new URLSearchParams(counts)), stop.signal)
      .then((answer) => !stop.signal.aborted && setCount(answer))
      // Rows without their count are still rows.
      .catch(() => undefined);
    return () => stop.abort();
    // Each response may have another count, even if its rows are unchanged.
  }, [type, countKey, counts, page, arrived, shown.answers]);
  useEffect(() => {
    if (!narrowed) {
      setTotal(null);
      return;
    }
    const stop = new AbortController();
    const active = new URLSearchParams(counts).get('active');
    fetchCount(type, active ? { active } : {}, stop.signal)
      .then((answer) => !stop.signal.aborted && setTotal(answer))
      .catch(() => undefined);
    return () => stop.abort();
  }, [type, counts, narrowed, turn]);

  useLiveRecords(type, refresh);

  return { key: shown.key, first: shown.first, stale: shown.key !== key, error: shown.error, count, total, refresh };
}

/**
 * Calls back, at most three times a second, when records of the type, or of one of several separated by spaces, have
 * changed.
 */
export function useLiveRecords(types: string, changed: () => void): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = onLive((live) => {
      const ours = (live.event === 'record' && types.split(' ').includes(live.data.type)) || live.event === 'resumed';
      if (!ours || timer !== undefined) return;
      timer = setTimeout(() => {
        timer = undefined;
        changed();
      }, 300);
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [types, changed]);
}
