import { defineHooks } from '../../engine/records/hooks.ts';

export default defineHooks({
  /** Requests cannot be created by hand: they come from the administration host. */
  check: (_session, _record, stored) =>
    stored
      ? []
      : [{ field: 'asked_by', message: 'Requests come from the people of the platform. Approve or refuse one.' }],
});
