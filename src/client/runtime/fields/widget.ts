import { createContext, useContext } from 'react';
import type { Field, Screen } from '../../../descriptor/types.ts';
import type { RowSaving } from '../form/rows_apart/row_saving.ts';

/**
 * The properties of a widget. It renders only its control: label, help and message are rendered by the form, which
 * gives the label the id `<id>-label` and the message line `<id>-message`.
 */
export interface WidgetProps {
  field: Field;
  /** Id of the control for its label. */
  id: string;
  /** The value as on the wire; null or undefined = empty. */
  value: unknown;
  /** Called when a value is complete, not at every key. null = empty. */
  onChange: (value: unknown) => void;
  onBlur?: () => void;
  /** Invalid text ("31-02-2025"): it stays in the control and nothing can be saved. null = resolved. */
  onProblem?: (message: string | null, text?: string) => void;
  invalid?: boolean;
  required?: boolean;
  disabled?: boolean;
  readOnly?: boolean;
  /** In a sheet: without a frame, because the cell is the frame. */
  bare?: boolean;
  /** The control's accessible name, if it has no visible label. */
  label?: string;
  autoFocus?: boolean;
  /** The initially typed text: it replaces the value. */
  typed?: string;
}

export type Values = Readonly<Record<string, unknown>>;

/** What widgets need from the surrounding form. */
export interface FieldHost {
  screen: Screen;
  /** Child rows: the field that holds them. Options are requested as `<screen>.<rows>.<column>`. */
  rows?: string;
  /** Child rows: their columns. */
  columns?: Field[];
  /** Rows that are records: their type, with which options of nested rows are requested. */
  part?: string;
  /** The type with which options are requested, if it is not that of the screen. */
  asked?: string;
  /** The current values: the row's take precedence over the record's. */
  values: () => Values;
  /** Subscribes to changes of {@link values}; returns the unsubscribe function. */
  subscribe: (listener: () => void) => () => void;
  /** Fields and cells (`lines.2.rate`) that are currently locked. */
  held?: () => ReadonlySet<string>;
  /** Sets several values at once: those copied from a chosen reference, and labels. */
  setValues: (patch: Record<string, unknown>) => void;
  /** Commits that are waiting for a pause in typing. */
  drafts: Set<() => void>;
  /** Pending work that a save waits for: name look-ups and running checks. */
  awaited?: Set<Promise<void>>;
  /** Rows that are saved by cell, by field. */
  saving?: ReadonlyMap<string, RowSaving>;
  /** The company the form was opened in. */
  entityId?: number | null;
}

export const FieldHostContext = createContext<FieldHost | null>(null);

/** The form around a widget; null if there is none, as in a filter. */
export function useFieldHost(): FieldHost | null {
  return useContext(FieldHostContext);
}

/** Commits the last typed text: called before saving, because a keyboard shortcut does not move the focus. */
export function commitDrafts(host: Pick<FieldHost, 'drafts'>): void {
  // A copy: each commit removes itself from the set.
  for (const commit of Array.from(host.drafts)) commit();
}

/** Messages by path ("emergency.2.phone"), for widgets that show those of their rows. */
export const FieldErrorsContext = createContext<ReadonlyMap<string, string>>(new Map());

/** Accessible name and description of the control. A read-only control is not a tab stop. */
export function described({ field, id, label, invalid, required, bare }: WidgetProps) {
  return {
    ...(field.readOnly && !bare && { tabIndex: -1 }),
    ...(label === undefined ? { 'aria-labelledby': `${id}-label` } : { 'aria-label': label }),
    ...(!bare && { 'aria-describedby': `${id}-message` }),
    ...(invalid && { 'aria-invalid': true }),
    ...(required && { 'aria-required': true }),
  };
}
