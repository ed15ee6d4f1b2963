import { textType } from './plain_text.ts';

export const email = textType('email', {
  clean: (value) => (typeof value === 'string' ? value.trim().toLowerCase() : value),
});
