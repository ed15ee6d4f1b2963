import { PLATFORM_ZONE } from '../../db/subscription.ts';
import type { Tenant } from '../../db/tenant.ts';
import type { Directory } from '../../db/directory.ts';
import { findTenant, forgetTables } from '../../db/tenants.ts';
import type { Bus } from '../../services/live/bus.ts';
import type { TenantHost } from './host.ts';
import { readHost } from './host.ts';
import { readCatalogueChanges, viewFor } from '../rights/catalogue_view.ts';

/** Tenants by sub-domain and by schema, cached briefly. */
export interface Tenants {
  bySubDomain(subDomain: string): Promise<Tenant | null>;
  bySchema(schema: string): Promise<Tenant | null>;
  /** The tenant that a host header names. */
  ofHost(header: string): Promise<TenantHost>;
  /** The tenants used since the start, for tasks per tenant. */
  known(): Tenant[];
  forget(): void;
}

/** The platform's own tables, treated as a tenant whose users are the common users. */
export function platformTenant(directory: Directory): Tenant {
  return {
    id: 0,
    subDomain: 'admin',
    schema: 'public',
    name: 'Platform',
    products: [],
    active: true,
    timezone: PLATFORM_ZONE,
    db: directory.main,
  };
}

export function createTenants(directory: Directory, bus: Bus, baseDomains: string[]): Tenants {
  const platform = platformTenant(directory);
  const bySub = new Map<string, { tenant: Tenant | null; at: number }>();
  const domains = new Map<string, { subDomain: string | null; at: number }>();
  const prepared = new Set<string>();
  /** Counts what was forgotten: what was read meanwhile may be from before, and is not remembered. */
  let generation = 0;
  let catalogue: { at: number; read: ReturnType<typeof readCatalogueChanges> } | null = null;

  function catalogueNow(): ReturnType<typeof readCatalogueChanges> {
    if (catalogue && bus.isFresh(directory.main, catalogue.at)) return catalogue.read;
    const reading = { at: performance.now(), read: readCatalogueChanges(directory.main) };
    catalogue = reading;
    reading.read.catch(() => {
      if (catalogue === reading) catalogue = null;
    });
    return reading.read;
  }

  async function prepare(tenant: Tenant): Promise<void> {
    if (prepared.has(tenant.schema)) return;
    await bus.join(tenant.db);
    prepared.add(tenant.schema);
  }

  async function bySubDomain(subDomain: string): Promise<Tenant | null> {
    if (subDomain === 'admin') {
      await prepare(platform);
      return platform;
    }
    const known = bySub.get(subDomain);
    if (known && bus.isFresh(directory.main, known.at) && Date.now() < (known.tenant?.until ?? Infinity))
      return known.tenant;
    const [at, began] = [performance.now(), generation];
    // Changes of clients are announced in the platform's database.
    await prepare(platform);
    const found = await findTenant(directory, subDomain);
    if (found) await prepare(found);
    const view = found && viewFor(await catalogueNow(), subDomain);
    const tenant = found && view ? { ...found, catalogue: view } : found;
    if (bySub.size > 5_000) bySub.clear();
    if (began === generation) bySub.set(subDomain, { tenant, at });
    return tenant;
  }

  /** Clients' own domains count only after verification. */
  async function ofDomain(host: string): Promise<string | null> {
    const known = domains.get(host);
    if (known && bus.isFresh(directory.main, known.at)) return known.subDomain;
    const [at, began] = [performance.now(), generation];
    await prepare(platform);
    const [row] = await directory.main.query<{ sub_domain: string }>({
      name: 'client_of_domain',
      text: `select c.sub_domain from public.client_domain d join public.client c on c.id = d.client_id
             where d.host = $1 and d.verified_at is not null`,
      values: [host],
    });
    if (domains.size > 5_000) domains.clear();
    if (began === generation) domains.set(host, { subDomain: row?.sub_domain ?? null, at });
    return row?.sub_domain ?? null;
  }

  const tenants: Tenants = {
    bySubDomain,
    bySchema: (schema) => bySubDomain(schema === 'public' ? 'admin' : schema.replace(/^cmp_/, '').replaceAll('_', '-')),
    async ofHost(header) {
      const host = readHost(header, baseDomains);
      if (host.kind === 'invalid') return { kind: 'unknown' };
      if (host.kind === 'foreign') {
        const subDomain = await ofDomain(host.host);
        return subDomain === null ? { kind: 'unknown' } : { kind: 'tenant', subDomain };
      }
      if (host.kind === 'tenant' && (await bySubDomain(host.subDomain)) === null) return { kind: 'unknown' };
      return host;
    },
    known: () => [...bySub.values()].flatMap(({ tenant }) => (tenant ? [tenant] : [])),
    forget() {
      generation++;
      bySub.clear();
      domains.clear();
      prepared.clear();
      catalogue = null;
    },
  };
  bus.on((message) => {
    if (message.kind !== 'client') return;
    tenants.forget();
    forgetTables();
  });
  bus.onGap(() => tenants.forget());
  return tenants;
}
