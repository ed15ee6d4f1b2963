import { fieldType } from './fieldtypes/registry.ts';
import type { Field } from './types.ts';

/** The figures that are of a field; the number of records is of none. */
export const FIGURES = ['sum', 'average', 'lowest', 'highest'] as const;
export type FieldFigure = (typeof FIGURES)[number];

/** Whether a report can have this figure of the field. */
export function isMeasured({ type, masked, secret }: Field, figure: FieldFigure): boolean {
  const { filter, can } = fieldType(type);
  if (masked || secret) return false;
  return figure === 'lowest' || figure === 'highest' ? can.order : filter === 'number';
}

/** Whether the values of a field make the groups of a report; those of dates need a period. */
export const isGrouped = ({ type, masked, secret }: Field): boolean => !masked && !secret && fieldType(type).can.group;

export const isDated = ({ type }: Field): boolean => type === 'date' || type === 'datetime';

/** Whether the reader may narrow a report by a field. */
export const isNarrowed = ({ type, masked, secret }: Field): boolean =>
  !masked && !secret && fieldType(type).can.narrow;
