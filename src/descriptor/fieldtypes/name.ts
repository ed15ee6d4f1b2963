import { textType } from './plain_text.ts';

/** What a record is called; the main text of lists and pickers. */
export const name = textType('name', { widget: 'text' });
