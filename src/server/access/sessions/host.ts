/** The tenant information in a host name, before any look-up. */
export type HostName =
  /** `<sub>.<base domain>`. */
  | { kind: 'tenant'; subDomain: string }
  /** The platform's own administration. */
  | { kind: 'admin' }
  /** No usable sub-domain: the person enters it on the sign-in page. */
  | { kind: 'none' }
  /** Not below a base domain: possibly a client's own domain. */
  | { kind: 'foreign'; host: string }
  /** Nobody can live here. */
  | { kind: 'invalid' };

/** {@link HostName} after the look-up of client domains. */
export type TenantHost = Exclude<HostName, { kind: 'foreign' } | { kind: 'invalid' }> | { kind: 'unknown' };

const SUB_DOMAIN = /^[a-z][a-z0-9-]{0,28}[a-z0-9]$/;
const RESERVED = new Set('www app api admin mail static cdn analytics status localhost public'.split(' '));

/** True for a valid client name: 2 to 30 lower-case letters, digits and hyphens, not reserved. */
export function isSubDomain(name: string): boolean {
  return SUB_DOMAIN.test(name) && !RESERVED.has(name);
}

/** `north-star` → `cmp_north_star`; the platform is `public`. */
export function schemaOf(subDomain: string): string {
  return subDomain === 'admin' ? 'public' : `cmp_${subDomain.replaceAll('-', '_')}`;
}

/** Host header without port, final dot and upper case; an IPv6 address without brackets. */
export function bareHost(header: string): string {
  const host = header.trim().toLowerCase();
  if (host.startsWith('[')) return host.slice(1, host.indexOf(']'));
  return host.replace(/:\d+$/, '').replace(/\.$/, '');
}

/** Parses a host header using the platform's base domains. */
export function readHost(header: string, baseDomains: string[]): HostName {
  const host = bareHost(header);
  if (host === '') return { kind: 'invalid' };
  if (/^[\d.]+$/.test(host) || host.includes(':')) return { kind: 'none' };
  for (const base of baseDomains) {
    if (host === base) return { kind: 'none' };
    if (!host.endsWith(`.${base}`)) continue;
    const label = host.slice(0, -base.length - 1);
    if (label === 'www') return { kind: 'none' };
    if (label === 'admin') return { kind: 'admin' };
    // Deeper names can only be clients' own domains.
    if (label.includes('.')) continue;
    return isSubDomain(label) ? { kind: 'tenant', subDomain: label } : { kind: 'invalid' };
  }
  return { kind: 'foreign', host };
}

/**
 * The sub-domain entered at sign-in: `acme`, `cmp_acme`, `admin` and `public` are accepted, ignoring case. null =
 * invalid; "" = none given.
 */
export function readPrefix(prefix: string): string | null {
  const given = prefix.trim().toLowerCase();
  if (given === '') return '';
  if (given === 'admin' || given === 'public') return 'admin';
  const name = given.startsWith('cmp_') ? given.slice(4).replaceAll('_', '-') : given;
  return isSubDomain(name) ? name : null;
}
