import { capitalsType } from './plain_text.ts';

/** Indian financial system code of a bank branch: SBIN0001234. */
export const ifsc = capitalsType('ifsc');
