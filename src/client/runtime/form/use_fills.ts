import { useEffect } from 'react';
import { watchedBy } from '../../../descriptor/fills.ts';
import { api } from '../../api/http.ts';
import type { FieldHost } from '../fields/widget.ts';
import type { FormStore } from './form_store.ts';
import type { Values } from './values.ts';
import { isEmpty, typedPayload } from './values.ts';

/** So long nothing is typed before the server is asked. */
const PAUSE_MS = 300;

/** Has the server fill in what functions of modules fill in, while somebody types. A save waits for the answer. */
export function useFills(host: FieldHost, store: FormStore, id: string | undefined): void {
  const { screen } = store;
  useEffect(() => {
    const { fills } = screen;
    if (!fills) return;
    let seen = watchedBy(fills, store.values());
    let turn = 0;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let ended: (() => void) | undefined;

    const ask = async (own: number) => {
      const values = typedPayload(screen, store.values());
      try {
        const { data } = await api.post<{ data: Values }>(
          `/tapi/${screen.name}/fill`,
          { ...(id !== undefined && { id: Number(id) }), values },
          { quiet: true },
        );
        // What depends on it has changed since: the next answer counts.
        if (own !== turn) return;
        store.set(withFilled(store.values(), data));
        seen = watchedBy(fills, store.values());
      } catch {
        // Saving fills in what could not be shown.
      }
    };
    const start = () => {
      const own = ++turn;
      clearTimeout(timer);
      ended?.();
      const wait = new Promise<void>((resolve) => {
        ended = resolve;
      });
      host.awaited?.add(wait);
      void wait.then(() => host.awaited?.delete(wait));
      const done = ended!;
      timer = setTimeout(() => void ask(own).finally(done), PAUSE_MS);
    };
    const leave = store.subscribe(() => {
      const now = watchedBy(fills, store.values());
      if (now === seen) return;
      seen = now;
      start();
    });
    // What a new record begins with may fill others already.
    const begun = fills.flatMap(({ on }) => on).some((name) => !isEmpty(store.values()[name.split('.')[0]!]));
    if (id === undefined && begun) start();
    return () => {
      leave();
      turn++;
      clearTimeout(timer);
      ended?.();
    };
  }, [screen, store, host, id]);
}

/** What was filled in as a change of the form: of rows as long as they are the same in number. */
function withFilled(values: Values, filled: Values): Values {
  const patch: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(filled)) {
    const rows = values[name];
    if (!Array.isArray(value) || !Array.isArray(rows)) patch[name] = value;
    else if (rows.length === value.length)
      patch[name] = (rows as Values[]).map((row, at) => {
        const given = value[at] as Values;
        return Object.keys(given).every((column) => row[column] === given[column]) ? row : { ...row, ...given };
      });
  }
  return patch;
}
