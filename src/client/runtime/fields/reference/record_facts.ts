import { useEffect, useState } from 'react';
import { fieldType } from '../../../../descriptor/fieldtypes/registry.ts';
import type { Screen, WireRecord } from '../../../../descriptor/types.ts';
import { ApiError, api } from '../../../api/http.ts';
import { loadScreen } from '../../../api/screens.ts';

export interface RecordFacts {
  screen: Screen;
  record: WireRecord;
}

const fresh = 30_000;
/** A name may be read by people who may not open its record. */
const OUT_OF_SIGHT = 'You do not have access to this record, or it no longer exists.';
const known = new Map<string, { at: number; facts: Promise<RecordFacts | null> }>();

function load(type: string, id: number): Promise<RecordFacts | null> {
  const key = `${type} ${id}`;
  const kept = known.get(key);
  if (kept && Date.now() - kept.at < fresh) return kept.facts;
  const facts = Promise.all([
    loadScreen(type),
    api.get<{ data: WireRecord | null }>(`/tapi/${type}/${id}/facts`, undefined, { quiet: true }),
  ]).then(([{ screen }, { data }]) => data && { screen, record: data });
  facts.catch(() => known.delete(key));
  known.set(key, { at: Date.now(), facts });
  return facts;
}

/** After a change in the panel, the next display reloads. */
export function forgetFacts(type: string, id: number): void {
  known.delete(`${type} ${id}`);
}

/** A record with its screen, for display in another form. */
export function useRecordFacts(
  type: string,
  id: number,
  turn = 0,
): { facts: RecordFacts | null; error: string | null } {
  const [state, setState] = useState<{ facts: RecordFacts | null; error: string | null }>({ facts: null, error: null });
  useEffect(() => {
    let gone = false;
    load(type, id)
      .then((facts) => !gone && setState({ facts, error: facts === null ? OUT_OF_SIGHT : null }))
      .catch((thrown: unknown) => {
        if (!gone)
          setState({
            facts: null,
            error: thrown instanceof ApiError ? thrown.message : 'This record could not be loaded.',
          });
      });
    return () => {
      gone = true;
    };
  }, [type, id, turn]);
  return state;
}

/** A record's name in titles: its first non-empty label field. */
export function recordTitle(screen: Screen, record: Readonly<Record<string, unknown>>): string {
  for (const name of screen.label) {
    const field = screen.fields.find((one) => one.name === name);
    const beside = record[`${name}__label`];
    const text = typeof beside === 'string' ? beside : field ? fieldType(field.type).format(record[name], field) : '';
    if (text !== '') return text;
  }
  return typeof record.id === 'number' && record.id > 0 ? `${screen.title} ${record.id}` : screen.title;
}
