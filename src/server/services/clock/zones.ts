import { dayIn, zoneOf } from '../../../descriptor/place.ts';
import type { Zones } from '../../../descriptor/place.ts';
import { isTimeZone } from '../../db/subscription.ts';
import type { FieldError, Screen } from '../../../descriptor/types.ts';
import type { Tenant } from '../../db/tenant.ts';
import { quoted } from '../../db/names.ts';
import { branchField } from '../../../descriptor/place.ts';
import type { SqlParams } from '../../db/sql_text.ts';

/** The configured zones, by the ids of companies and branches. */
export interface EnteredZones {
  companies: Record<string, string>;
  branches: Record<string, string>;
  years?: Record<string, number>;
  currencies?: Record<string, string>;
}

/**
 * The configured zones of a client's companies and branches, and the years and currencies of companies, as SQL of type
 * json.
 */
export function enteredZonesSql(s: string): string {
  const of = (table: string) =>
    `coalesce((select json_object_agg(z.id, z.timezone) from ${s}.${table} z where z.timezone <> ''), '{}')`;
  const years = `(select json_object_agg(z.id, z.fy_start_month) from ${s}.entity z where z.fy_start_month is not null)`;
  const currencies = `(select json_object_agg(z.id, z.currency) from ${s}.entity z where z.currency <> '')`;
  return `json_build_object('companies', ${of('entity')}, 'branches', ${of('branch')}, 'years', coalesce(${years}, '{}'), 'currencies', coalesce(${currencies}, '{}'))`;
}

/** The error in the time zone of a record. */
export function timeZoneErrors({ timezone }: Readonly<Record<string, unknown>>): FieldError[] {
  return typeof timezone !== 'string' || timezone === '' || isTimeZone(timezone)
    ? []
    : [{ field: 'timezone', message: `There is no time zone "${timezone}". Write it as Asia/Kolkata.` }];
}

/** What was entered, without names that are no time zone. */
export function zonesFrom(client: string, { companies, branches, years, currencies }: EnteredZones): Zones {
  const known = (entered: Record<string, string>) =>
    Object.fromEntries(Object.entries(entered).filter(([, name]) => isTimeZone(name)));
  return {
    client,
    companies: known(companies),
    branches: known(branches),
    ...(years && { yearStarts: years }),
    ...(currencies && { currencies }),
  };
}

/** The zones of a client, its companies and its branches. */
export async function zonesOf({ db, schema, timezone }: Tenant): Promise<Zones> {
  const none = { client: timezone, companies: {}, branches: {} };
  if (schema === 'public') return none;
  const s = quoted(schema);
  const [there] = await db.query<{ there: boolean }>(
    'select to_regclass($1) is not null and to_regclass($2) is not null as there',
    [`${s}.entity`, `${s}.branch`],
  );
  if (!there?.there) return none;
  const [row] = await db.query<{ zones: EnteredZones }>(`select ${enteredZonesSql(s)} as zones`);
  return zonesFrom(timezone, row!.zones);
}

/** The current day of a branch or company. */
export function dayOf(zones: Zones, of: { branchId?: unknown; entityId?: unknown }, now = Date.now()): string {
  return dayIn(zoneOf(of, zones), now);
}

/** Every time zone used by the client, each once. */
export function allZones({ client, companies, branches }: Zones): string[] {
  return [...new Set([client!, ...Object.values(companies), ...Object.values(branches)])];
}

/** The zone of rows as SQL of type text, by `zoneOf`; `branch` and `entity` are their columns. */
export function zoneSql(
  zones: Zones,
  values: SqlParams,
  { branch, entity }: { branch?: string; entity?: string },
): string {
  const own = (of: Readonly<Record<string, string>>, column: string | undefined) =>
    column === undefined || Object.keys(of).length === 0
      ? []
      : [`${values.bind(JSON.stringify(of))}::jsonb ->> (${column})::text`];
  const found = [...own(zones.branches, branch), ...own(zones.companies, entity)];
  const client = `${values.bind(zones.client)}::text`;
  return found.length === 0 ? client : `coalesce(${found.join(', ')}, ${client})`;
}

/** The zone of records of a type as SQL of type text; `alias` is their table. */
export function recordZoneSql(screen: Screen, alias: string, zones: Zones, values: SqlParams): string {
  return zoneSql(zones, values, {
    ...(branchField(screen) && { branch: `${alias}.branch_id` }),
    ...(screen.scope === 'entity' && { entity: `${alias}.entity_id` }),
  });
}
