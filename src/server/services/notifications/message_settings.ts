import type { Tenant } from '../../db/tenant.ts';
import type { Queryable } from '../../db/database.ts';
import { quoted } from '../../db/names.ts';

/** A client's settings for messages and the second factor, with defaults. */
export interface MessageSettings {
  quiet_from: string | null;
  quiet_to: string | null;
  push_show_body: boolean;
  push_denied_action: 'logout' | 'warn' | 'ignore';
  mfa_policy: 'off' | 'optional' | 'admins' | 'all';
}

const DEFAULTS: MessageSettings = {
  quiet_from: '21:00',
  quiet_to: '08:00',
  push_show_body: false,
  push_denied_action: 'logout',
  mfa_policy: 'optional',
};

/** Reads the client's settings as they are now. */
export async function messageSettings(
  { schema, db }: Pick<Tenant, 'schema' | 'db'>,
  on: Queryable = db,
): Promise<MessageSettings> {
  if (schema === 'public') return DEFAULTS;
  const table = `${quoted(schema)}.configuration`;
  // The table is created on first use.
  const [there] = await on.query<{ there: boolean }>('select to_regclass($1) is not null as there', [table]);
  if (!there?.there) return DEFAULTS;
  const [row] = await on.query<{ row: Partial<MessageSettings> }>(
    `select to_jsonb(c) as row from ${table} c order by c.id limit 1`,
  );
  const own = Object.entries(row?.row ?? {}).filter(([key, value]) => key in DEFAULTS && value !== null);
  return { ...DEFAULTS, ...Object.fromEntries(own) };
}
