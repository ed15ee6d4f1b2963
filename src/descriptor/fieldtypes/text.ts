import { textType } from './plain_text.ts';

export const text = textType('text');
