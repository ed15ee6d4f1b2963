import { useEffect } from 'react';
import { filledNames, watchedBy } from '../../../descriptor/fills.ts';
import { ApiError, api } from '../../api/http.ts';
import type { FieldHost } from '../fields/widget.ts';
import type { FormStore } from './form_store.ts';
import type { Values } from './values.ts';
import { isEmpty, typedPayload } from './values.ts';

/** The pause in typing before the server is asked. */
const PAUSE_MS = 300;

/** Has the server run the fills of modules while somebody types. A save waits for the result. */
export function useFills(host: FieldHost, store: FormStore, id: string | undefined): void {
  const { screen } = store;
  useEffect(() => {
    const { fills } = screen;
    if (!fills) return;
    let seen = watchedBy(fills, store.values());
    let turn = 0;
    // What a fill sets asks for no further one.
    let filling = false;
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
        store.filledLater(new Set());
        // Its inputs have changed since: the next result counts.
        if (own !== turn) return;
        filling = true;
        store.set(withFilled(store.values(), data));
        filling = false;
        seen = watchedBy(fills, store.values());
      } catch (error) {
        // Saving runs the fills that could not be shown; a record kept on the device is saved by the server later.
        if (error instanceof ApiError && error.status === 0 && screen.offline?.does.includes('create'))
          store.filledLater(new Set(filledNames(screen)));
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
      if (filling || now === seen) return;
      seen = now;
      start();
    });
    // The initial values of a new record may already trigger fills.
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

/** The filled values as a change of the form: for rows only if their number is unchanged. */
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
