import { useCallback, useEffect, useState } from 'react';
import type { FilterExpression, WireRecord } from '../../../descriptor/types.ts';
import { api } from '../../api/http.ts';
import { useLiveRecords } from '../../runtime/landing/use_rows.ts';

/** A record that the page shows facts of; null until it is read, and where it may not be seen. Without a network the one on this device. */
export function useKept(type: string, id: unknown): WireRecord | null {
  const [record, setRecord] = useState<WireRecord | null>(null);
  useEffect(() => {
    if (typeof id !== 'number') return;
    const stop = new AbortController();
    api
      .get<{ data: WireRecord }>(`/tapi/${type}/${id}`, undefined, { quiet: true, signal: stop.signal })
      .then(({ data }) => setRecord(data))
      .catch(() => undefined);
    return () => stop.abort();
  }, [type, id]);
  return record;
}

/** Records of a list that the page chooses from; null until they are read. Without a network those on this device. `turn`: another one reads them again. */
export function useKeptList(
  type: string,
  filter: FilterExpression | null,
  sort = 'id',
  size = 200,
  turn = '',
): WireRecord[] | null {
  const [rows, setRows] = useState<WireRecord[] | null>(null);
  const asked = JSON.stringify(filter);
  const [changes, setChanges] = useState(0);
  const again = useCallback(() => setChanges((old) => old + 1), []);
  useLiveRecords(type, again);
  useEffect(() => {
    if (asked === 'null') return;
    const stop = new AbortController();
    api
      .get<{ data: WireRecord[] }>(
        `/tapi/${type}`,
        { filter: asked, sort, size: String(size), columns: '*' },
        { quiet: true, signal: stop.signal },
      )
      .then(({ data }) => setRows(data))
      .catch(() => !stop.signal.aborted && setRows((old) => old ?? []));
    return () => stop.abort();
  }, [type, asked, sort, size, turn, changes]);
  return rows;
}
