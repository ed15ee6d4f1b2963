import { useCallback, useEffect, useState } from 'react';
import type { FilterExpression, WireRecord } from '../../../descriptor/types.ts';
import { api } from '../../api/http.ts';
import { useLiveRecords } from '../../runtime/landing/use_rows.ts';

/** A record for the page's facts; null until it is loaded, or if it is not visible. Offline, this device's copy. */
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
  return record?.id === id ? record : null;
}

/**
 * The records of a list for a choice on the page; null until they are loaded. Offline, this device's copies. A new
 * `turn` reloads them.
 */
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
