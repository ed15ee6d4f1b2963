import type { Field, RecordAction, Screen } from './types.ts';

/**
 * The action parameter that receives the target value of a move: the parameter with the field's name, otherwise the
 * only one of its type.
 */
export function moveParameter(params: readonly Field[], field: Field): Field | undefined {
  const fitting = params.filter(({ type, ref }) => type === field.type && ref?.type === field.ref?.type);
  return fitting.find(({ name }) => name === field.name) ?? (fitting.length === 1 ? fitting[0] : undefined);
}

/** The record action that a look names by its function. */
export function moveAction({ actions }: Pick<Screen, 'actions'>, move: string): RecordAction | undefined {
  return actions.find(({ run, on, browser }) => run === move && on === 'record' && browser === undefined);
}
