import { textType } from './plain_text.ts';

export const url = textType('url');
