import { textType } from './plain_text.ts';

/** #rrggbb. */
export const colour = textType('colour', {
  filter: 'none',
  clean: (value) => (typeof value === 'string' ? value.trim().toLowerCase() : value),
});
