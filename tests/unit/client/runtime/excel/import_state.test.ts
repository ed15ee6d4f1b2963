import { describe, expect, it } from 'vitest';
import type { ImportState } from '../../../../../src/client/runtime/excel/import_state.ts';
import {
  canCommit,
  fileProblem,
  nextImportState,
  startState,
} from '../../../../../src/client/runtime/excel/import_state.ts';
import type { ImportRun } from '../../../../../src/client/runtime/excel/run_calls.ts';

const run = (state: ImportRun['state'], more: Partial<ImportRun> = {}): ImportRun => ({
  id: 5,
  state,
  done: 0,
  total: 10,
  insert: 8,
  update: 2,
  unchanged: 0,
  errors: [],
  error_count: 0,
  ...more,
});
const file = (name: string, size = 10) => Object.defineProperty(new File(['x'], name), 'size', { value: size });

describe('an import', () => {
  it('goes from the file through the dry run to the result', () => {
    const steps: string[] = [];
    let state: ImportState = startState;
    for (const event of [
      { type: 'file', file: file('a.xlsx') },
      { type: 'upload' },
      { type: 'progress', part: 0.5 },
      { type: 'run', run: run('checking', { done: 4 }) },
      { type: 'run', run: run('checked') },
      { type: 'run', run: run('writing') },
      { type: 'run', run: run('imported') },
    ] as const) {
      state = nextImportState(state, event);
      steps.push(state.step);
    }
    expect(steps).toEqual(['choose', 'upload', 'upload', 'run', 'checked', 'run', 'finished']);
  });

  it('keeps the file after a failure, and replaces it by another', () => {
    const chosen = nextImportState(startState, { type: 'file', file: file('a.xlsx') });
    const failed = nextImportState(nextImportState(chosen, { type: 'upload' }), {
      type: 'failed',
      message: 'Too large.',
    });
    expect(failed).toMatchObject({ step: 'choose', problem: 'Too large.', file: { name: 'a.xlsx' } });
    expect(nextImportState(failed, { type: 'again' })).toEqual(startState);
  });

  it('refuses unreadable files', () => {
    expect(fileProblem(file('a.xlsx'))).toBeNull();
    expect(fileProblem(file('a.xlsm'))).toContain('macros');
    expect(fileProblem(file('a.pdf'))).toContain('.xlsx');
    expect(fileProblem(file('a.xlsx', 0))).toContain('empty');
    // How much is too much is a setting of the client.
    expect(fileProblem(file('a.xlsx', 26 * 1024 * 1024))).toBeNull();
    expect(nextImportState(startState, { type: 'file', file: file('a.pdf') })).toMatchObject({ file: null });
  });

  it('is written only if there is a valid row', () => {
    expect(canCommit(run('checked'), 'all_or_nothing')).toBe(true);
    expect(canCommit(run('checked', { error_count: 1 }), 'all_or_nothing')).toBe(false);
    expect(canCommit(run('checked', { error_count: 1 }), 'good_rows')).toBe(true);
    expect(canCommit(run('checked', { insert: 0, update: 0 }), 'good_rows')).toBe(false);
    expect(canCommit(run('checking'), 'good_rows')).toBe(false);
  });
});
