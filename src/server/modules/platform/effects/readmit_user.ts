import { readAccount } from '../../../access/people/accounts.ts';
import { invite } from '../../../access/people/invitations.ts';
import type { Effect } from '../../../engine/modules.ts';

/** A readmitted user with a password signs in with it and must change it; the others get a new invitation. */
export const readmitUser: Effect = {
  async apply({ unit, services, record }) {
    const { tenant } = unit.session;
    const account = await readAccount(tenant, record.id);
    if (typeof account?.phc !== 'string') {
      const [name, email, username] = [record.name, record.email, record.username].map(String) as [
        string,
        string,
        string,
      ];
      if (record.is_service !== true) await invite(services, tenant, { id: record.id, name, email, username });
      return;
    }
    await unit.update('users', record.id, { must_change_password: true });
    await unit.takeAuto('users', record.id, 'accept');
  },
};
