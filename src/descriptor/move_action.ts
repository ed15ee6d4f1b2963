import type { Field, RecordAction, Screen } from './types.ts';

/** What of an action takes the value that a record is moved to: the parameter of the field's name, else the only one of its type. */
export function moveParameter(params: readonly Field[], field: Field): Field | undefined {
  const fitting = params.filter(({ type, ref }) => type === field.type && ref?.type === field.ref?.type);
  return fitting.find(({ name }) => name === field.name) ?? (fitting.length === 1 ? fitting[0] : undefined);
}

/** The action on a record that a look names by its function. */
export function moveAction({ actions }: Pick<Screen, 'actions'>, move: string): RecordAction | undefined {
  return actions.find(({ run, on, browser }) => run === move && on === 'record' && browser === undefined);
}
