import { createStore } from './store.ts';

export type LoginVariant = 'board' | 'classic' | 'themed';

/** The product's name and colours on this host; GET /api/host. */
export interface Brand {
  title: string;
  logo: string | null;
  favicon: string | null;
  /** Hex colour of the theme; null = the product's own. */
  primary: string | null;
  loginVariant: LoginVariant;
  menuVariant: 'standard' | 'board';
  supportEmail: string | null;
  supportPhone: string | null;
  /** Shown below the sign-in. */
  links: { name: string; url: string }[];
}

/** The host's information about the client before signing in. */
export interface HostInfo {
  /** The client's sub-domain; null = the person must enter it. */
  subDomain: string | null;
  /** The platform's own host. */
  admin: boolean;
  /** False: there is no client at this host. */
  known: boolean;
  brand: Brand;
  /** An update ends the session. */
  endsOnUpdate?: boolean;
  /** Absent: the product's default rules. */
  password?: PasswordRules;
}

/** The client's password requirements. */
export interface PasswordRules {
  minLength: number;
  /** Outer spaces do not count. */
  trim: boolean;
  /** The validity of a password link. */
  linkMinutes: number;
}

export const productBrand: Brand = {
  title: 'Mainstay',
  logo: null,
  favicon: null,
  primary: null,
  loginVariant: 'classic',
  menuVariant: 'standard',
  supportEmail: null,
  supportPhone: null,
  links: [],
};

export const host = createStore<HostInfo | null>(null);

export function useBrand(): Brand {
  return host.use()?.brand ?? productBrand;
}

interface HostAnswer {
  force_reload_on_new_version?: boolean;
  password?: { min_length?: number; trim?: boolean; link_minutes?: number };
  known?: boolean;
  admin?: boolean;
  sub_domain?: string | null;
  brand?: {
    title?: string | null;
    logo?: string | null;
    favicon?: string | null;
    primary?: string | null;
    login_variant?: string | null;
    menu_variant?: string | null;
    support_email?: string | null;
    support_phone?: string | null;
    links?: Brand['links'];
  } | null;
}

function loginVariant(value: string | null | undefined): LoginVariant {
  return value === 'board' || value === 'themed' ? value : 'classic';
}

/** Parses the server's answer; missing values are the product's own. */
export function readHost(status: number, body: unknown): HostInfo {
  const answer = ((body as { data?: HostAnswer } | null)?.data ?? body ?? {}) as HostAnswer;
  const brand = answer.brand ?? {};
  return {
    subDomain: answer.sub_domain ?? null,
    admin: answer.admin ?? false,
    known: status !== 404 && answer.known !== false,
    endsOnUpdate: answer.force_reload_on_new_version === true,
    password: {
      minLength: answer.password?.min_length ?? 10,
      trim: answer.password?.trim !== false,
      linkMinutes: answer.password?.link_minutes ?? 30,
    },
    brand: {
      title: brand.title || productBrand.title,
      logo: brand.logo ?? null,
      favicon: brand.favicon ?? null,
      primary: brand.primary && /^#[0-9a-f]{6}$/i.test(brand.primary) ? brand.primary : null,
      loginVariant: loginVariant(brand.login_variant),
      menuVariant: brand.menu_variant === 'board' ? 'board' : 'standard',
      supportEmail: brand.support_email ?? null,
      supportPhone: brand.support_phone ?? null,
      links: brand.links ?? [],
    },
  };
}

/** Asks the server about this host; without an answer the sign-in page shows all fields. */
export async function loadHost(): Promise<void> {
  try {
    const response = await fetch('/api/host', { headers: { accept: 'application/json' } });
    host.set(readHost(response.status, await response.json().catch(() => null)));
  } catch {
    host.set(readHost(0, null));
  }
}
