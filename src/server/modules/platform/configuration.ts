import { endAllSignIns } from '../../clients/support_sign_in.ts';
import { defineHooks } from '../../records/hooks.ts';
import { forgetClientSettings } from '../../sessions/client_settings.ts';

/** What is saved holds from the next call on. */
export default defineHooks({
  async saved({ tenant }, { support_access: support }) {
    forgetClientSettings(tenant.schema);
    if (support === 'off') await endAllSignIns(tenant);
  },
  decided: ({ serverDecisions }) => serverDecisions,
});
