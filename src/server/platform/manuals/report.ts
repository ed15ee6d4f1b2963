import { quoted } from '../../db/names.ts';
import type { Tenant } from '../../db/tenant.ts';

/** The number of answers from which a chapter is reported if half of its readers did not find it useful. */
const FEW_READERS = 1;

/** The codes of the screens that a published manual describes. */
export async function describedScreens({ db, schema }: Tenant): Promise<Set<string>> {
  const s = quoted(schema);
  const rows = await db.query<{ screen_code: string }>(
    `select distinct c.screen_code from ${s}.user_manual_chapter c join ${s}.user_manual m on m.id = c.manual_id where c.active and m.active and m.state = 'published' and c.screen_code is not null`,
  );
  return new Set(rows.map((row) => row.screen_code));
}

/** Chapters with poor feedback, and how often chapters were read. */
export async function chaptersOfReport(tenant: Tenant): Promise<{ not_useful: object[]; read: object[] }> {
  const s = quoted(tenant.schema);
  const chapters = await tenant.db.query(
    `select c.id as chapter_id, c.heading, m.batch_value, m.full_title as manual, count(*) filter (where f.useful)::int as useful, count(*) filter (where not f.useful)::int as not_useful,
       coalesce(array_agg(f.remark order by f.updated_at desc) filter (where not f.useful and f.remark is not null), '{}') as remarks
     from ${s}.manual_feedback f join ${s}.user_manual_chapter c on c.id = f.chapter_id join ${s}.user_manual m on m.id = c.manual_id
     where f.active and c.active and m.active group by c.id, m.id
     having count(*) >= ${FEW_READERS} and count(*) filter (where not f.useful) * 2 >= count(*) order by not_useful desc, c.id limit 200`,
  );
  const read = await tenant.db.query(
    `select c.id as chapter_id, c.heading, m.batch_value, m.full_title as manual, coalesce(c.reads, 0) as reads from ${s}.user_manual_chapter c join ${s}.user_manual m on m.id = c.manual_id
     where c.active and m.active and m.state = 'published' order by reads desc, lower(c.heading), c.id limit 200`,
  );
  return { not_useful: chapters, read };
}
