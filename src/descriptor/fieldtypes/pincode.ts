import { textType } from './plain_text.ts';

/** Six digits, the first not zero. */
export const pincode = textType('pincode', {
  clean: (value) =>
    typeof value === 'string' ? value.replace(/\s+/g, '') : typeof value === 'number' ? String(value) : value,
});
