import type { Database } from '../../db/database.ts';

/** How many enquiries people who are not signed in have sent within the last hour. */
export async function enquiriesOfLastHour(main: Database): Promise<number> {
  const [many] = await main.query<{ n: number }>(
    `select count(*)::int as n from public.contact where created_at > now() - interval '1 hour' and page is not null and created_by = 0`,
  );
  return many?.n ?? 0;
}

/** The platform users who may edit a screen, and so are notified of new entries. */
export async function editorsOf(main: Database, screenCode: string): Promise<number[]> {
  const people = await main.query<{ id: number }>(
    `select u.id from public.common_user u join public.user_type t on t.id = u.user_type_id
     where u.active and u.partner_id is null and (t.is_super or exists (select 1 from public.common_right r where r.user_type_id = t.id and r.screen_code = $1 and r.edit_screen))`,
    [screenCode],
  );
  return people.map(({ id }) => id);
}

/** The lead source for the public site. */
export async function webLeadSource(main: Database): Promise<number | null> {
  const [source] = await main.query<{ id: number }>(
    `select id from public.admin_lead_source where active and channel = 'web' order by id limit 1`,
  );
  return source?.id ?? null;
}
