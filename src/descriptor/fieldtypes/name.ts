import { TEXT_VALUE } from './can.ts';
import { textType } from './plain_text.ts';

/** The name of a record; the main text of lists and pickers. */
export const name = textType('name', {
  can: { ...TEXT_VALUE, group: true, narrow: true, fixed: true },
  widget: 'text',
});
