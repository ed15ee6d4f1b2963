import { defineHooks } from '../../engine/records/hooks.ts';
import { periodRefusal } from './period_lock.ts';

const ENTERED = ['value', 'done_on', 'done', 'not_applicable'];

/** Nobody changes an entry of a period that takes none; the product's own figures follow their own rules. */
export default defineHooks({
  async check(session, record, stored) {
    if (!stored || stored.source !== 'manual') return [];
    const field = ENTERED.find((name) => (record[name] ?? null) !== (stored[name] ?? null));
    if (field === undefined) return [];
    const message = await periodRefusal(session, stored, 'enter');
    return message === null ? [] : [{ field, message }];
  },
});
