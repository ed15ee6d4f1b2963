import type { Screen } from '../../../descriptor/types.ts';
import { IS_CURRENT, amending } from '../../../descriptor/workflow.ts';

/** The field with the number of a record, whenever it is assigned. */
export const numberField = (screen: Screen): string | undefined => (screen.number ?? screen.numberAt)?.field;

const WITH_ID = /(?:^| )#(\d{1,15})$/;

/**
 * Whether other records may have the same number: there is a separate series for each value of fields that sheets do
 * not contain.
 */
const isShared = ({ number, numberAt, fields }: Screen): boolean =>
  (number ?? numberAt)?.per?.some((name) => fields.find((field) => field.name === name)?.readOnly) === true;

/**
 * The number as shown in sheets: if it is not unique, the id follows. A draft without a number is `#45`, an earlier
 * revision `QTN/26-27/0001 #45`.
 */
export function withSheetNumber<R extends Record<string, unknown>>(screen: Screen, record: R): R {
  const field = numberField(screen);
  if (field === undefined || !(field in record)) return record;
  const number = record[field] as string | null;
  const isNamed = number !== null && !isShared(screen) && (!amending(screen) || record[IS_CURRENT] !== false);
  return isNamed ? record : { ...record, [field]: [number, `#${String(record.id)}`].filter(Boolean).join(' ') };
}

/** The additional columns that a list must read for this. */
export const besideNumber = (screen: Screen): string[] =>
  numberField(screen) !== undefined && amending(screen) ? [IS_CURRENT] : [];

/** The id that a sheet has instead of a number, or after it. */
export function idInNumber(screen: Screen, record: Record<string, unknown>): number | undefined {
  const text = record[numberField(screen) ?? ''];
  const id = typeof text === 'string' ? WITH_ID.exec(text)?.[1] : undefined;
  return id === undefined ? undefined : Number(id);
}
