import { useCallback, useEffect, useEffectEvent, useState } from 'react';
import { defaultLooksAt } from '../../../descriptor/default_values.ts';
import type { Field, Screen, WireRecord } from '../../../descriptor/types.ts';
import { ApiError, api } from '../../api/http.ts';
import type { Values } from './values.ts';
import { newRecord } from './values.ts';

export interface RecordSource {
  /** Absent: a new record. */
  id?: string | undefined;
  /** Values of a new record besides its defaults. */
  preset?: Values | undefined;
  /** A new record like this one. */
  copyOf?: string | undefined;
  /** A new record created from another: "<type>/<id>", and the name of the make. */
  from?: { source: string; make: string } | undefined;
  /** A settings screen's one record. */
  single?: boolean | undefined;
}

export interface LoadedRecord {
  /** The stored values, or a new record's defaults. */
  base: Values;
  /** The initial differences: a copy, not saved yet. */
  start: Values;
}

/** Loads the initial values of a form. */
export function useRecord(
  screen: Screen,
  { id, preset, copyOf, from, single }: RecordSource,
): { loaded: LoadedRecord | null; error: unknown; retry: () => void; refresh: () => void } {
  const [state, setState] = useState<{ loaded: LoadedRecord | null; error: unknown }>(() => {
    if (id !== undefined || copyOf !== undefined || from || single || asksServer(screen))
      return { loaded: null, error: null };
    const base = newRecord(screen, preset);
    return { loaded: { base, start: base }, error: null };
  });
  const [turn, setTurn] = useState(0);
  // Typed values survive a changed descriptor or preset: these do not reload.
  const read = useEffectEvent(() => {
    const blank = id === undefined && copyOf === undefined && !from && !single;
    if (blank && !asksServer(screen)) return;
    const stop = new AbortController();
    const path = single
      ? `/tapi/${screen.name}/single`
      : id !== undefined
        ? `/tapi/${screen.name}/${id}`
        : from
          ? `/tapi/${screen.name}/new?from=${encodeURIComponent(from.source)}&make=${encodeURIComponent(from.make)}`
          : blank
            ? `/tapi/${screen.name}/new`
            : `/tapi/${screen.name}/${copyOf}/copy`;
    api
      .get<{ data: WireRecord }>(path, undefined, { quiet: true, signal: stop.signal })
      .then(({ data }) => {
        if (id !== undefined || single) {
          setState({ loaded: { base: data, start: data }, error: null });
          return;
        }
        if (blank) {
          const base = { ...newRecord(screen), ...data, ...preset };
          setState({ loaded: { base, start: base }, error: null });
          return;
        }
        const base = newRecord(screen, preset);
        const { id: _id, version: _version, active: _active, ...values } = data as Record<string, unknown>;
        setState({ loaded: { base, start: { ...base, ...values } }, error: null });
      })
      .catch((thrown: unknown) => {
        // Created without a network, with the initial values known here.
        const base = blank && thrown instanceof ApiError && thrown.status === 0 && newRecord(screen, preset);
        if (base && screen.offline?.does.includes('create')) setState({ loaded: { base, start: base }, error: null });
        else if (!stop.signal.aborted)
          setState({
            loaded: null,
            error: thrown instanceof ApiError ? thrown : new Error('The record could not be loaded.'),
          });
      });
    return () => stop.abort();
  });
  useEffect(() => read(), [screen.name, id, copyOf, from?.source, from?.make, single, turn]);
  const retry = useCallback(() => {
    setState({ loaded: null, error: null });
    setTurn((old) => old + 1);
  }, []);
  /** Reloads without hiding the current content. */
  const refresh = useCallback(() => setTurn((old) => old + 1), []);
  return { ...state, retry, refresh };
}

/** Whether initial values of new records need the server: values of the company or the branch, and visibility. */
function asksServer(screen: Screen): boolean {
  const isAsked = (field: Field): boolean =>
    field.visible !== undefined || defaultLooksAt(field) === 'place' || field.rows?.some(isAsked) === true;
  return screen.fields.some(isAsked);
}
