import { defineHooks } from '../../records/hooks.ts';
import { forgetClientSettings } from '../../sessions/client_settings.ts';

/** What is saved holds from the next call on. */
export default defineHooks({
  saved({ tenant }) {
    forgetClientSettings(tenant.schema);
  },
});
