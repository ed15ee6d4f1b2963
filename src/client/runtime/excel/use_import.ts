import { useCallback, useEffect, useReducer, useRef } from 'react';
import { api } from '../../api/http.ts';
import type { ImportState } from './import_state.ts';
import { nextImportState, startState } from './import_state.ts';
import type { ColumnsSaid, ImportMode, ImportRun } from './run_calls.ts';
import { withChoices } from './column_choices.ts';
import { cancelRun, followRun, sayColumns, startImport } from './run_calls.ts';

const resting = ['columns', 'checked', 'imported', 'failed', 'cancelled', 'interrupted'] as const;

export interface Import {
  state: ImportState;
  choose: (file: File | null) => void;
  setMode: (mode: ImportMode) => void;
  check: () => void;
  /** Shows the column assignment for editing. */
  changeColumns: () => void;
  sayColumns: (said: ColumnsSaid) => void;
  commit: () => void;
  cancel: () => void;
  again: () => void;
}

/**
 * Runs an import: upload, dry run, and after confirmation the writing. Leaving the page cancels an import that is only
 * being checked.
 */
export function useImport(type: string, imported: () => void): Import {
  const [state, send] = useReducer(nextImportState, startState);
  const stop = useRef<AbortController | null>(null);
  const run = 'run' in state ? state.run : null;

  useEffect(() => () => stop.current?.abort(), []);

  const fail = useCallback((thrown: unknown, signal: AbortSignal) => {
    if (signal.aborted) return;
    send({ type: 'failed', message: thrown instanceof Error ? thrown.message : 'The file could not be imported.' });
  }, []);

  const follow = useCallback(
    async (id: number, signal: AbortSignal) => {
      const end = await followRun<ImportRun>(`/tapi/import/${id}`, resting, signal, (seen) =>
        send({ type: 'run', run: seen }),
      );
      if (end.state === 'imported') imported();
    },
    [imported],
  );

  const check = () => {
    if (state.step !== 'choose' || !state.file) return;
    const control = new AbortController();
    stop.current = control;
    send({ type: 'upload' });
    startImport(type, state.file, state.mode, (part) => send({ type: 'progress', part }), control.signal)
      .then((id) => follow(id, control.signal))
      .catch((thrown: unknown) => fail(thrown, control.signal));
  };
  const say = (said: ColumnsSaid) => {
    if (!run) return;
    const control = new AbortController();
    stop.current = control;
    send({ type: 'run', run: { ...run, state: 'reading', done: 0, total: 0 } });
    sayColumns(run.id, said)
      .then(() => follow(run.id, control.signal))
      .catch((thrown: unknown) => {
        if (control.signal.aborted) return;
        const problem = thrown instanceof Error ? thrown.message : 'The columns could not be read.';
        const columns = run.columns && withChoices(run.columns, said.columns ?? []);
        send({ type: 'columns', run: { ...run, columns: columns ?? null }, problem });
      });
  };
  const commit = () => {
    if (!run) return;
    const control = new AbortController();
    stop.current = control;
    send({ type: 'run', run: { ...run, state: 'writing', done: 0 } });
    api
      .post(`/tapi/import/${run.id}/commit`, run.before ? { again: true } : undefined, { quiet: true })
      .then(() => follow(run.id, control.signal))
      .catch((thrown: unknown) => fail(thrown, control.signal));
  };
  const cancel = () => {
    if (state.step === 'upload') {
      stop.current?.abort();
      send({ type: 'again' });
    } else if (run) {
      // Where it ended while the word was on its way, the next answer says so.
      cancelRun('import', run.id).catch(() => undefined);
    }
  };
  return {
    state,
    choose: (file) => send({ type: 'file', file }),
    setMode: (mode) => send({ type: 'mode', mode }),
    check,
    changeColumns: () => run && send({ type: 'columns', run, problem: null }),
    sayColumns: say,
    commit,
    cancel,
    again: () => send({ type: 'again' }),
  };
}
