import { defineHooks } from '../../records/hooks.ts';

/** What readers said: each for themselves. */
export default defineHooks({
  check: ({ userId, rights }, record) => (rights.isAdmin || record.user_id === userId ? [] : [{ field: 'user_id', message: 'Say what you found yourself: choose your own name.' }]),
});
