import { defineHooks } from '../../records/hooks.ts';

/** Manuals: what people read is withdrawn before it is taken out of use. */
export default defineHooks({
  leave: (_session, stored, how) =>
    how === 'deactivate' && stored.state === 'published' ? 'People read this manual. Withdraw it first.' : null,
});
