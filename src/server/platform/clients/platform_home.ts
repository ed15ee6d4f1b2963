import type { Session } from '../../access/context.ts';
import type { Directory, TenantRow } from '../../db/directory.ts';
import { quoted } from '../../db/names.ts';
import type { CompiledRights } from '../../access/rights/rights.ts';

/** Subscriptions that end within so many days are told. */
const EXPIRY_DAYS = 60;
/** Schemas asked in one statement. */
const AT_ONCE = 200;
/** Sizes are measured at most this often. */
const USAGE_MS = 5 * 60_000;
const LISTED = 10;

export interface ClientUsage {
  sub_domain: string;
  name: string;
  sign_ins: number;
  people: number;
  storage_mb: number;
}

/** What the home of the administration host shows; null = the person may not see it. */
export interface PlatformHome {
  clients: {
    states: { state: string; count: number }[];
    expiring: { id: number; name: string; valid_to: string; days: number; state: string }[];
  } | null;
  usage: { sign_ins: number; people: number; storage_mb: number; clients: ClientUsage[]; at: string } | null;
  jobs: { failed: number; last: { schema_name: string; name: string; at: string; error: string | null }[] } | null;
  /** `decided`: won and lost ones, and how many of a hundred were won; null while none is decided. */
  leads: {
    stages: { state: string; count: number; value: string }[];
    week: number;
    decided: { won: number; lost: number; percent: string | null };
  } | null;
  /** What campaigns cost and brought; costs are null while nothing came. */
  campaigns:
    | {
        id: number;
        name: string;
        spent: string;
        leads: number;
        won: number;
        value: string;
        per_lead: string | null;
        per_win: string | null;
      }[]
    | null;
  contacts: number | null;
}

/** Figures of the platform as one session may see them: each list by its own right, and of a partner its own clients. */
export function createPlatformHome(directory: Directory): (session: Session) => Promise<PlatformHome> {
  let usage: { at: number; rows: Promise<ClientUsage[]> } | null = null;
  const measured = () => {
    if (!usage || Date.now() - usage.at > USAGE_MS) {
      const made = { at: Date.now(), rows: measure(directory) };
      usage = made;
      made.rows.catch(() => {
        if (usage === made) usage = null;
      });
    }
    return usage;
  };
  const query = <T>(text: string, values: unknown[] = []) => directory.main.query<T>(text, values);

  return async (session) => {
    const may = (code: string) => (session.rights as CompiledRights).holds([`COMMON_SCN_${code}`], 'landing');
    const partner = session.partnerId ?? null;
    const home: PlatformHome = { clients: null, usage: null, jobs: null, leads: null, campaigns: null, contacts: null };
    if (may('CLIENT')) {
      const own = await query<{ sub_domain: string }>(
        'select sub_domain from public.client_account where $1::bigint is null or partner_id = $1',
        [partner],
      );
      home.clients = {
        states: await query(
          'select state, count(*)::int as count from public.client_account where active and ($1::bigint is null or partner_id = $1) group by state',
          [partner],
        ),
        expiring: await query(
          `select id, name, valid_to, (valid_to - current_date)::int as days, state from public.client_account
           where active and state in ('active', 'deactivated') and valid_to <= current_date + $2::int and ($1::bigint is null or partner_id = $1) order by valid_to, name limit $3`,
          [partner, EXPIRY_DAYS, LISTED],
        ),
      };
      const { at, rows } = measured();
      const visible = new Set(own.map(({ sub_domain: one }) => one));
      // Clients made by a command have no record here; they belong to no partner.
      const seen = (await rows).filter((row) => partner === null || visible.has(row.sub_domain));
      const sum = (key: 'sign_ins' | 'people' | 'storage_mb') => seen.reduce((total, row) => total + row[key], 0);
      home.usage = {
        sign_ins: sum('sign_ins'),
        people: sum('people'),
        storage_mb: sum('storage_mb'),
        at: new Date(at).toISOString(),
        clients: seen.toSorted((a, b) => b.storage_mb - a.storage_mb).slice(0, LISTED),
      };
    }
    if (session.rights.isAdmin) {
      const last = await query<{ schema_name: string; name: string; at: string; error: string | null; count: number }>(
        `select schema_name, name, finished_at as at, left(error, 200) as error, (count(*) over ())::int as count from public.job
         where state = 'failed' and finished_at > now() - interval '24 hours' order by finished_at desc limit $1`,
        [LISTED],
      );
      home.jobs = {
        failed: last[0]?.count ?? 0,
        last: last.map(({ schema_name, name, at: when, error }) => ({ schema_name, name, at: when, error })),
      };
    }
    if (may('LEAD')) {
      const owner = partner === null ? null : session.userId;
      home.leads = {
        stages: await query(
          'select state, count(*)::int as count, coalesce(sum(value), 0)::text as value from public.admin_lead where active and ($1::bigint is null or owner_id = $1) group by state',
          [owner],
        ),
        decided: (
          await query<{ won: number; lost: number; percent: string | null }>(
            `select won, lost, round(100.0 * won / nullif(won + lost, 0), 2)::text as percent from (
             select count(*) filter (where state = 'won')::int as won, count(*) filter (where state = 'lost')::int as lost from public.admin_lead where active and ($1::bigint is null or owner_id = $1)) as d`,
            [owner],
          )
        )[0]!,
        week: (
          await query<{ n: number }>(
            `select count(*)::int as n from public.admin_lead where active and created_at > now() - interval '7 days' and ($1::bigint is null or owner_id = $1)`,
            [owner],
          )
        )[0]!.n,
      };
    }
    if (may('CAMPAIGN') && may('LEAD') && partner === null)
      home.campaigns = await query(
        `select c.id, c.name, coalesce(c.spent, 0)::text as spent, l.leads, l.won, l.value::text as value, round(c.spent / nullif(l.leads, 0), 2)::text as per_lead, round(c.spent / nullif(l.won, 0), 2)::text as per_win
         from public.admin_campaign c cross join lateral (
           select count(*)::int as leads, count(*) filter (where state = 'won')::int as won, coalesce(sum(value) filter (where state = 'won'), 0) as value from public.admin_lead where active and campaign_id = c.id) l
         where c.active order by c.from_date desc, c.id desc limit $1`,
        [LISTED],
      );
    if (may('CONTACTS') && partner === null)
      home.contacts = (
        await query<{ n: number }>(`select count(*)::int as n from public.contact where active and state = 'new'`)
      )[0]!.n;
    return home;
  };
}

/** Sign-ins of today (in each client's own time zone) and storage of every client, in a few statements a database. */
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
