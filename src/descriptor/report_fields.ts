import { fieldType } from './fieldtypes/registry.ts';
import type { Field } from './types.ts';

/** The measures of a field; the number of records needs none. */
export const FIGURES = ['sum', 'average', 'lowest', 'highest'] as const;
export type FieldFigure = (typeof FIGURES)[number];

/** Whether a report can have this measure of the field. */
export function isMeasured({ type, masked, secret }: Field, figure: FieldFigure): boolean {
  const { filter, can } = fieldType(type);
  if (masked || secret) return false;
  return figure === 'lowest' || figure === 'highest' ? can.order : filter === 'number';
}

/** Whether a report can group by a field; dates need a period. */
export const isGrouped = ({ type, masked, secret }: Field): boolean => !masked && !secret && fieldType(type).can.group;

/** Whether a field can stand beside the groups of a report. */
export const isDetail = (field: Field): boolean =>
  isGrouped(field) || (!field.masked && !field.secret && !field.rows && fieldType(field.type).can.order);

export const isDated = ({ type }: Field): boolean => type === 'date' || type === 'datetime';

/** Whether the reader may filter a report by a field. */
export const isNarrowed = ({ type, masked, secret }: Field): boolean =>
  !masked && !secret && fieldType(type).can.narrow;
