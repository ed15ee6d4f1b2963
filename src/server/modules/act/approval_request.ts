import { defineHooks } from '../../engine/records/hooks.ts';

/** A request is what happened: it ends by a decision on its document, and stays. */
export default defineHooks({
  leave: (_session, stored) =>
    stored.state === 'waiting'
      ? 'This waits for a decision. Decide it, or have whoever asked take it back.'
      : 'What was decided stays as it is.',
});
