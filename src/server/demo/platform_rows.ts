import type { Queryable } from '../db/database.ts';

/** Looks of the sign-in page by host: one of each. */
const BRANDS = [
  { subDomain: 'demo', host_pattern: 'demo.*', title: 'Acme group', login_variant: 'classic', menu_variant: 'standard', support_email: 'helpdesk@acmelifts.in', support_phone: '+914442351199' },
  { subDomain: 'demo', host_pattern: 'board.acme.test', title: 'Acme board', login_variant: 'board', menu_variant: 'board', support_email: 'secretary@acmelifts.in', support_phone: '+914442351199' },
  { subDomain: 'zenith', host_pattern: 'zenith.*', title: 'Zenith Facilities', login_variant: 'themed', menu_variant: 'standard', support_email: 'it@zenithfacilities.in', support_phone: '+918041287799' },
] as const;

const USER_TYPES = [['SUPER', 'Platform administrator'], ['SUPPORT', 'Support'], ['CONTENT', 'Content'], ['SALES', 'Sales'], ['PARTNER', 'Partner']] as const;

/** User types, brands, and the first platform administrator; rows that are there stay. */
export async function writePlatform(db: Queryable, passwordHash: string): Promise<void> {
  await db.query({
    text: `insert into public.user_type (code, name) select code, name from jsonb_to_recordset($1::jsonb) as r(code text, name text) on conflict do nothing`,
    values: [JSON.stringify(USER_TYPES.map(([code, name]) => ({ code, name })))],
  });
  await db.query({
    text: `insert into public.common_user (username, name, email, user_type_code, phc) values ($1, $2, $3, 'SUPER', $4) on conflict do nothing`,
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
