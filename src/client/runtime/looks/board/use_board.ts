import { useCallback, useEffect, useRef, useState } from 'react';
import type { Screen, WireRecord } from '../../../../descriptor/types.ts';
import { ApiError, api } from '../../../api/http.ts';
import { fetchRows } from '../../landing/list_calls.ts';
import { useLiveRecords } from '../../landing/use_rows.ts';
import { both } from '../use_look_rows.ts';

export interface BoardColumn {
  /** A value of the field. */
  value: string;
  count: number;
  sum: string | null;
  cards: WireRecord[];
  /** Where the next cards begin; null = all are here. */
  cursor: string | null;
}

export interface Board {
  columns: BoardColumn[] | null;
  error: ApiError | null;
  refresh: () => void;
  more: (value: string) => void;
  /** Shows a card in another column before the server has said so. */
  put: (card: WireRecord, to: string) => void;
}

/** Cards that a column shows at first, and further ones at a time. */
const STEP = 30;
const MOST = 300;

/** The columns of a board with their counts, sums and first cards; again when somebody changes a record of the type. */
export function useBoard(screen: Screen, company: number | null, parameters: Record<string, string>): Board {
  const { by: field, card } = screen.looks!.board!;
  const [columns, setColumns] = useState<BoardColumn[] | null>(null);
  const [error, setError] = useState<ApiError | null>(null);
  const [turn, setTurn] = useState(0);
  const refresh = useCallback(() => setTurn((old) => old + 1), []);
  useLiveRecords(screen.name, refresh);
  const shown = useRef<BoardColumn[]>([]);
  shown.current = columns ?? [];
  const search = new URLSearchParams(parameters).toString();

  const cardsOf = useCallback(
    (value: string, place: { size: number; after?: string }, signal?: AbortSignal) => {
      const { filter, ...rest } = Object.fromEntries(new URLSearchParams(search));
      const wanted = {
        ...rest,
        filter: both(filter, [field, 'eq', value])!,
        columns: [...new Set([...screen.label, field, ...card])].sort().join(','),
      };
      return fetchRows(screen.name, wanted, { page: 1, ...place }, signal ? { signal } : {});
    },
    [screen, field, card, search],
  );

  useEffect(() => {
    const stop = new AbortController();
    const values = screen.fields.find(({ name }) => name === field)?.options?.map(({ value }) => String(value)) ?? [];
    const load = async () => {
      const { sort: _order, ...narrowed } = Object.fromEntries(new URLSearchParams(search));
      const { data } = await api.get<{ data: { value: string; count: number; sum: string | null }[] }>(
        `/tapi/${screen.name}/board`,
        narrowed,
        { quiet: true, signal: stop.signal },
      );
      const made = values.map(async (value): Promise<BoardColumn> => {
        const counted = data.find((one) => one.value === value);
        if (!counted) return { value, count: 0, sum: null, cards: [], cursor: null };
        const before = shown.current.find((one) => one.value === value)?.cards.length ?? 0;
        const rows = await cardsOf(value, { size: Math.min(MOST, Math.max(STEP, before)) }, stop.signal);
        return { value, count: counted.count, sum: counted.sum, cards: rows.data, cursor: rows.cursor ?? null };
      });
      return Promise.all(made);
    };
    load()
      .then((list) => {
        if (stop.signal.aborted) return;
        setColumns(list);
        setError(null);
      })
      .catch((thrown: unknown) => {
        if (!stop.signal.aborted)
          setError(thrown instanceof ApiError ? thrown : new ApiError(0, 'no_response', 'Unable to contact server'));
      });
    return () => stop.abort();
  }, [screen, field, company, search, cardsOf, turn]);

  const more = useCallback(
    (value: string) => {
      const column = shown.current.find((one) => one.value === value);
      if (!column?.cursor) return;
      cardsOf(value, { size: STEP, after: column.cursor })
        .then((rows) =>
          setColumns(
            (old) =>
              old?.map((one) =>
                one.value === value
                  ? {
                      ...one,
                      cards: [
                        ...one.cards,
                        ...rows.data.filter(({ id }) => !one.cards.some((known) => known.id === id)),
                      ],
                      cursor: rows.cursor ?? null,
                    }
                  : one,
              ) ?? null,
          ),
        )
        .catch((thrown: unknown) => thrown instanceof ApiError && setError(thrown));
    },
    [cardsOf],
  );

  const put = useCallback(
    (moved: WireRecord, to: string) =>
      setColumns(
        (old) =>
          old?.map((one) => {
            const held = one.cards.some(({ id }) => id === moved.id);
            if (one.value === to)
              return held ? one : { ...one, count: one.count + 1, cards: [{ ...moved, [field]: to }, ...one.cards] };
            return held ? { ...one, count: one.count - 1, cards: one.cards.filter(({ id }) => id !== moved.id) } : one;
          }) ?? null,
      ),
    [field],
  );

  return { columns, error, refresh, more, put };
}
