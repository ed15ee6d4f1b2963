import type { ImportMode, ImportRun } from './run_calls.ts';

/** The state of an import, from choosing a file to its end. */
export type ImportState =
  | { step: 'choose'; file: File | null; mode: ImportMode; problem: string | null }
  | { step: 'upload'; file: File; mode: ImportMode; part: number }
  | { step: 'run'; file: File; mode: ImportMode; run: ImportRun }
  | { step: 'columns'; file: File; mode: ImportMode; run: ImportRun; problem: string | null }
  | { step: 'checked' | 'finished'; file: File; mode: ImportMode; run: ImportRun };

export type ImportEvent =
  | { type: 'file'; file: File | null }
  | { type: 'mode'; mode: ImportMode }
  | { type: 'upload' }
  | { type: 'progress'; part: number }
  | { type: 'run'; run: ImportRun }
  | { type: 'columns'; run: ImportRun; problem: string | null }
  | { type: 'failed'; message: string }
  | { type: 'again' };

export const startState: ImportState = { step: 'choose', file: null, mode: 'all_or_nothing', problem: null };

/** Why a file cannot be imported; null if it can be tried. The server checks the size limit, which is a setting. */
export function fileProblem(file: File): string | null {
  if (/\.(xlsm|xlsb|xltm)$/i.test(file.name))
    return 'Workbooks with macros and binary workbooks are not accepted. Save it as .xlsx.';
  if (!/\.(xlsx|xls|csv|txt|ods)$/i.test(file.name)) return 'Choose an Excel file (.xlsx).';
  if (file.size === 0) return 'The file is empty.';
  return null;
}

/** Whether the checked rows may be written. */
export function canCommit(run: ImportRun, mode: ImportMode): boolean {
  const work = run.insert + run.update;
  return run.state === 'checked' && work > 0 && (run.error_count === 0 || mode === 'good_rows');
}

export function nextImportState(state: ImportState, event: ImportEvent): ImportState {
  switch (event.type) {
    case 'file': {
      if (state.step !== 'choose') return state;
      const problem = event.file ? fileProblem(event.file) : null;
      return { ...state, file: problem ? null : event.file, problem };
    }
    case 'mode':
      return state.step === 'choose' ? { ...state, mode: event.mode } : state;
    case 'upload':
      return state.step === 'choose' && state.file
        ? { step: 'upload', file: state.file, mode: state.mode, part: 0 }
        : state;
    case 'progress':
      return state.step === 'upload' ? { ...state, part: event.part } : state;
    case 'run': {
      const { file, mode } = state;
      if (!file) return state;
      const { run } = event;
      if (run.state === 'columns') return { step: 'columns', file, mode, run, problem: null };
      if (run.state === 'checked') return { step: 'checked', file, mode, run };
      if (['imported', 'failed', 'cancelled', 'interrupted'].includes(run.state))
        return { step: 'finished', file, mode, run };
      return { step: 'run', file, mode, run };
    }
    case 'columns': {
      const { file, mode } = state;
      return file ? { step: 'columns', file, mode, run: event.run, problem: event.problem } : state;
    }
    case 'failed':
      return { step: 'choose', file: state.file, mode: state.mode, problem: event.message };
    case 'again':
      return { step: 'choose', file: null, mode: state.mode, problem: null };
  }
}
