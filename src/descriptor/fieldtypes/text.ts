import { TEXT_VALUE } from './can.ts';
import { textType } from './plain_text.ts';

export const text = textType('text', { can: { ...TEXT_VALUE, group: true, narrow: true, fixed: true } });
