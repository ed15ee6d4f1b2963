import type { Tenant } from '../../db/tenant.ts';
import { quoted } from '../../db/names.ts';

/** An import interrupted by the end of its server. */
export interface InterruptedImport {
  id: number;
  type: string;
  by: number;
  entityId: number | null;
}

const WHILE_WRITING =
  'The server stopped while this import was being written. Nothing was stored. Choose the file again.';
const WHILE_CHECKING =
  'The server stopped while this file was being checked. Nothing was stored. Choose the file again.';

/**
 * Ends the imports and exports of a tenant whose server has stopped. The rows of an import and its final state are
 * stored together, so nothing of these was stored.
 * @param running ids of the running servers
 */
export async function endRunsOfGoneServers(
  { db, schema }: Pick<Tenant, 'db' | 'schema'>,
  running: number[],
): Promise<InterruptedImport[]> {
  const s = quoted(schema);
  await db.query(
    `update ${s}.export_run set state = 'failed', message = 'The server stopped during this export. Please start it again.'
     where state = 'running' and (server is null or server <> all($1))`,
    [running],
  );
  return db.query<InterruptedImport>(
    `update ${s}.import_run set state = 'interrupted', message = case state when 'writing' then $2 else $3 end
     where state in ('reading', 'checking', 'writing') and (server is null or server <> all($1))
     returning id, record_type as type, by, entity_id as "entityId"`,
    [running, WHILE_WRITING, WHILE_CHECKING],
  );
}
