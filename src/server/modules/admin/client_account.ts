import type { FieldError } from '../../../descriptor/types.ts';
import { defineHooks } from '../../records/hooks.ts';
import { isSubDomain } from '../../sessions/host.ts';

/** Clients: their address is for good, and what is changed here holds for the client at once. */
export default defineHooks({
  async check(session, record, stored) {
    const errors: FieldError[] = [];
    const wanted = String(record.sub_domain ?? '');
    if (stored && stored.sub_domain !== wanted && stored.state !== 'draft') errors.push({ field: 'sub_domain', message: 'The address of a client that has been made cannot be changed.' });
    else if (wanted !== '' && !isSubDomain(wanted)) errors.push({ field: 'sub_domain', message: `"${wanted}" is a reserved name. Choose another.` });
    else if (wanted !== '' && stored?.sub_domain !== wanted) {
      const [taken] = await session.tenant.db.query('select 1 from public.client where sub_domain = $1', [wanted]);
      if (taken) errors.push({ field: 'sub_domain', message: `The sub-domain ${wanted} is taken.` });
    }
    return errors;
  },
  async saved(session, record) {
    await session.tenant.db.query(
      `update public.client c set name = $2, licensed_users = $3, valid_from = $4, valid_to = $5, timezone = $6, version = version + 1, updated_at = now(),
         products = (select coalesce(array_agg(p.code order by p.code), '{}') from public.client_account__products x join public.product p on p.id = x.product_id where x.parent_id = $7)
       where c.sub_domain = $1`,
      [record.sub_domain, record.name, record.licensed_users, record.valid_from, record.valid_to, record.timezone ?? 'Asia/Kolkata', record.id]);
  },
  leave(_session, stored, how) {
    return how === 'delete' && stored.state !== 'draft' ? 'A client that has been made is switched off, not deleted.' : null;
  },
});
