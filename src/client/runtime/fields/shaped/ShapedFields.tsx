import { Button } from '@fluentui/react-components';
import { AddRegular, DeleteRegular } from '@fluentui/react-icons';
import { useRef } from 'react';
import type { Field } from '../../../../descriptor/types.ts';
import { fromControl, toControl } from '../../../../descriptor/shape_fields.ts';
import { fieldWidth, isGroup, widgetFor } from '../registry.tsx';
import form from '../../form/form.module.css';
import styles from './shaped.module.css';

/** A value that has members. */
export type Member = Readonly<Record<string, unknown>>;

interface Shared {
  /** Prefix of the ids of the controls. */
  id: string;
  /** The path of the value, as used in messages. */
  path: string;
  messages: ReadonlyMap<string, string>;
  readOnly: boolean;
  /** Text that cannot be parsed. */
  onProblem?: (message: string | null) => void;
}

/** The fields of one value, each with its own control. */
export function ShapedFields({
  fields,
  value,
  onChange,
  ...shared
}: Shared & { fields: readonly Field[]; value: Member; onChange: (value: Member) => void }) {
  const { id, path, messages, readOnly, onProblem } = shared;
  const problems = useRef(new Map<string, string>());
  const set = (field: Field, given: unknown) => {
    const { [field.name]: _old, ...rest } = value;
    const stored = fromControl(field, given);
    onChange(stored === undefined ? rest : { ...rest, [field.name]: stored });
  };
  const report = (name: string, message: string | null) => {
    if (message === null) problems.current.delete(name);
    else problems.current.set(name, message);
    onProblem?.([...problems.current.values()][0] ?? null);
  };
  return (
    <div className={form.grid} data-columns={2}>
      {fields.map((field) => {
        const own = `${id}-${field.name}`;
        const at = `${path}.${field.name}`;
        const message = messages.get(at);
        const Widget = widgetFor(field);
        const label = (
          <>
            {field.title}
            {field.required && (
              <span className={form.star} aria-hidden>
                {' *'}
              </span>
            )}
          </>
        );
        return (
          <div key={field.name} className={form.field} data-width={field.rows ? 'full' : fieldWidth(field)}>
            {field.rows || isGroup(field) ? (
              <span id={`${own}-label`} className={form.label}>
                {label}
              </span>
            ) : (
              <label id={`${own}-label`} htmlFor={own} className={form.label}>
                {label}
              </label>
            )}
            {field.rows ? (
              <ShapedRows
                {...shared}
                id={own}
                path={at}
                title={field.title}
                fieldsOf={() => field.rows!}
                rows={Array.isArray(value[field.name]) ? (value[field.name] as Member[]) : []}
                onChange={(rows) => set(field, rows.length === 0 ? null : rows)}
              />
            ) : (
              <Widget
                field={field}
                id={own}
                value={toControl(field, value[field.name])}
                required={field.required}
                readOnly={readOnly}
                invalid={message !== undefined}
                onChange={(given) => set(field, given)}
                onProblem={(problem) => report(field.name, problem)}
              />
            )}
            <div id={`${own}-message`} className={form.message} data-bad={message === undefined ? undefined : ''}>
              {message ?? field.help ?? ''}
            </div>
          </div>
        );
      })}
    </div>
  );
}

/** Several values with the same fields, one below the other. */
export function ShapedRows({
  title,
  fieldsOf,
  rows,
  onChange,
  ...shared
}: Shared & {
  title: string;
  fieldsOf: (row: Member) => readonly Field[];
  rows: readonly Member[];
  onChange: (rows: Member[]) => void;
}) {
  const { id, path, readOnly } = shared;
  return (
    <div role="group" aria-labelledby={`${id}-label`} className={styles.rows}>
      {rows.map((row, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- a row is its place: nothing else tells rows apart
        <div key={at} className={styles.row} role="group" aria-label={`${title}, ${at + 1}`}>
          <ShapedFields
            {...shared}
            id={`${id}-${at}`}
            path={`${path}.${at}`}
            fields={fieldsOf(row)}
            value={row}
            onChange={(next) => onChange(rows.with(at, next))}
          />
          {!readOnly && (
            <Button
              appearance="subtle"
              icon={<DeleteRegular />}
              aria-label={`Remove ${title}, ${at + 1}`}
              onClick={() => onChange(rows.toSpliced(at, 1))}
            />
          )}
        </div>
      ))}
      {!readOnly && (
        <Button size="small" icon={<AddRegular />} onClick={() => onChange([...rows, {}])}>
          Add {rows.length === 0 ? 'one' : 'another'}
        </Button>
      )}
    </div>
  );
}
