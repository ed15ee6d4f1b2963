import { defineHooks } from '../../engine/records/hooks.ts';

/** A request is history: it ends with a decision on its document, and is kept. */
export default defineHooks({
  leave: (_session, stored) =>
    stored.state === 'waiting'
      ? 'This is waiting for a decision. Make the decision, or ask the requester to withdraw it.'
      : 'A decision cannot be changed.',
});
