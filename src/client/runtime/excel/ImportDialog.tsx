import { formatNumber, formatMoment } from '../../../descriptor/format.ts';
import {
  Button,
  Dialog,
  DialogActions,
  DialogBody,
  DialogContent,
  DialogSurface,
  DialogTitle,
  Field,
  MessageBar,
  MessageBarBody,
  ProgressBar,
  Radio,
  RadioGroup,
} from '@fluentui/react-components';
import { ArrowDownloadRegular, DocumentArrowUpRegular, DocumentTableRegular } from '@fluentui/react-icons';
import { useRef, useState } from 'react';
import type { Screen } from '../../../descriptor/types.ts';
import { api } from '../../api/http.ts';
import { confirmDialog, toast } from '../../app/feedback.ts';
import { TableHead } from '../../app/table_head.tsx';
import { chosenText, choicesToSend, firstChoices, isUnclear } from './column_choices.ts';
import type { Choices, FoundColumns } from './column_choices.ts';
import styles from './excel.module.css';
import { ImportColumns } from './ImportColumns.tsx';
import type { ImportState } from './import_state.ts';
import { canCommit } from './import_state.ts';
import type { ImportMode, ImportRun } from './run_calls.ts';
import { downloadTemplate, undoImport } from './run_calls.ts';
import { useImport } from './use_import.ts';
import UnknownRecords from './UnknownRecords.tsx';

/** From a workbook to records: the result is shown first, and nothing is saved before the person confirms. */
export default function ImportDialog({
  screen,
  onClose,
  onImported,
}: {
  screen: Screen;
  onClose: () => void;
  /** Records were written: the list must be reloaded. */
  onImported: () => void;
}) {
  const job = useImport(screen.name, onImported);
  const { state } = job;
  const busy = state.step === 'upload' || state.step === 'run';
  const commit = async ({ before }: ImportRun) => {
    if (
      before &&
      !(await confirmDialog({ title: 'Import this file again?', text: beforeText(before), confirmLabel: 'Yes' }))
    )
      return;
    job.commit();
  };
  const found = state.step === 'columns' ? (state.run.columns ?? null) : null;
  // Choices are valid only for the columns they were made for.
  const [draft, setDraft] = useState<{ found: FoundColumns; choices: Choices } | null>(null);
  const choices =
    draft !== null && draft.found === found ? draft.choices : found ? firstChoices(found) : new Map<string, null>();
  const [undoing, setUndoing] = useState(false);
  const undo = async (run: ImportRun) => {
    if (
      undoing ||
      !(await confirmDialog({
        title: 'Undo this import?',
        text: 'Added records were removed, changed records were restored.',
        confirmLabel: 'Undo',
        danger: true,
      }))
    )
      return;
    setUndoing(true);
    try {
      const { removed, restored } = await undoImport(run.id);
      toast.success(`Undone: ${formatNumber(removed)} removed, ${formatNumber(restored)} restored.`);
      onImported();
      onClose();
    } catch {
      // The call has shown why.
      setUndoing(false);
    }
  };
  return (
    <Dialog open modalType={busy ? 'alert' : 'modal'} onOpenChange={(_, { open }) => !open && !busy && onClose()}>
      <DialogSurface className={styles.dialog}>
        <DialogBody>
          <DialogTitle>Import {lower(screen.plural)}</DialogTitle>
          <DialogContent className={styles.content}>
            {state.step === 'choose' && (
              <Choose screen={screen} state={state} onFile={job.choose} onMode={job.setMode} />
            )}
            {state.step === 'upload' && <Bar text={`Sending ${state.file.name}`} part={state.part} />}
            {state.step === 'run' && <RunBar run={state.run} />}
            {state.step === 'columns' && found && (
              <ImportColumns
                found={found}
                choices={choices}
                problem={state.problem}
                onChoices={(chosen) => setDraft({ found, choices: chosen })}
                onSheet={(sheet) => job.sayColumns({ sheet })}
                onReset={() => job.sayColumns({ reset: true })}
              />
            )}
            {state.step === 'checked' && (
              <Checked
                run={state.run}
                mode={state.mode}
                onChange={job.changeColumns}
                onReset={() => job.sayColumns({ reset: true })}
                onAgain={() => job.sayColumns({})}
              />
            )}
            {state.step === 'finished' && <Finished run={state.run} />}
          </DialogContent>
          <DialogActions>
            {busy && <Button onClick={job.cancel}>Cancel the import</Button>}
            {state.step === 'choose' && (
              <>
                <Button onClick={onClose}>Cancel</Button>
                <Button appearance="primary" disabled={!state.file} onClick={job.check}>
                  Check the file
                </Button>
              </>
            )}
            {state.step === 'columns' && found && (
              <>
                <Button onClick={job.again}>Choose another file</Button>
                <Button
                  appearance="primary"
                  disabled={[...choices.values()].every((field) => field === null)}
                  onClick={() =>
                    job.sayColumns({
                      ...(found.sheets.length > 1 && { sheet: found.sheet }),
                      columns: choicesToSend(found, choices),
                    })
                  }
                >
                  Check the file
                </Button>
              </>
            )}
            {state.step === 'checked' && (
              <>
                <Button onClick={job.again}>Choose another file</Button>
                <Button
                  appearance="primary"
                  disabled={!canCommit(state.run, state.mode)}
                  onClick={() => void commit(state.run)}
                >
                  Import {rowsText(state.run.insert + state.run.update)}
                </Button>
              </>
            )}
            {state.step === 'finished' && (
              <>
                {state.run.state === 'imported' && (
                  <Button disabledFocusable={undoing} onClick={() => void undo(state.run)}>
                    Undo
                  </Button>
                )}
                <Button onClick={job.again}>Import another file</Button>
                <Button appearance="primary" onClick={onClose}>
                  {state.run.state === 'imported' ? `View ${lower(screen.plural)}` : 'Close'}
                </Button>
              </>
            )}
          </DialogActions>
        </DialogBody>
      </DialogSurface>
    </Dialog>
  );
}

