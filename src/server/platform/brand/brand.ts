import type { Screen } from '../../../descriptor/types.ts';
import { matchesWildcard } from '../../../domain/wildcard.ts';
import type { Tenant } from '../../db/tenant.ts';
import type { Queryable } from '../../db/database.ts';
import { quoted } from '../../db/names.ts';
import type { MailHead } from '../../services/mail/mail_html.ts';
import type { TenantHost } from '../../access/sessions/host.ts';
import { bareHost } from '../../access/sessions/host.ts';
import type { SessionServices } from '../../access/sessions/services.ts';
import { platformTenant } from '../../access/sessions/tenants.ts';

/** The product's name and colours on a host. */
export interface Brand {
  title: string;
  /** Public addresses of pictures. */
  logo: string | null;
  favicon: string | null;
  primary: string | null;
  login_variant: 'board' | 'classic' | 'themed';
  menu_variant: 'standard' | 'board';
  links: { name: string; url: string }[];
  support_email: string | null;
  support_phone: string | null;
}

/** A brand picture, addressed by its fingerprint, so that it can be cached forever. */
export interface BrandPicture {
  tenant: Tenant;
  file: number;
}

export interface Brands {
  /** By host pattern, then by client, then the product's own; with the client's own settings on top. */
  of(host: string, tenantHost: TenantHost): Promise<Brand>;
  /** The picture at the address, if the host's brand shows it. */
  picture(host: string, tenantHost: TenantHost, name: string): Promise<BrandPicture | null>;
  /**
   * The design of mails whose links begin with this address of the tenant.
   * @param on the caller's connection: a caller that holds one must not wait for another of the same database
   */
  headOf(on: Queryable, tenant: Tenant, address: string): Promise<MailHead>;
  /** Records of a type were stored: a brand changes at the next load. */
  stored(tenant: Tenant, type: string): void;
}

const PRODUCT: Brand = {
  title: 'Mainstay',
  logo: null,
  favicon: null,
  primary: null,
  login_variant: 'classic',
  menu_variant: 'standard',
  links: [],
  support_email: null,
  support_phone: null,
};

const FRESH_MS = 30_000;
/** Of somebody who holds a connection while brands are read. */
const PATIENCE_MS = 250;

interface Picture {
  id: number;
  sha256: string;
}

interface Look {
  title: string | null;
  primary: string | null;
  logo: Picture | null;
  icon: Picture | null;
  support_email: string | null;
  support_phone: string | null;
}

interface Row extends Look, Pick<Brand, 'login_variant' | 'menu_variant' | 'links'> {
  title: string;
  host_pattern: string;
  sub_domain: string | null;
  client_may_change: boolean;
}

interface Found {
  brand: Brand;
  /** A configured brand, not the product's own. */
  named: boolean;
  pictures: Map<string, BrandPicture>;
}

const TYPE = 'brand';
const OWN_TYPE = 'brand_setting';

