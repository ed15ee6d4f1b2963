import { resolveTxt } from 'node:dns/promises';
import { announce } from '../../db/announce.ts';
import type { Database, Queryable } from '../../db/database.ts';

/** A client's own host name, and how its ownership is verified. */
export interface ClientDomain {
  host: string;
  verified_at: string | null;
  /** Name and value of the verifying TXT record. */
  txt_name: string;
  txt_value: string;
}

/** Hosts of a client with their verification records. */
export async function domainsOf(on: Queryable, subDomain: string): Promise<ClientDomain[]> {
  const rows = await on.query<{ host: string; verified_at: string | null; verify_token: string | null }>(
    `select d.host, d.verified_at, d.verify_token from public.client_domain d join public.client c on c.id = d.client_id where c.sub_domain = $1 order by d.host`,
    [subDomain],
  );
  return rows.map(({ host, verified_at, verify_token: token }) => ({
    host,
    verified_at,
    txt_name: `_mainstay.${host}`,
    txt_value: `mainstay-verify=${token ?? ''}`,
  }));
}

/** Looks up missing verifications in DNS. @returns those verified now, and those not, with the reason */
export async function verifyDomains(
  main: Database,
  subDomain: string,
): Promise<{ verified: string[]; missing: { host: string; reason: string }[] }> {
  const verified: string[] = [];
  const missing: { host: string; reason: string }[] = [];
  for (const { host, txt_name: name, txt_value: value } of (await domainsOf(main, subDomain)).filter(
    (one) => one.verified_at === null,
  )) {
    const found = await resolveTxt(name).then(
      (records) => records.map((parts) => parts.join('')),
      (): string[] => [],
    );
    if (found.includes(value)) {
      await main.transaction(async (tx) => {
        await tx.query('update public.client_domain set verified_at = now() where host = $1', [host]);
        await announce(tx, { kind: 'client' });
      });
      verified.push(host);
    } else
      missing.push({
        host,
        reason:
          found.length === 0 ? `There is no TXT record ${name}.` : `The TXT record ${name} has a different value.`,
      });
  }
  return { verified, missing };
}
