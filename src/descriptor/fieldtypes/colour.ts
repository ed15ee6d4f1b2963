import { TEXT_VALUE } from './can.ts';
import { textType } from './plain_text.ts';

/** #rrggbb. */
export const colour = textType('colour', {
  can: { ...TEXT_VALUE, name: false },
  filter: 'none',
  clean: (value) => (typeof value === 'string' ? value.trim().toLowerCase() : value),
});
