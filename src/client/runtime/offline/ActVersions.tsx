import { Fragment, useEffect, useState } from 'react';
import { formatValue } from '../../../descriptor/format.ts';
import type { Screen, WireRecord } from '../../../descriptor/types.ts';
import { api } from '../../api/http.ts';
import { enteredValues } from './edited_act.ts';
import styles from './outbox.module.css';

/** A refused action, from this device or stored on the server. */
export interface ShownAct {
  type: string;
  id?: number | null;
  do: string;
  input: Record<string, unknown>;
}

/** The entered values beside the current record: for a conflict only the fields that others changed, otherwise all. */
export function ActVersions({
  act: { type, id, do: name, input },
  theirs,
  screen,
  whose,
}: {
  act: ShownAct;
  theirs: Record<string, unknown>;
  screen: Screen | null;
  /** Over what was entered. */
  whose: string;
}) {
  const [now, setNow] = useState<WireRecord | null>(null);
  useEffect(() => {
    if (typeof id !== 'number') return;
    const stop = new AbortController();
    api
      .get<{ data: WireRecord }>(`/tapi/${type}/${id}`, undefined, { quiet: true, signal: stop.signal })
      .then(({ data }) => setNow(data))
      // The record was deleted, or is no longer visible: only the entered values are shown.
      .catch(() => undefined);
    return () => stop.abort();
  }, [type, id]);
  const fieldOf = (field: string) => screen?.fields.find((one) => one.name === field);
  const shown = (field: string, value: unknown, label?: unknown) => {
    if (typeof label === 'string') return label;
    const known = fieldOf(field);
    if (value === null || value === undefined) return 'Empty';
    if (Array.isArray(value)) return value.length === 1 ? '1 row' : `${value.length} rows`;
    if (typeof value === 'string' && value.startsWith('sha256:')) return 'A file on this device';
    return known ? formatValue(known, value, {}) : String(value);
  };
  const entered = enteredValues({ do: name, input });
  const isConflict = Object.keys(theirs).length > 0;
  const rows = Object.entries(entered).filter(([field]) => !isConflict || field in theirs);
  const state = screen?.workflow?.field;
  return (
    <>
      {!isConflict && now && state !== undefined && <p>The record is now: {shown(state, now[state])}.</p>}
      {rows.length > 0 && (
        <div className={styles.versions}>
          <span>Field</span>
          <span>{whose}</span>
          <span>Now</span>
          {rows.map(([field, value]) => (
            <Fragment key={field}>
              <span>{fieldOf(field)?.title ?? field}</span>
              <span>{shown(field, value)}</span>
              <span>
                {isConflict ? shown(field, theirs[field]) : now ? shown(field, now[field], now[`${field}__label`]) : ''}
              </span>
            </Fragment>
          ))}
        </div>
      )}
    </>
  );
}
