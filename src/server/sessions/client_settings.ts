import type { Tenant } from '../context.ts';
import type { Queryable } from '../db/database.ts';
import { quoted } from '../db/names.ts';
import type { Bus } from '../live/bus.ts';

/** What a client has settled of signing in, links and large files; a setting that nobody has touched has its default. */
export interface ClientSettings {
  password_min_length: number;
  trim_password: boolean;
  reset_link_minutes: number;
  invite_hours: number;
  lock_after: number;
  lock_max_seconds: number;
  /** 0 = renewed for ever. */
  session_absolute_days: number;
  /** 0 = never. */
  session_idle_minutes: number;
  /** 0 = any number. */
  session_limit: number;
  refresh_token_in_url: boolean;
  strict_from_user: boolean;
  minimum_age: number;
  delegation_max_days: number;
  import_max_rows: number;
  export_max_rows: number;
  /** Of import jobs that do not say it themselves. */
  sync_delete_guard_percent: number;
  sync_reject_limit_percent: number;
  /** Whether people of the platform may see figures of the client. */
  support_access: 'off' | 'ask' | 'always';
}

/** As `schemas/platform/configuration.json` says them; a test holds the two together. */
export const SETTING_DEFAULTS: Readonly<ClientSettings> = {
  password_min_length: 10,
  trim_password: true,
  reset_link_minutes: 30,
  invite_hours: 72,
  lock_after: 5,
  lock_max_seconds: 900,
  session_absolute_days: 90,
  session_idle_minutes: 0,
  session_limit: 0,
  refresh_token_in_url: true,
  strict_from_user: true,
  minimum_age: 18,
  delegation_max_days: 90,
  import_max_rows: 20_000,
  export_max_rows: 100_000,
  sync_delete_guard_percent: 20,
  sync_reject_limit_percent: 1,
  support_access: 'ask',
};

/** Read again after this long even if no change was announced. */
const FRESH_MS = 5_000;
const remembered = new Map<string, { at: number; settings: Promise<ClientSettings> }>();

/** The client's settings, remembered until they are saved. */
export function clientSettings({ schema, db }: Pick<Tenant, 'schema' | 'db'>): Promise<ClientSettings> {
  if (schema === 'public') return Promise.resolve(SETTING_DEFAULTS);
  const known = remembered.get(schema);
  if (known && performance.now() - known.at < FRESH_MS) return known.settings;
  const entry = { at: performance.now(), settings: readClientSettings(db, schema) };
  remembered.set(schema, entry);
  entry.settings.catch(() => {
    if (remembered.get(schema) === entry) remembered.delete(schema);
  });
  return entry.settings;
}

async function readClientSettings(on: Queryable, schema: string): Promise<ClientSettings> {
  const table = `${quoted(schema)}.configuration`;
  // The table comes with its first use.
  const [there] = await on.query<{ there: boolean }>({ name: 'settings_there', text: 'select to_regclass($1) is not null as there', values: [table] });
  if (!there?.there) return SETTING_DEFAULTS;
  const [row] = await on.query<{ row: Partial<ClientSettings> }>(`select to_jsonb(c) as row from ${table} c where active order by id limit 1`);
  const own = Object.entries(row?.row ?? {}).filter(([key, value]) => key in SETTING_DEFAULTS && value !== null);
  return { ...SETTING_DEFAULTS, ...Object.fromEntries(own) };
}

/** The next call reads the settings of this client again, or of all. */
export function forgetClientSettings(schema?: string): void {
  if (schema === undefined) remembered.clear();
  else remembered.delete(schema);
}

/** Settings saved at another process are forgotten here too. */
export function watchClientSettings(bus: Bus): void {
  bus.on((message) => {
    if (message.kind === 'records' && message.changes.some(([type]) => type === 'configuration')) forgetClientSettings(message.schema);
    else if (message.kind === 'client') forgetClientSettings();
  });
  bus.onGap(() => forgetClientSettings());
}
