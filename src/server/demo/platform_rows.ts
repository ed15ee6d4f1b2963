import { writeUserTypes } from '../clients/user_types.ts';
import type { Queryable } from '../db/database.ts';

/** Looks of the sign-in page by host: one of each. */
const BRANDS = [
  { subDomain: 'demo', host_pattern: 'demo.*', title: 'Acme group', login_variant: 'classic', menu_variant: 'standard', support_email: 'helpdesk@acmelifts.in', support_phone: '+914442351199' },
  { subDomain: 'demo', host_pattern: 'board.acme.test', title: 'Acme board', login_variant: 'board', menu_variant: 'board', support_email: 'secretary@acmelifts.in', support_phone: '+914442351199' },
  { subDomain: 'zenith', host_pattern: 'zenith.*', title: 'Zenith Facilities', login_variant: 'themed', menu_variant: 'standard', support_email: 'it@zenithfacilities.in', support_phone: '+918041287799' },
] as const;

/** User types, brands, and the first platform administrator; rows that are there stay. */
export async function writePlatform(db: Queryable, passwordHash: string): Promise<void> {
  await writeUserTypes(db);
  await db.query({
    text: `with made as (insert into public.common_user (username, name, email, user_type_id)
        select $1, $2, $3, id from public.user_type where code = 'SUPER' on conflict do nothing returning id)
      insert into public.credential (user_id, phc) select id, $4 from made`,
    values: ['platform', 'Latha Krishnan', 'platform@mainstay.example', passwordHash],
  });
  await db.query({
    text: `insert into public.brand (host_pattern, client_id, title, login_variant, menu_variant, support_email, support_phone)
      select r.host_pattern, c.id, r.title, r.login_variant, r.menu_variant, r.support_email, r.support_phone
      from jsonb_to_recordset($1::jsonb) as r("subDomain" text, host_pattern text, title text, login_variant text, menu_variant text, support_email text, support_phone text)
      join public.client c on c.sub_domain = r."subDomain"
      on conflict do nothing`,
    values: [JSON.stringify(BRANDS)],
  });
  await db.query(`insert into public.client_domain (host, client_id, verified_at)
    select 'board.acme.test', id, now() from public.client where sub_domain = 'demo' on conflict do nothing`);
}
