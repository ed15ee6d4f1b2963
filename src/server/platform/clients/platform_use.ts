import type { Directory, TenantRow } from '../../db/directory.ts';
import { quoted } from '../../db/names.ts';

/** The number of schemas per statement. */
const AT_ONCE = 200;
/** Sizes are measured at most this often. */
const USAGE_MS = 5 * 60_000;

export interface ClientUsage {
  sub_domain: string;
  name: string;
  sign_ins: number;
  people: number;
  storage_mb: number;
}

/** The usage of each client, measured at most five minutes ago. */
export type ReadPlatformUse = () => Promise<ClientUsage[]>;

export function createPlatformUse(directory: Directory): ReadPlatformUse {
  let known: { at: number; rows: Promise<ClientUsage[]> } | null = null;
  return () => {
    if (known && Date.now() - known.at <= USAGE_MS) return known.rows;
    const made = { at: Date.now(), rows: measure(directory) };
    known = made;
    made.rows.catch(() => {
      if (known === made) known = null;
    });
    return made.rows;
  };
}

/** Sign-ins of today (in each client's time zone) and storage of every client, in a few statements per database. */
async function measure(directory: Directory): Promise<ClientUsage[]> {
  const found: ClientUsage[] = [];
  for (const [name, tenants] of Map.groupBy(await directory.tenants(), ({ database }) => database)) {
    const database = await directory.get(name);
    for (let from = 0; from < tenants.length; from += AT_ONCE) {
      const some = tenants.slice(from, from + AT_ONCE);
      const sizes = new Map(
        (
          await database.query<{ schema: string; bytes: string }>(
            `select n.nspname as schema, sum(pg_total_relation_size(c.oid))::text as bytes from pg_class c join pg_namespace n on n.oid = c.relnamespace
         where n.nspname = any($1) and c.relkind in ('r', 'm') group by 1`,
            [some.map(({ schema }) => schema)],
          )
        ).map(({ schema, bytes }) => [schema, Number(bytes)]),
      );
      const used = new Map(
        (
          await database.query<{ id: number; sign_ins: number; people: number; bytes: string }>(
            some.map(usageOf).join(' union all '),
            some.map(({ timezone }) => timezone),
          )
        ).map((row) => [row.id, row]),
      );
      for (const tenant of some) {
        const row = used.get(tenant.id);
        found.push({
          sub_domain: tenant.subDomain,
          name: tenant.name,
          sign_ins: row?.sign_ins ?? 0,
          people: row?.people ?? 0,
          storage_mb: Math.ceil(((sizes.get(tenant.schema) ?? 0) + Number(row?.bytes ?? 0)) / 1024 / 1024),
        });
      }
    }
  }
  return found;
}

function usageOf({ id, schema }: TenantRow, at: number): string {
  const s = quoted(schema);
  return `select ${id}::bigint as id, count(*)::int as sign_ins, count(distinct user_id)::int as people, (select coalesce(sum(size), 0)::text from ${s}.file) as bytes
    from ${s}.session where auth_at >= date_trunc('day', now() at time zone $${at + 1}) at time zone $${at + 1}`;
}
