import { Field, MessageBar, MessageBarBody, Select } from '@fluentui/react-components';
import { useEffect, useId, useRef } from 'react';
import type { Choices, FoundColumn, FoundColumns } from './column_choices.ts';
import { headingOfField, isUnclear, missingFields } from './column_choices.ts';
import styles from './excel.module.css';

/** Assigns the columns of a file to fields: the person decides where the headings are unclear. */
export function ImportColumns({
  found,
  choices,
  problem,
  onChoices,
  onSheet,
  onReset,
}: {
  found: FoundColumns;
  choices: Choices;
  /** Why the server refused the choices. */
  problem: string | null;
  onChoices: (choices: Choices) => void;
  onSheet: (sheet: string) => void;
  onReset: () => void;
}) {
  const { columns, sheets, sheet } = found;
  const unclear = columns.filter(isUnclear);
  const clear = columns.filter((column) => !isUnclear(column));
  const missing = missingFields(found, choices);
  const first = useRef<HTMLDivElement>(null);
  // The pressed button has disappeared: keyboard focus continues here.
  useEffect(() => first.current?.querySelector('select')?.focus(), []);
  const list = (shown: FoundColumn[]) => (
    <ul className={styles.columns}>
      {shown.map((column) => (
        <ColumnRow
          key={column.heading}
          column={column}
          found={found}
          choices={choices}
          onField={(field) => onChoices(new Map(choices).set(column.heading, field))}
        />
      ))}
    </ul>
  );
  return (
    <div ref={first} className={styles.content}>
      {problem !== null && (
        <MessageBar intent="error" layout="multiline">
          <MessageBarBody>{problem}</MessageBarBody>
        </MessageBar>
      )}
      {sheets.length > 1 && (
        <Field label="Sheet to import" hint="One sheet is imported at a time.">
          <Select value={sheet} onChange={(_, { value }) => onSheet(value)}>
            {sheets.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </Select>
        </Field>
      )}
      {columns.length === 0 && (
        <MessageBar intent="warning" layout="multiline">
          <MessageBarBody>This sheet has no row of headings. Choose another sheet.</MessageBarBody>
        </MessageBar>
      )}
      {unclear.length > 0 && (
        <>
          <p className={styles.lead}>
            {unclear.length === 1 ? 'One column does' : `${unclear.length} columns do`} not match a field by name.
            Choose where {unclear.length === 1 ? 'it goes' : 'each goes'}, or leave it out. Your choice is remembered
            for the next file.{' '}
            {found.remembered && (
              <button type="button" className={styles.link} onClick={onReset}>
                Reset
              </button>
            )}
          </p>
          {list(unclear)}
        </>
      )}
      {missing.length > 0 && columns.length > 0 && (
        <MessageBar intent="warning" layout="multiline">
          <MessageBarBody>No column brings {andList(missing)}. New records need it.</MessageBarBody>
        </MessageBar>
      )}
      {clear.length > 0 && (
        <details className={styles.clear} open={unclear.length === 0}>
          <summary>{clearText(clear)}</summary>
          {list(clear)}
        </details>
      )}
    </div>
  );
}

function ColumnRow({
  column: { heading, column, state, guess, sample },
  found,
  choices,
  onField,
}: {
  column: FoundColumn;
  found: FoundColumns;
  choices: Choices;
  onField: (field: string | null) => void;
}) {
  const id = useId();
  const chosen = choices.get(heading) ?? null;
  const taken = headingOfField(choices);
  const hint =
    state === 'doubled' && chosen === null
      ? 'Another column already fills this field.'
      : state === 'unknown' && guess !== null && chosen === guess
        ? 'Suggested. Please check.'
        : null;
  return (
    <li>
      <div>
        <label id={id} htmlFor={`${id}-field`}>
          {heading}
        </label>
        <span>
          Column {column}
          {sample !== null && `, such as “${sample}”`}
        </span>
      </div>
      {state === 'kept' ? (
        <span>Not imported: kept by the system</span>
      ) : (
        <div>
          <Select
            id={`${id}-field`}
            value={chosen ?? ''}
            aria-describedby={hint === null ? undefined : `${id}-hint`}
            onChange={(_, { value }) => onField(value === '' ? null : value)}
          >
            <option value="">Leave out</option>
            {found.fields.map(({ name, title, required }) => {
              const other = taken.get(name);
              const used = other !== undefined && other !== heading;
              return (
                <option key={name} value={name} disabled={used}>
                  {title}
                  {required ? ' *' : ''}
                  {used ? ` (from “${other}”)` : ''}
                </option>
              );
            })}
          </Select>
          {hint !== null && <span id={`${id}-hint`}>{hint}</span>}
        </div>
      )}
    </li>
  );
}

/** "3 columns match, one is not imported" */
function clearText(clear: FoundColumn[]): string {
  const kept = clear.filter(({ state }) => state === 'kept').length;
  const matched = clear.length - kept;
  return [
    ...(matched === 0 ? [] : [matched === 1 ? 'One column matches' : `${matched} columns match`]),
    ...(kept === 0 ? [] : [kept === 1 ? 'one is kept by the system' : `${kept} are kept by the system`]),
  ].join(', ');
}

function andList(words: string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}
