import type { Field } from '../../../../descriptor/types.ts';
import { isEmpty } from '../../form/values.ts';
import type { Row } from './sheet_values.ts';

/** Whether a question is answered: one of its answers is filled in. */
export const isAnswered = ({ questions }: Field, row: Row): boolean =>
  questions?.answers.some((name) => !isEmpty(row[name])) ?? false;

/** The first question that is not answered; -1 = all are. */
export const firstOpen = (field: Field, rows: readonly Row[]): number =>
  rows.findIndex((row) => !isAnswered(field, row));
