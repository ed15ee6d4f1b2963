import { isIP } from 'node:net';
import { tableName } from '../../db/names.ts';
import { defineHooks } from '../../engine/records/hooks.ts';
import { wrongServiceAddress } from '../../platform/sync/json_source.ts';

const PRIVATE =
  /^(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.|f[cd][0-9a-f]{2}:)/i;

/** Data sources: an address inside the network needs an explicit permission. Names are resolved at each connection. */
export default defineHooks({
  /** The port of another kind of server does not apply. */
  fill: (_session, record, stored) =>
    stored && stored.kind !== record.kind && record.port === stored.port ? { port: null } : {},
  check(_session, record) {
    if (record.kind === 'http_json') {
      const wrong = wrongServiceAddress(String(record.url ?? ''), record.private_network === true);
      return wrong === null ? [] : [{ field: 'url', message: wrong }];
    }
    const host = String(record.host ?? '');
    if (record.kind === 'upload_file' || isIP(host) === 0 || record.private_network === true || !PRIVATE.test(host))
      return [];
    return [{ field: 'host', message: 'This is an internal address. If that is intended, tick "Internal address".' }];
  },
  async saved({ tenant }, record) {
    // Jobs show the fields for the kind of their source.
    const [job] = await tenant.db.query<{ there: boolean }>(
      `select exists (select 1 from information_schema.columns where table_schema = $1 and table_name = 'sync_job' and column_name = 'source_kind') as there`,
      [tenant.schema],
    );
    if (job!.there)
      await tenant.db.query(
        `update ${tableName(tenant.schema, 'sync_job')} set source_kind = $2 where source_id = $1 and source_kind is distinct from $2`,
        [record.id, record.kind],
      );
    // An uploaded file replaces the sample.
    if (record.file)
      await tenant.db.query(`update ${tableName(tenant.schema, 'sync_source')} set sample = null where id = $1`, [
        record.id,
      ]);
  },
});
