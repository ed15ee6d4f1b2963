import type { Tenant } from '../../db/tenant.ts';

/** Address of a tenant's pages, without a trailing slash: the base of links in mails. Never taken from a request. */
export function addressOf(
  { publicUrl, baseDomains, port }: { publicUrl: URL | undefined; baseDomains: string[]; port: number },
  tenant: Pick<Tenant, 'subDomain' | 'schema'>,
): string {
  const sub = tenant.schema === 'public' ? 'admin' : tenant.subDomain;
  if (publicUrl === undefined) return `http://${sub}.${baseDomains[0] ?? 'localhost'}${port === 80 ? '' : `:${port}`}`;
  const base = baseDomains.find((domain) => publicUrl.hostname === domain || publicUrl.hostname.endsWith(`.${domain}`));
  return base === undefined
    ? publicUrl.origin
    : `${publicUrl.protocol}//${sub}.${base}${publicUrl.port ? `:${publicUrl.port}` : ''}`;
}
