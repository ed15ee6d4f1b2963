import type { Directory } from '../db/directory.ts';
import { linkAddress, makeLink } from '../sessions/password_links.ts';

const USER_TYPES = [['SUPER', 'Platform administrator'], ['SUPPORT', 'Support'], ['CONTENT', 'Content'], ['SALES', 'Sales'], ['PARTNER', 'Partner']] as const;

/**
 * An installation without anybody who may look after it gets its first platform administrator, `platform`, without
 * a password. @returns the one-time address where the password is chosen; null when somebody has one already
 */
export async function firstAdminLink({ main }: Directory, address: string): Promise<string | null> {
  const [known] = await main.query<{ ready: boolean }>('select exists (select 1 from public.common_user where phc is not null) as ready');
  if (known?.ready) return null;
  return main.transaction(async (tx) => {
    await tx.query('insert into public.user_type (code, name) select * from unnest($1::text[], $2::text[]) on conflict do nothing', [USER_TYPES.map(([code]) => code), USER_TYPES.map(([, name]) => name)]);
    await tx.query(`insert into public.common_user (username, name, email, user_type_code) values ('platform', 'Platform administrator', 'platform@localhost', 'SUPER') on conflict do nothing`);
    const [user] = await tx.query<{ id: number }>(`select id from public.common_user where username = 'platform'`);
    return linkAddress(address, 'public', await makeLink(tx, 'public', user!.id, 'invite', null));
  });
}
