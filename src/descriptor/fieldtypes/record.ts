import { SHORT_VALUE } from './can.ts';
import type { FieldType } from './field_type.ts';
import { ref } from './ref.ts';

/** A reference to a record whose type is in another field (`x-ref-by`): its id. */
export const record: FieldType = {
  ...ref,
  name: 'record',
  filter: 'none',
  widget: 'record',
  can: { ...SHORT_VALUE, sort: false, bulk: false },
};
