import { WITH_PARTS } from './can.ts';
import type { FieldType } from './field_type.ts';

/** Answers to a questionnaire: the column holds the id of the answered version; only the product writes it. */
export const answers: FieldType = {
  name: 'answers',
  sql: () => 'bigint',
  filter: 'none',
  widget: 'answers',
  can: { ...WITH_PARTS, file: false },
  parse: () => ({ error: 'A questionnaire is answered on its page.' }),
  format: (value) => (value === null || value === undefined ? '' : 'Begun'),
};
