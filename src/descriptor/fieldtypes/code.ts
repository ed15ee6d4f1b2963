import { textType } from './plain_text.ts';

/** A short key people type: letters, digits, dash, slash, dot, underscore. */
export const code = textType('code', { widget: 'code' });
