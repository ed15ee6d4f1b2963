import type { TenantHost } from './host.ts';
import { bareHost } from './host.ts';
import type { SessionServices } from './services.ts';

/** How the product is named and coloured on a host. */
export interface Brand {
  title: string;
  logo: string | null;
  favicon: string | null;
  primary: string | null;
  login_variant: 'board' | 'classic' | 'themed';
  menu_variant: 'standard' | 'board';
  label_overrides: Record<string, string>;
  links: { name: string; url: string }[];
  support_email: string | null;
  support_phone: string | null;
}

const PRODUCT: Brand = {
  title: 'Mainstay',
  logo: null,
  favicon: null,
  primary: null,
  login_variant: 'classic',
  menu_variant: 'standard',
  label_overrides: {},
  links: [],
  support_email: null,
  support_phone: null,
};

const FRESH_MS = 30_000;

/** Brands by host pattern, then by client, then the product's own. `*` in a pattern stands for anything. */
export function createBrands(services: SessionServices): { of(host: string, tenantHost: TenantHost): Promise<Brand> } {
  let rows: (Brand & { host_pattern: string; sub_domain: string | null })[] = [];
  let readAt = -Infinity;
  services.bus.on((message) => {
    if (message.kind === 'client') readAt = -Infinity;
  });
  return {
    async of(header, tenantHost) {
      if (performance.now() - readAt > FRESH_MS) {
        readAt = performance.now();
        rows = await services.directory.main.query(
          `select b.host_pattern, c.sub_domain, b.title, b.logo, b.favicon, b.primary_color as primary, b.login_variant, b.menu_variant,
             b.label_overrides, b.links, b.support_email, b.support_phone
           from public.brand b left join public.client c on c.id = b.client_id order by length(b.host_pattern) desc, b.id`,
        );
      }
      const host = bareHost(header);
      const byHost = rows.find((row) => matches(row.host_pattern, host));
      const found = byHost ?? (tenantHost.kind === 'tenant' ? rows.find((row) => row.sub_domain === tenantHost.subDomain) : undefined);
      if (!found) return PRODUCT;
      const { host_pattern: _pattern, sub_domain: _client, ...brand } = found;
      return brand;
    },
  };
}

function matches(pattern: string, host: string): boolean {
  const escaped = pattern.toLowerCase().split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${escaped.join('.*')}$`).test(host);
}
