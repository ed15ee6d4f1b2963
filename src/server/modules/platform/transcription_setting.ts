import { wrongTarget } from '../../services/network/outside_address.ts';
import { defineHooks } from '../../engine/records/hooks.ts';

/** This server calls the engine: not inside its own network, unless the operator allows the host. */
export default defineHooks({
  async check(_session, record) {
    if (typeof record.url !== 'string' || record.url === '') return [];
    const wrong = await wrongTarget(record.url);
    return wrong === null ? [] : [{ field: 'url', message: wrong }];
  },
});
