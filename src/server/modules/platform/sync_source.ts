import { isIP } from 'node:net';
import { tableName } from '../../db/names.ts';
import { defineHooks } from '../../records/hooks.ts';
import { wrongServiceAddress } from '../../sync/json_source.ts';

const PRIVATE = /^(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.|f[cd][0-9a-f]{2}:)/i;

/** Data sources: an address inside the network is meant on purpose or not at all. Names are looked up at each connection. */
export default defineHooks({
  check(_session, record) {
    if (record.kind === 'http_json') {
      const wrong = wrongServiceAddress(String(record.url ?? ''), record.private_network === true);
      return wrong === null ? [] : [{ field: 'url', message: wrong }];
    }
    const host = String(record.host ?? '');
    if (record.kind !== 'postgres' || isIP(host) === 0 || record.private_network === true || !PRIVATE.test(host)) return [];
    return [{ field: 'host', message: 'This address is inside the network. Tick "Inside the network" if that is meant.' }];
  },
  async saved({ tenant }, record) {
    // A file of one's own takes the place of the sample.
    if (record.file) await tenant.db.query(`update ${tableName(tenant.schema, 'sync_source')} set sample = null where id = $1`, [record.id]);
  },
});