/** "This file was imported on 21-11-2026, 10:05 by Asha Rao." */
function beforeText({ at, by }: NonNullable<ImportRun['before']>): string {
  return `This file was imported on ${formatMoment(at)} by ${by}.`;
}

function lower(text: string): string {
  return /^[A-Z][a-z]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}

function Choose({
  screen,
  state,
  onFile,
  onMode,
}: {
  screen: Screen;
  state: Extract<ImportState, { step: 'choose' }>;
  onFile: (file: File | null) => void;
  onMode: (mode: ImportMode) => void;
}) {
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  return (
    <>
      <p className={styles.lead}>
        The first row names the columns. Rows whose key exists already change that record, the others are added.{' '}
        <button
          type="button"
          className={styles.link}
          onClick={() => void downloadTemplate(screen.name).catch(() => undefined)}
        >
          <ArrowDownloadRegular aria-hidden /> Download the template
        </button>
      </p>
      <button
        type="button"
        className={styles.drop}
        data-over={over ? '' : undefined}
        onClick={() => input.current?.click()}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          onFile(event.dataTransfer.files[0] ?? null);
        }}
      >
        {state.file ? <DocumentTableRegular aria-hidden /> : <DocumentArrowUpRegular aria-hidden />}
        <b>{state.file ? state.file.name : 'Drop an Excel file here, or choose one'}</b>
        <span>{state.file ? sizeText(state.file.size) : '.xlsx'}</span>
      </button>
      <input
        ref={input}
        type="file"
        hidden
        aria-label="Excel file"
        accept=".xlsx,.xls,.csv,.txt,.ods"
        onChange={(event) => {
          onFile(event.target.files?.[0] ?? null);
          // The same file, corrected, can be chosen again.
          event.target.value = '';
        }}
      />
      {state.problem && (
        <MessageBar intent="error">
          <MessageBarBody>{state.problem}</MessageBarBody>
        </MessageBar>
      )}
      <Field label="If some rows are wrong">
        <RadioGroup value={state.mode} onChange={(_, { value }) => onMode(value as ImportMode)}>
          <Radio value="all_or_nothing" label="Import nothing until all rows are valid" />
          <Radio value="good_rows" label="Import the right ones, leave out the others" />
        </RadioGroup>
      </Field>
    </>
  );
}

