import { WHOLE_NUMBER } from './can.ts';
import { integerType } from './integer.ts';

/** Stars, 1 to 5. */
export const rating = integerType('rating', {
  can: { ...WHOLE_NUMBER, group: true, fixed: true },
  format: (value) => (typeof value === 'number' ? '★'.repeat(value) : ''),
});
