import { wrongServer } from '../../services/network/outside_address.ts';
import { defineHooks } from '../../engine/records/hooks.ts';

/** This server connects to mailboxes: not inside its own network, unless the operator allows the host. */
export default defineHooks({
  async check(_session, record) {
    if (typeof record.host !== 'string' || record.host === '') return [];
    const wrong = await wrongServer(record.host);
    return wrong === null ? [] : [{ field: 'host', message: wrong }];
  },
});