function sizeText(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`;
  if (bytes < 1024 * 1024) return `${Math.round(bytes / 1024)} kB`;
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}

function rowsText(count: number): string {
  return count === 1 ? '1 row' : `${formatNumber(count)} rows`;
}

function Bar({ text, part }: { text: string; part?: number | undefined }) {
  return (
    <Field validationMessage={text} validationState="none">
      <ProgressBar {...(part !== undefined && { value: part })} aria-label={text} thickness="large" />
    </Field>
  );
}

const verbs: Partial<Record<ImportRun['state'], string>> = {
  reading: 'Reading the file',
  checking: 'Checking',
  writing: 'Importing',
};

function RunBar({ run }: { run: ImportRun }) {
  const verb = verbs[run.state] ?? 'Working';
  const text = run.total > 0 ? `${verb}: ${formatNumber(run.done)} of ${formatNumber(run.total)} rows` : `${verb}…`;
  return <Bar text={text} part={run.total > 0 ? run.done / run.total : undefined} />;
}

function Counts({ run, past }: { run: ImportRun; past: boolean }) {
  const facts: [string, number][] = [
    [past ? 'Added' : 'New', run.insert],
    [past ? 'Changed' : 'To change', run.update],
    ['Unchanged', run.unchanged],
    ['Errors', run.error_count],
  ];
  return (
    <dl className={styles.counts}>
      {facts.map(([label, value]) => (
        <div key={label} data-bad={label === 'Errors' && value > 0 ? '' : undefined}>
          <dt>{label}</dt>
          <dd>{formatNumber(value)}</dd>
        </div>
      ))}
    </dl>
  );
}

function Checked({
  run,
  mode,
  onChange,
  onReset,
  onAgain,
}: {
  run: ImportRun;
  mode: ImportMode;
  onChange: () => void;
  onReset: () => void;
  onAgain: () => void;
}) {
  const found = run.columns;
  const work = run.insert + run.update;
  const bad = run.error_count > 0;
  return (
    <>
      <Counts run={run} past={false} />
      {run.before && (
        <MessageBar intent="warning">
          <MessageBarBody>{beforeText(run.before)}</MessageBarBody>
        </MessageBar>
      )}
      {found && (found.columns.some(isUnclear) || found.sheets.length > 1) && (
        <p className={styles.lead}>
          {found.remembered && 'As you chose last time: '}
          {chosenText(found)}{' '}
          <button type="button" className={styles.link} onClick={onChange}>
            Change the columns
          </button>{' '}
          {found.remembered && (
            <button type="button" className={styles.link} onClick={onReset}>
              Reset
            </button>
          )}
        </p>
      )}
      {run.notices?.map((notice) => (
        <MessageBar key={notice} intent="warning" layout="multiline">
          <MessageBarBody>{notice}</MessageBarBody>
        </MessageBar>
      ))}
      {!bad && work > 0 && <p className={styles.lead}>No errors found. Nothing has been saved yet.</p>}
      {!bad && work === 0 && (
        <p className={styles.lead}>The file contains no changes: every row matches the stored record.</p>
      )}
      {bad && (
        <MessageBar intent={mode === 'good_rows' && work > 0 ? 'warning' : 'error'}>
          <MessageBarBody>
            {mode === 'good_rows' && work > 0
              ? 'The rows below will be left out.'
              : 'Nothing can be imported yet. Correct the rows below in your file and choose it again.'}
          </MessageBarBody>
        </MessageBar>
      )}
      <UnknownRecords run={run} onAgain={onAgain} />
      <Errors run={run} />
    </>
  );
}

function Finished({ run }: { run: ImportRun }) {
  const good = run.state === 'imported';
  return (
    <>
      <MessageBar intent={good ? 'success' : run.state === 'cancelled' ? 'warning' : 'error'}>
        <MessageBarBody>
          {good
            ? `${rowsText(run.insert + run.update)} imported.`
            : run.state === 'cancelled'
              ? 'The import was cancelled. Nothing was saved.'
              : (run.message ?? 'The import failed. Nothing was saved.')}
        </MessageBarBody>
      </MessageBar>
      {good && <Counts run={run} past />}
      <Errors run={run} />
    </>
  );
}

const shownErrors = 200;

function Errors({ run }: { run: ImportRun }) {
  if (run.errors.length === 0) return null;
  const shown = run.errors.slice(0, shownErrors);
  return (
    <>
      <div className={styles.errors}>
        <table>
          <TableHead columns={['Row', 'Column', 'What is wrong']} />
          <tbody>
            {shown.map(({ sheet, row, column, message }) => (
              <tr key={`${sheet} ${row} ${column} ${message}`}>
                <td>{sheet === undefined ? row : `${sheet}, ${row}`}</td>
                <td>{column}</td>
                <td>{message}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className={styles.lead}>
        {run.error_count > shown.length && `The first ${shown.length} of ${formatNumber(run.error_count)}. `}
        <button
          type="button"
          className={styles.link}
          onClick={() => void api.download(`/tapi/import/${run.id}/errors.xlsx`).catch(() => undefined)}
        >
          <ArrowDownloadRegular aria-hidden /> Download all errors
        </button>
      </p>
    </>
  );
}
