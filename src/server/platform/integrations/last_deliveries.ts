import { quoted } from '../../db/names.ts';
import type { Tenant } from '../../db/tenant.ts';

/** The last deliveries of a webhook, the newest first. */
export function lastDeliveries({ db, schema }: Tenant, configuration: number): Promise<object[]> {
  return db.query<object>(
    `select id, event_id, event, state, attempt, next_at, status_code, duration_ms, response_excerpt, created_at from ${quoted(schema)}.api_delivery where api_config_id = $1 order by id desc limit 100`,
    [configuration],
  );
}
