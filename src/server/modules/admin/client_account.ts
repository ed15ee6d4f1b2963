import type { FieldError } from '../../../descriptor/types.ts';
import { applyAccount } from '../../platform/clients/account.ts';
import { subDomainState } from '../../platform/clients/provision.ts';
import { PLATFORM_ZONE } from '../../db/subscription.ts';
import { dayIn } from '../../services/clock/client_day.ts';
import { timeZoneErrors } from '../../services/clock/zones.ts';
import type { Session } from '../../access/context.ts';
import { defineHooks } from '../../engine/records/hooks.ts';
import { isSubDomain, readHost } from '../../access/sessions/host.ts';

/** Email domains of free providers. */
async function free({ tenant }: Session, ...names: unknown[]): Promise<string> {
  for (const name of names) {
    const { suggestions } = await subDomainState({ main: tenant.db }, String(name ?? ''));
    if (suggestions.length > 0) return ` Free are ${suggestions.join(', ')}.`;
  }
  return '';
}

/** Own host names: not below the platform's, and not those of another client. */
async function hostErrors(
  { tenant }: Session,
  hosts: { host: string }[],
  id: number | null,
  baseDomains: string[],
): Promise<FieldError[]> {
  const errors: FieldError[] = [];
  const others = await tenant.db.query<{ host: string; name: string }>(
    `select d.host, a.name from public.client_account__domains d join public.client_account a on a.id = d.parent_id where d.host = any($1) and a.id is distinct from $2
     union select d.host, c.name from public.client_domain d join public.client c on c.id = d.client_id where d.host = any($1) and c.sub_domain is distinct from (select sub_domain from public.client_account where id = $2)`,
    [hosts.map(({ host }) => host), id],
  );
  for (const [at, { host }] of hosts.entries()) {
    const other = others.find((one) => one.host === host);
    if (readHost(host, baseDomains).kind !== 'foreign')
      errors.push({
        field: `domains.${at}.host`,
        message: `${host} is an address of the platform itself. Enter a host of the client's own domain.`,
      });
    else if (other)
      errors.push({ field: `domains.${at}.host`, message: `${host} is a host of ${other.name} already.` });
  }
  return errors;
}

/** Clients: their address is permanent, and changes here take effect for the client at once. */
export default defineHooks({
  async check(session, record, stored, _screens, { baseDomains }) {
    const errors: FieldError[] = [];
    const wanted = String(record.sub_domain ?? '');
    if (stored && stored.sub_domain !== wanted && stored.state !== 'draft')
      errors.push({ field: 'sub_domain', message: 'The address of a created client cannot be changed.' });
    else if (wanted !== '' && !isSubDomain(wanted))
      errors.push({
        field: 'sub_domain',
        message: `"${wanted}" cannot be an address: it is reserved or not well formed.${await free(session, wanted, record.name)}`,
      });
    else if (wanted !== '' && stored?.sub_domain !== wanted) {
      const [taken] = await session.tenant.db.query(
        'select 1 from public.client where sub_domain = $1 union select 1 from public.client_account where sub_domain = $1',
        [wanted],
      );
      if (taken)
        errors.push({
          field: 'sub_domain',
          message: `The sub-domain ${wanted} is taken.${await free(session, wanted)}`,
        });
    }
    errors.push(...timeZoneErrors(record));
    const day = record.switch_off_on as string | null;
    if (day && day !== stored?.switch_off_on && day <= dayIn(PLATFORM_ZONE))
      errors.push({ field: 'switch_off_on', message: 'Choose a future day, or switch the client off now.' });
    errors.push(
      ...(await hostErrors(
        session,
        (record.domains as { host: string }[] | null) ?? [],
        stored?.id ?? null,
        baseDomains,
      )),
    );
    return errors;
  },
  async saved(session, record) {
    await applyAccount(session.tenant.db, record.id);
  },
  leave(_session, stored, how) {
    if (how === 'activate' || stored.state === 'draft' || (how === 'deactivate' && stored.state === 'purged'))
      return null;
    return how === 'delete'
      ? 'A created client can be switched off, but not deleted.'
      : 'A created client can be switched off, but not hidden.';
  },
});
