import { useCallback, useEffect, useState } from 'react';
import type { Screen, WireRecord } from '../../../descriptor/types.ts';
import { ApiError } from '../../api/http.ts';
import { useLiveRecords } from '../landing/use_rows.ts';
import { wholeRecord } from './use_move.tsx';

/**
 * A record with all its fields, reloaded when somebody changes it; null until it is loaded. `show`: shows the result of
 * a save before it is reloaded.
 */
export function useLiveRecord(screen: Screen, id: number) {
  const [record, setRecord] = useState<WireRecord | null>(null);
  const [error, setError] = useState<ApiError | null>(null);
  const [turn, setTurn] = useState(0);
  const reload = useCallback(() => setTurn((old) => old + 1), []);
  useLiveRecords(screen.name, reload);
  useEffect(() => {
    let gone = false;
    wholeRecord(screen, { id })
      .then((whole) => {
        if (gone) return;
        setRecord(whole);
        setError(null);
      })
      .catch((thrown: unknown) => {
        if (!(thrown instanceof ApiError)) throw thrown;
        if (!gone) setError(thrown);
      });
    return () => {
      gone = true;
    };
  }, [screen, id, turn]);
  return { record, error, reload, show: setRecord };
}
