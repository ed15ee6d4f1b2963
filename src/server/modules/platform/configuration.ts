import { endAllSignIns } from '../../clients/support_sign_in.ts';
import type { ServerDecision } from '../../records/hooks.ts';
import { defineHooks } from '../../records/hooks.ts';
import { forgetClientSettings } from '../../sessions/client_settings.ts';

let decisions: Record<string, ServerDecision> = {};

/** Says which settings this server's own configuration decides or limits. */
export function serverDecides(made: Record<string, ServerDecision>): void {
  decisions = made;
}

/** What is saved holds from the next call on. */
export default defineHooks({
  async saved({ tenant }, { support_access: support }) {
    forgetClientSettings(tenant.schema);
    if (support === 'off') await endAllSignIns(tenant);
  },
  decided: () => decisions,
});
