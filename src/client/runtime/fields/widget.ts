import { createContext, useContext } from 'react';
import type { Field, Screen } from '../../../descriptor/types.ts';
import type { RowSaving } from '../form/rows_apart/row_saving.ts';

/**
 * What a widget is given. It draws its control only: label, help and message are its form's, which gives the
 * label the id `<id>-label` and the message line `<id>-message`.
 */
export interface WidgetProps {
  field: Field;
  /** Id of the control that the label names. */
  id: string;
  /** The value as on the wire; null or undefined = empty. */
  value: unknown;
  /** Called when a value is complete, not at every key. null = empty. */
  onChange: (value: unknown) => void;
  onBlur?: () => void;
  /** Text that cannot be read as a value ("31-02-2025"): it stays in the control and nothing can be saved. null = solved. */
  onProblem?: (message: string | null, text?: string) => void;
  invalid?: boolean;
  required?: boolean;
  disabled?: boolean;
  readOnly?: boolean;
  /** In a sheet: no frame of its own, the cell is the frame. */
  bare?: boolean;
  /** The control's name where no label stands beside it. */
  label?: string;
  autoFocus?: boolean;
  /** What was typed to begin: it takes the value's place. */
  typed?: string;
}

export type Values = Readonly<Record<string, unknown>>;

/** What widgets ask of the form around them. */
export interface FieldHost {
  screen: Screen;
  /** Child rows: the field that holds them. Options are asked for as `<screen>.<rows>.<column>`. */
  rows?: string;
  /** Child rows: their columns. */
  columns?: Field[];
  /** Rows that are records of their own: their type, by which options of rows within them are asked for. */
  part?: string;
  /** The type that options are asked for by, where it is not that of the screen. */
  asked?: string;
  /** The values now: of the row over those of the record. */
  values: () => Values;
  /** Hears every change of {@link values}; returns how to stop. */
  subscribe: (listener: () => void) => () => void;
  /** Fields and cells (`lines.2.rate`) that cannot be changed now. */
  held?: () => ReadonlySet<string>;
  /** Sets several at once: what a chosen reference brings along, and the labels beside ids. */
  setValues: (patch: Record<string, unknown>) => void;
  /** Commits that wait for a pause in typing. */
  drafts: Set<() => void>;
  /** What a save waits for: names that are being looked up, checks that are on their way. */
  awaited?: Set<Promise<void>>;
  /** Rows that are saved by cells, by their field. */
  saving?: ReadonlyMap<string, RowSaving>;
  /** The company the form was opened in. */
  entityId?: number | null;
}

export const FieldHostContext = createContext<FieldHost | null>(null);

/** The form around a widget; null where there is none, as in a filter. */
export function useFieldHost(): FieldHost | null {
  return useContext(FieldHostContext);
}

/** Takes over what was typed last: called before saving, because a shortcut does not take the focus away. */
export function commitDrafts(host: Pick<FieldHost, 'drafts'>): void {
  // A copy: each commit takes itself out of the set.
  for (const commit of Array.from(host.drafts)) commit();
}

/** Messages by path ("emergency.2.phone"), for widgets that show those of their parts. */
export const FieldErrorsContext = createContext<ReadonlyMap<string, string>>(new Map());

/** How the control is named, and what a screen reader says of it. What nobody enters is no tab stop. */
export function described({ field, id, label, invalid, required, bare }: WidgetProps) {
  return {
    ...(field.readOnly && !bare && { tabIndex: -1 }),
    ...(label === undefined ? { 'aria-labelledby': `${id}-label` } : { 'aria-label': label }),
    ...(!bare && { 'aria-describedby': `${id}-message` }),
    ...(invalid && { 'aria-invalid': true }),
    ...(required && { 'aria-required': true }),
  };
}
