import { TEXT_VALUE } from './can.ts';
import { textType } from './plain_text.ts';

/** Text of several lines. */
export const long_text = textType('long_text', {
  can: { ...TEXT_VALUE, cell: 'long' },
  clean: (value) => (typeof value === 'string' ? value.replace(/\r\n/g, '\n').trim() : value),
});