/** Brands are rows of the platform, and one of each client; they are reloaded when one is stored. */
export function createBrands(
  services: Pick<SessionServices, 'directory' | 'bus' | 'tenants'>,
  screens: () => Map<string, Screen>,
): Brands {
  const platform = platformTenant(services.directory);
  let rows: { at: number; read: Promise<Row[]> } | null = null;
  let last: Row[] | null = null;
  const own = new Map<string, { at: number; read: Promise<Look | null> }>();

  services.bus.on((message) => {
    if (message.kind === 'client') forget();
    else if (message.kind === 'settings') own.delete(message.schema);
    else if (message.kind === 'records' && message.changes.some(([type]) => type === TYPE)) forget();
  });
  services.bus.onGap(forget);

  function forget(): void {
    rows = null;
    own.clear();
    if (last !== null) brandRows().catch(() => undefined);
  }

  async function readRows(): Promise<Row[]> {
    if (!screens().has(TYPE)) return [];
    // Mails are written inside transactions: waiting with a held connection could deadlock, so the wait is limited.
    const { aside } = platform.db;
    // The tables come with their first use.
    const tables = await Promise.all(
      ['brand', 'brand__links', 'client_account'].map((table) => isThere(aside, `public.${table}`)),
    );
    if (tables.includes(false)) return [];
    return aside.query<Row>(
      `select b.host_pattern, a.sub_domain, b.title, b.primary_color as primary, b.login_variant, b.menu_variant, coalesce(b.client_may_change, true) as client_may_change,
         b.support_email, b.support_phone, ${picture('public', 'b.logo')} as logo, ${picture('public', 'b.icon')} as icon,
         coalesce((select json_agg(json_build_object('name', l.name, 'url', l.url) order by l.id) from public.brand__links l where l.parent_id = b.id), '[]') as links
       from public.brand b left join public.client_account a on a.id = b.client_account_id where b.active order by length(b.host_pattern) desc, b.id`,
    );
  }

  async function readOwn(on: Queryable, schema: string): Promise<Look | null> {
    const s = quoted(schema);
    // The table comes with its first use.
    if (!(await isThere(on, `${s}.brand_setting`))) return null;
    const [row] = await on.query<Look>(
      `select b.title, b.primary_color as primary, b.support_email, b.support_phone, ${picture(s, 'b.logo')} as logo, ${picture(s, 'b.icon')} as icon from ${s}.brand_setting b where b.active order by b.id limit 1`,
    );
    return row ?? null;
  }

  function brandRows(): Promise<Row[]> {
    if (!rows || performance.now() - rows.at > FRESH_MS) {
      const entry = { at: performance.now(), read: readRows() };
      rows = entry;
      entry.read.then(
        (read) => (last = read),
        () => {
          if (rows === entry) rows = null;
        },
      );
    }
    return rows.read;
  }

  /**
   * The same for a caller that holds a connection: it waits only briefly for a second one, and otherwise gets the
   * cached value.
   */
  function brandRowsAtHand(): Row[] | Promise<Row[]> {
    const [read, before] = [brandRows(), last];
    if (before === null) return read;
    const patience = new Promise<Row[]>((resolve) => void setTimeout(() => resolve(before), PATIENCE_MS));
    return Promise.race([read.catch(() => before), patience]);
  }

  function ownOf(tenant: Tenant, on: Queryable): Promise<Look | null> {
    let entry = own.get(tenant.schema);
    if (!entry || performance.now() - entry.at > FRESH_MS) {
      if (own.size > 5_000) own.clear();
      const made = { at: performance.now(), read: readOwn(on, tenant.schema) };
      own.set(tenant.schema, (entry = made));
      made.read.catch(() => {
        if (own.get(tenant.schema) === made) own.delete(tenant.schema);
      });
    }
    return entry.read;
  }

  async function find(header: string, tenantHost: TenantHost, on?: Queryable, of?: Tenant): Promise<Found> {
    const known = await (on ? brandRowsAtHand() : brandRows());
    const host = bareHost(header);
    const row =
      known.find(({ host_pattern: pattern }) => matchesWildcard(pattern, host)) ??
      (tenantHost.kind === 'tenant' ? known.find(({ sub_domain: sub }) => sub === tenantHost.subDomain) : undefined);
    const tenant =
      tenantHost.kind === 'tenant' && row?.client_may_change !== false
        ? (of ?? (await services.tenants.bySubDomain(tenantHost.subDomain)))
        : null;
    const set = tenant ? await ownOf(tenant, on ?? tenant.db) : null;
    const pictures = new Map<string, BrandPicture>();
    const address = (kind: 'logo' | 'icon'): string | null => {
      const [holder, found] = tenant && set?.[kind] ? [tenant, set[kind]] : [platform, row?.[kind] ?? null];
      if (!found) return null;
      const name = `${kind}-${found.sha256.slice(0, 20)}`;
      pictures.set(name, { tenant: holder, file: found.id });
      return `/brand_picture/${name}`;
    };
    const base = row ?? PRODUCT;
    return {
      brand: {
        title: set?.title ?? base.title,
        logo: address('logo'),
        favicon: address('icon'),
        primary: set?.primary ?? base.primary,
        login_variant: base.login_variant,
        menu_variant: base.menu_variant,
        links: base.links,
        support_email: set?.support_email ?? base.support_email,
        support_phone: set?.support_phone ?? base.support_phone,
      },
      named: row !== undefined || typeof set?.title === 'string',
      pictures,
    };
  }

  return {
    of: async (header, tenantHost) => (await find(header, tenantHost)).brand,
    picture: async (header, tenantHost, name) => (await find(header, tenantHost)).pictures.get(name) ?? null,
    async headOf(on, tenant, address) {
      const { brand, named } = await find(
        new URL(address).host,
        tenant.schema === 'public' ? { kind: 'admin' } : { kind: 'tenant', subDomain: tenant.subDomain },
        on,
        tenant,
      );
      return {
        name: named ? brand.title : tenant.name,
        primary: brand.primary,
        logo: brand.logo && address + brand.logo,
      };
    },
    stored(_tenant, type) {
      if (type === TYPE || type === OWN_TYPE) forget();
    },
  };
}

async function isThere(on: Queryable, table: string): Promise<boolean> {
  const [found] = await on.query<{ there: boolean }>({
    name: 'brand_there',
    text: 'select to_regclass($1) is not null as there',
    values: [table],
  });
  return found?.there === true;
}

/** The picture in a column, with its fingerprint. */
function picture(schema: string, column: string): string {
  return `(select json_build_object('id', f.id, 'sha256', f.sha256) from ${schema}.file f where f.id = ${column})`;
}
