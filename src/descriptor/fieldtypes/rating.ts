import { integerType } from './integer.ts';

/** Stars, 1 to 5. */
export const rating = integerType('rating', {
  format: (value) => (typeof value === 'number' ? '★'.repeat(value) : ''),
});
