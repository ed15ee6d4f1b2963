import { Button, MessageBar, MessageBarActions, MessageBarBody } from '@fluentui/react-components';
import { useSyncExternalStore } from 'react';
import { formatValue } from '../../../../descriptor/format.ts';
import { fieldType } from '../../../../descriptor/fieldtypes/registry.ts';
import type { Field } from '../../../../descriptor/types.ts';
import type { CellConflict } from '../../form/rows_apart/cell_changes.ts';
import type { RowSaving } from '../../form/rows_apart/row_saving.ts';
import styles from './rows.module.css';
import type { Row } from './sheet_values.ts';

/** The maximum number of conflicts shown at once. */
const SHOWN = 5;
const STATES = {
  saved: 'All cells are saved.',
  waiting: 'Not saved yet.',
  saving: 'Saving …',
  offline: 'No connection: cells are saved when it is back.',
  stopped: '',
};

interface SavingBarProps {
  saving: RowSaving;
  columns: Field[];
  rows: readonly Row[];
}

/** The state of automatically saved cells: whether they are stored, and which ones others changed as well. */
export default function SavingBar({ saving, columns, rows }: SavingBarProps) {
  const { phase, message, conflicts } = useSyncExternalStore(saving.subscribe, saving.state);
  const all = (whose: 'mine' | 'theirs') => {
    for (const conflict of conflicts) saving.decide(conflict, whose);
  };
  return (
    <>
      {message !== null && (
        <MessageBar intent="error" layout="multiline">
          <MessageBarBody>{message} Your entries stay here until you leave the page.</MessageBarBody>
        </MessageBar>
      )}
      {conflicts.slice(0, SHOWN).map((conflict) => (
        <Conflict
          key={`${conflict.id} ${String(conflict.field)}`}
          conflict={conflict}
          columns={columns}
          rows={rows}
          decide={(whose) => saving.decide(conflict, whose)}
        />
      ))}
      {conflicts.length > 1 && (
        <div className={styles.actions}>
          <span>{conflicts.length} cells were changed by others as well.</span>
          <Button size="small" onClick={() => all('theirs')}>
            Keep all of theirs
          </Button>
          <Button size="small" onClick={() => all('mine')}>
            Use all of mine
          </Button>
        </div>
      )}
      <span role="status" className={styles.saving}>
        {STATES[phase]}
      </span>
    </>
  );
}

function Conflict({
  conflict,
  columns,
  rows,
  decide,
}: Omit<SavingBarProps, 'saving'> & { conflict: CellConflict; decide: (whose: 'mine' | 'theirs') => void }) {
  const { id, field, yours, theirs, by } = conflict;
  const place = rows.findIndex((row) => row.id === id);
  const column = columns.find(({ name }) => name === field);
  const text = (value: unknown) =>
    column ? (column.ref ? 'another value' : formatValue(column, value, rows[place] ?? {}) || 'nothing') : '';
  const who = by ?? 'Somebody';
  return (
    <MessageBar intent="warning" layout="multiline">
      <MessageBarBody>
        {column
          ? `${who} changed ${column.title} in row ${place + 1}${named(columns, rows[place])} to ${text(theirs)}. Yours is ${text(yours)}.`
          : `${who} removed row ${place + 1}${named(columns, rows[place])}, which you changed.`}
      </MessageBarBody>
      <MessageBarActions>
        <Button size="small" onClick={() => decide('theirs')}>
          {column ? 'Keep theirs' : 'Discard mine'}
        </Button>
        <Button size="small" onClick={() => decide('mine')}>
          {column ? 'Use mine' : 'Add it again'}
        </Button>
      </MessageBarActions>
    </MessageBar>
  );
}

/** " (Rent)": the first column of a row. */
function named([first]: Field[], row: Row | undefined): string {
  if (!first || !row) return '';
  const label = row[`${first.name}__label`];
  const text = typeof label === 'string' ? label : fieldType(first.type).format(row[first.name], first);
  return text === '' ? '' : ` (${text})`;
}
