import { TEXT_VALUE } from './can.ts';
import { textType } from './plain_text.ts';

/** A short key people type: letters, digits, dash, slash, dot, underscore. */
export const code = textType('code', {
  can: { ...TEXT_VALUE, group: true, narrow: true, fixed: true },
  widget: 'code',
});
