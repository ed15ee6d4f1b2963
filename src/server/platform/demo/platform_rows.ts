import { writeUserTypes } from '../clients/user_types.ts';
import type { Queryable } from '../../db/database.ts';

/** Adds user types, the first platform administrator and a client's own domain; existing rows stay. */
export async function writePlatform(db: Queryable, passwordHash: string): Promise<void> {
  await writeUserTypes(db);
  await db.query({
    text: `with made as (insert into public.common_user (username, name, email, user_type_id)
        select $1, $2, $3, id from public.user_type where code = 'SUPER' on conflict do nothing returning id)
      insert into public.credential (user_id, phc) select id, $4 from made`,
    values: ['platform', 'Latha Krishnan', 'platform@mainstay.example', passwordHash],
  });
  await db.query(`insert into public.client_domain (host, client_id, verified_at)
    select 'board.acme.test', id, now() from public.client where sub_domain = 'demo' on conflict do nothing`);
}
