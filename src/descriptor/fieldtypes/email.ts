import { textType, tidy } from './plain_text.ts';

export const email = textType('email', {
  clean: (value) => (typeof value === 'string' ? tidy(value).toLowerCase() : value),
});
