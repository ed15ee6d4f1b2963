import { endAllSignIns } from '../../platform/clients/support_sign_in.ts';
import { mapErrors } from '../../platform/maps/map_tiles.ts';
import { defineHooks } from '../../engine/records/hooks.ts';
import { forgetClientSettings } from '../../services/settings/client_settings.ts';

/** Saved values apply from the next call. */
export default defineHooks({
  check: (_session, record, stored) => mapErrors(record, stored),
  async saved({ tenant }, { support_access: support }, { screens }) {
    forgetClientSettings(tenant.schema);
    if (support === 'off') await endAllSignIns(tenant, screens());
  },
  decided: ({ serverDecisions }) => serverDecisions,
});
