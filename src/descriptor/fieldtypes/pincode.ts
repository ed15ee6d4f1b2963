import { TEXT_VALUE } from './can.ts';
import { textType } from './plain_text.ts';

/** Six digits, the first not zero. */
export const pincode = textType('pincode', {
  can: { ...TEXT_VALUE, group: true },
  clean: (value) =>
    typeof value === 'string' ? value.replace(/\s+/g, '') : typeof value === 'number' ? String(value) : value,
});
