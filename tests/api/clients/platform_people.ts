import { randomBytes } from 'node:crypto';
import { storePassword } from '../../../src/server/access/people/accounts.ts';
import { hashPassword } from '../../../src/server/access/sessions/password.ts';
import type { Caller, TestTenant, World } from '../world.ts';
import { PASSWORD } from '../world.ts';

/** The administration host. */
export const ADMIN = { host: 'admin.localhost:3000' } as TestTenant;

/** Somebody of the platform, of a user type (those must be there), signed in. */
export async function platformPerson(world: World, type: string): Promise<Caller & { username: string }> {
  const { main } = world.database.directory;
  const username = `${type.toLowerCase()}-${randomBytes(4).toString('hex')}`;
  const [made] = await main.query<{ id: number }>(
    'insert into public.common_user (username, name, email, user_type_id) select $1, $1, $2, id from public.user_type where code = $3 returning id',
    [username, `${username}@mainstay.example`, type],
  );
  await storePassword(main, 'public', made!.id, await hashPassword(PASSWORD));
  return { ...(await world.signIn(ADMIN, username)), username };
}
