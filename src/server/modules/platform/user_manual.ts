import { defineHooks } from '../../engine/records/hooks.ts';

/** States in which a manual is still written. */
const WRITTEN = new Set(['draft', 'review']);

/** Manuals: what somebody approved stays as it was approved, and is withdrawn before it is taken out of use. */
export default defineHooks({
  check: (_session, record, stored) =>
    stored === null || WRITTEN.has(String(stored.state)) || record.state !== stored.state
      ? []
      : [{ field: '', message: 'This manual was published and stays as it is. Choose "New version" to change it.' }],
  leave: (_session, stored, how) =>
    how !== 'activate' && stored.state === 'published' ? 'People read this manual. Withdraw it first.' : null,
});
