import { capitalsType } from './plain_text.ts';

/** Permanent account number: AAAAA9999A. */
export const pan = capitalsType('pan');
