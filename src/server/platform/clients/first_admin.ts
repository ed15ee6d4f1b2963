import type { Directory } from '../../db/directory.ts';
import { SETTING_DEFAULTS } from '../../services/settings/client_settings.ts';
import { linkAddress, makeLink } from '../../access/sessions/password_links.ts';
import { writeUserTypes } from './user_types.ts';

/**
 * Creates the first platform administrator, `platform`, without a password, if an installation has none. @returns the
 * one-time address for choosing the password; null if somebody already has one
 */
export async function firstAdminLink({ main }: Directory, address: string): Promise<string | null> {
  const [known] = await main.query<{ ready: boolean }>('select exists (select 1 from public.credential) as ready');
  if (known?.ready) return null;
  return main.transaction(async (tx) => {
    await writeUserTypes(tx);
    await tx.query(
      `insert into public.common_user (username, name, email, user_type_id) select 'platform', 'Platform administrator', 'platform@localhost', id from public.user_type where code = 'SUPER' on conflict do nothing`,
    );
    const [user] = await tx.query<{ id: number }>(`select id from public.common_user where username = 'platform'`);
    return linkAddress(address, 'public', await makeLink(tx, 'public', user!.id, 'invite', null, SETTING_DEFAULTS));
  });
}
