import type { Session } from '../context.ts';
import { quoted } from '../db/names.ts';

type Values = Record<string, string>;

/** Dates as people here write them. */
const DAY = 'DD-MM-YYYY';

/**
 * What a notification would say today, for its preview: of the record that was changed last among those
 * it speaks of, so that names have the length they have in life. What has no record yet has a word in its place.
 */
export async function sampleValues(session: Session, words: readonly string[]): Promise<{ values: Values; record: string | null }> {
  const { tenant } = session;
  const s = quoted(tenant.schema);
  const first = async (type: string, text: string): Promise<Values> => {
    const [there] = await tenant.db.query<{ there: boolean }>('select to_regclass($1) is not null as there', [`${s}.${quoted(type)}`]);
    if (!there?.there) return {};
    const [row] = await tenant.db.query<Record<string, string | null>>(text, [session.entityIds]);
    return Object.fromEntries(Object.entries(row ?? {}).flatMap(([key, value]) => (value === null ? [] : [[key, value]])));
  };
  const asks = (...some: string[]) => some.some((word) => words.includes(word));
  const [account = {}] = await tenant.db.query<Values>(
    `select name, ${tenant.schema === 'public' ? 'email' : 'username'} as username, email, to_char(now() at time zone $2, '${DAY} HH24:MI') as time, to_char(now() at time zone $2, '${DAY}') as date from ${s}.${tenant.schema === 'public' ? 'common_user' : 'users'} where id = $1`,
    [session.userId, tenant.timezone]);
  const delegation = asks('from', 'to')
    ? await first('delegation', `select f.first_name || coalesce(' ' || f.last_name, '') as "from", t.first_name || coalesce(' ' || t.last_name, '') as "to", to_char(d.to_date, '${DAY}') as date, d.reason, d.number as record
        from ${s}.delegation d join ${s}.employee f on f.id = d.from_employee_id join ${s}.employee t on t.id = d.to_employee_id where d.entity_id = any($1) order by d.updated_at desc, d.id desc limit 1`)
    : {};
  const employee = asks('employee', 'empno', 'designation', 'manager')
    ? await first('employee', `select e.first_name || coalesce(' ' || e.last_name, '') as employee, e.empno, g.name as designation, b.name as branch, to_char(e.date_of_joining, '${DAY}') as date, m.first_name || coalesce(' ' || m.last_name, '') as manager, e.empno as record
        from ${s}.employee e left join ${s}.designation g on g.id = e.designation_id left join ${s}.branch b on b.id = e.branch_id left join ${s}.employee m on m.id = e.reporting_to_id
        where e.entity_id = any($1) order by e.updated_at desc, e.id desc limit 1`)
    : {};
  const comment = asks('record', 'text')
    ? await first('comment', `select u.name as actor, c.text, initcap(replace(c.record_type, '_', ' ')) || ' ' || c.record_id as record from ${s}.comment c join ${s}.users u on u.id = c.by where c.deleted_at is null and $1::bigint[] is not null order by c.id desc limit 1`)
    : {};
  const { record = null, ...found } = { ...comment, ...employee, ...delegation } as Values & { record?: string };
  const values: Values = {
    actor: session.userName, admin: session.userName, company: tenant.name, device: 'Chrome on Windows', ip: '203.0.113.7', hours: '72', minutes: '30', failures: '5', count: '3', change: 'switched on',
    ...account, ...found, ...(asks('record') && record !== null && { record }),
  };
  return { values: Object.fromEntries(words.map((word) => [word, values[word] ?? `[${word}]`])), record };
}
