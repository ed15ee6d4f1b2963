import { useCallback, useEffect, useRef, useState } from 'react';
import { inSentence } from '../../../../descriptor/in_sentence.ts';
import type { Field, Screen, WireRecord } from '../../../../descriptor/types.ts';
import { ApiError, api } from '../../../api/http.ts';
import { fetchRows } from '../../landing/list_calls.ts';
import { useLiveRecords } from '../../landing/use_rows.ts';
import { both } from '../use_look_rows.ts';
import { lateField } from '../late.ts';

export interface BoardColumn {
  /** A value of the field, or the record that it refers to; empty: those without one. */
  value: string;
  label: string;
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
const MAX_RECORDS = 300;

/** A value of the field as a column has it. */
export const columnOf = (value: unknown): string => (value === null || value === undefined ? '' : String(value));

/** What a card's field is in a column. */
export const valueIn = ({ ref }: Field, column: string): string | number | null =>
  column === '' ? null : ref ? Number(column) : column;

/** What the server counts of a column. */
interface Counted {
  value: string | null;
  count: number;
  sum: string | null;
  label?: string;
}

/** All columns: those of the list's values or of the records counted, and one for records without any. */
function allColumns(field: Field, counted: readonly Counted[]): Counted[] {
  const [without] = counted.filter(({ value }) => value === null);
  const columns = field.ref
    ? counted.filter(({ value }) => value !== null)
    : (field.options ?? []).map(({ value, label }): Counted => {
        const found = counted.find((one) => one.value === String(value));
        return { value: String(value), label, count: found?.count ?? 0, sum: found?.sum ?? null };
      });
  const none = { value: null, label: `No ${inSentence(field.title)}`, count: 0, sum: null, ...without };
  return without || (field.ref && !field.required) ? [none, ...columns] : columns;
}

/** The columns of a board with their counts, sums and first cards; again when somebody changes a record of the type. */
export function useBoard(screen: Screen, company: number | null, parameters: Record<string, string>): Board {
  const { by: name, card } = screen.looks!.board!;
  const late = lateField(screen)?.name;
  const field = screen.fields.find((one) => one.name === name)!;
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
        filter: both(filter, value === '' ? [name, 'empty'] : [name, 'eq', valueIn(field, value)])!,
        columns: [...new Set([...screen.label, name, ...card, late, screen.workflow?.field])]
          .filter((one) => one !== undefined)
          .sort()
          .join(','),
      };
      return fetchRows(screen.name, wanted, { page: 1, ...place }, signal ? { signal } : {});
    },
    [screen, field, name, card, late, search],
  );

  useEffect(() => {
    const stop = new AbortController();
    const load = async () => {
      const { sort: _order, ...narrowed } = Object.fromEntries(new URLSearchParams(search));
      const { data } = await api.get<{ data: Counted[] }>(`/tapi/${screen.name}/board`, narrowed, {
        quiet: true,
        signal: stop.signal,
      });
      const made = allColumns(field, data).map(async ({ value: held, label, count, sum }): Promise<BoardColumn> => {
        const value = columnOf(held);
        const column = { value, label: label ?? value, count, sum };
        if (count === 0) return { ...column, cards: [], cursor: null };
        const before = shown.current.find((one) => one.value === value)?.cards.length ?? 0;
        const rows = await cardsOf(value, { size: Math.min(MAX_RECORDS, Math.max(STEP, before)) }, stop.signal);
        return { ...column, cards: rows.data, cursor: rows.cursor ?? null };
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
              return held
                ? one
                : { ...one, count: one.count + 1, cards: [{ ...moved, [name]: valueIn(field, to) }, ...one.cards] };
            return held ? { ...one, count: one.count - 1, cards: one.cards.filter(({ id }) => id !== moved.id) } : one;
          }) ?? null,
      ),
    [field, name],
  );

  return { columns, error, refresh, more, put };
}
