import type { Tenant } from '../../db/tenant.ts';
import type { Database, Queryable } from '../../db/database.ts';
import { quoted } from '../../db/names.ts';
import type { Bus } from '../live/bus.ts';
import { busOf } from '../live/bus.ts';

/** A client's settings, with defaults. */
export interface ClientSettings {
  password_min_length: number;
  trim_password: boolean;
  reset_link_minutes: number;
  invite_hours: number;
  admin_temporary_password: boolean;
  lock_after: number;
  lock_max_seconds: number;
  /** 0 = no limit. */
  session_absolute_days: number;
  /** 0 = never. */
  session_idle_minutes: number;
  /** 0 = any number. */
  session_limit: number;
  /** Unless the server's own setting asks for cookies. */
  session_transport: 'bearer' | 'cookie';
  refresh_token_in_url: boolean;
  strict_from_user: boolean;
  force_reload_on_new_version: boolean;
  minimum_age: number;
  allow_self_approval: boolean;
  delegation_max_days: number;
  manual_feedback: boolean;
  import_max_rows: number;
  export_max_rows: number;
  /** At most the server's limit. */
  upload_max_mb: number;
  audit_retention_years: number;
  /** Of import jobs that do not say it themselves. */
  sync_delete_guard_percent: number;
  sync_reject_limit_percent: number;
  /** Whether platform users may see figures of the client. */
  support_access: 'off' | 'ask' | 'always';
  /** Address of map tiles with {z}, {x} and {y}; undefined = places are shown on a plain grid. */
  map_tiles: string | undefined;
  /** Whose map it is. */
  map_attribution: string | undefined;
}

/** As in `schemas/platform/configuration.json`; a test checks that both agree. */
export const SETTING_DEFAULTS: Readonly<ClientSettings> = {
  password_min_length: 10,
  trim_password: true,
  reset_link_minutes: 30,
  invite_hours: 72,
  admin_temporary_password: false,
  lock_after: 5,
  lock_max_seconds: 900,
  session_absolute_days: 90,
  session_idle_minutes: 0,
  session_limit: 0,
  session_transport: 'bearer',
  refresh_token_in_url: true,
  strict_from_user: true,
  force_reload_on_new_version: false,
  minimum_age: 18,
  allow_self_approval: false,
  delegation_max_days: 90,
  manual_feedback: true,
  import_max_rows: 20_000,
  export_max_rows: 100_000,
  upload_max_mb: 25,
  audit_retention_years: 8,
  sync_delete_guard_percent: 20,
  sync_reject_limit_percent: 1,
  support_access: 'ask',
  map_tiles: undefined,
  map_attribution: undefined,
};

/** Without a bus, settings are reloaded after this time, in ms. */
const UNHEARD_MS = 5_000;

interface Remembered {
  at: number;
  settings: Promise<Settled>;
}

/** Cached settings of each client, by the connections of one application: another one in this process has its own. */
const remembered = new Map<string, WeakMap<Database, Remembered>>();

/** The client's own settings, and those of companies with different ones. */
interface Settled {
  own: ClientSettings;
  byCompany: ReadonlyMap<number, ClientSettings>;
}

/** The client's settings, cached until they are saved; for a company with its own settings, those. */
export async function clientSettings(
  tenant: Pick<Tenant, 'schema' | 'db'>,
  entityId: number | null = null,
): Promise<ClientSettings> {
  if (tenant.schema === 'public') return SETTING_DEFAULTS;
  const { own, byCompany } = await settled(tenant);
  return (entityId === null ? undefined : byCompany.get(entityId)) ?? own;
}

function settled({ schema, db }: Pick<Tenant, 'schema' | 'db'>): Promise<Settled> {
  const { owner } = db;
  const byOwner = remembered.get(schema) ?? new WeakMap<Database, Remembered>();
  remembered.set(schema, byOwner);
  const known = byOwner.get(owner);
  if (known && (busOf(owner)?.isFresh(owner, known.at) ?? performance.now() - known.at < UNHEARD_MS))
    return known.settings;
  const entry = { at: performance.now(), settings: readClientSettings(db, schema) };
  byOwner.set(owner, entry);
  entry.settings.catch(() => {
    if (byOwner.get(owner) === entry) byOwner.delete(owner);
  });
  return entry.settings;
}

async function readClientSettings(on: Queryable, schema: string): Promise<Settled> {
  const table = `${quoted(schema)}.configuration`;
  // The table is created on first use.
  const [there] = await on.query<{ there: boolean }>({
    name: 'settings_there',
    text: 'select to_regclass($1) is not null as there',
    values: [table],
  });
  const rows = there?.there
    ? await on.query<{ row: object }>(`select to_jsonb(c) as row from ${table} c where active order by id limit 1`)
    : [];
  const companies = await on.query<{ entity_id: number; values: object }>(
    `select entity_id, values from ${quoted(schema)}.setting_override where record_type = 'configuration'`,
  );
  const own = { ...SETTING_DEFAULTS, ...settingsIn(rows[0]?.row) };
  return {
    own,
    byCompany: new Map(companies.map(({ entity_id: id, values }) => [id, { ...own, ...settingsIn(values) }])),
  };
}

function settingsIn(values: object = {}): Partial<ClientSettings> {
  return Object.fromEntries(Object.entries(values).filter(([key, value]) => key in SETTING_DEFAULTS && value !== null));
}

/** The next call reloads the settings of this client, or of all. */
export function forgetClientSettings(schema?: string): void {
  if (schema === undefined) remembered.clear();
  else remembered.delete(schema);
}

/** Settings saved in another process are invalidated here too. */
export function watchClientSettings(bus: Bus): void {
  bus.on((message) => {
    if (message.kind === 'settings') forgetClientSettings(message.schema);
    else if (message.kind === 'client') forgetClientSettings();
  });
  bus.onGap(() => forgetClientSettings());
}
