import type { Screen } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import { quoted } from '../../db/names.ts';
import type { Engine } from '../../engine/records/engine.ts';

type Values = Record<string, string>;

/** Dates in the local format. */
const DAY = 'DD-MM-YYYY';

/** The records of an event: their placeholder values in SQL on `r`, with `joins` in the schema {s}. */
const SOURCES: { events: RegExp; type: string; words: string; joins?: string }[] = [
  {
    events: /^delegation\./,
    type: 'delegation',
    words: `f.first_name || coalesce(' ' || f.last_name, '') as "from", t.first_name || coalesce(' ' || t.last_name, '') as "to", to_char(r.to_date, '${DAY}') as date, r.reason, r.number as record`,
    joins: 'join {s}.employee f on f.id = r.from_employee_id join {s}.employee t on t.id = r.to_employee_id',
  },
  {
    events: /^employee\./,
    type: 'employee',
    words: `r.first_name || coalesce(' ' || r.last_name, '') as employee, r.empno, g.name as designation, b.name as branch, to_char(r.date_of_joining, '${DAY}') as date, m.first_name || coalesce(' ' || m.last_name, '') as manager, r.empno as record`,
    joins:
      'left join {s}.designation g on g.id = r.designation_id left join {s}.branch b on b.id = r.branch_id left join {s}.employee m on m.id = r.reporting_to_id',
  },
  {
    events: /^approval\./,
    type: 'tis_inspection',
    words: `r.inspection_no as record, initcap(replace(r.status, '_', ' ')) as state, 'Inspections' as list, e.first_name || coalesce(' ' || e.last_name, '') as actor`,
    joins: 'left join {s}.employee e on e.id = r.surveyor_id',
  },
  {
    events: /^(user|password|login|mfa|email|account|session)\./,
    type: 'users',
    words: 'r.name, r.username, r.email, r.name as record',
  },
  { events: /^sync\./, type: 'sync_job', words: 'r.title as job, r.title as record' },
  { events: /^api\./, type: 'api_config', words: 'r.name, r.name as record' },
  { events: /^transcription\./, type: 'transcription', words: 'r.title, r.title as record' },
  { events: /^manual\./, type: 'user_manual', words: 'r.title, r.title as record' },
  {
    events: /^tis\./,
    type: 'tis_inspection',
    words: `r.lift_no as lift, r.building, r.customer_name as customer, r.inspection_no as number, e.first_name || coalesce(' ' || e.last_name, '') as surveyor, r.inspection_no as record`,
    joins: 'left join {s}.employee e on e.id = r.surveyor_id',
  },
];

/** The type of an event's records; null = none that can be chosen. */
export function recordTypeOf(event: string): string | null {
  return SOURCES.find(({ events }) => events.test(event))?.type ?? null;
}

/**
 * The current text of a notification, for its preview: for the chosen record, otherwise for the last changed one of its
 * type, so that names have realistic lengths. Placeholders without a record get a sample word. Nobody can read records
 * here that they could not open.
 * @throws AppError 404 for a chosen record that the person may not see
 */
export async function sampleValues(
  engine: Engine,
  screens: ReadonlyMap<string, Screen>,
  session: Session,
  event: string,
  words: readonly string[],
  chosen: number | null,
): Promise<{ values: Values; record: string | null }> {
  const { tenant } = session;
  const s = quoted(tenant.schema);
  const read = async (type: string, text: string, values: unknown[]): Promise<Values> => {
    const [there] = await tenant.db.query<{ there: boolean }>('select to_regclass($1) is not null as there', [
      `${s}.${quoted(type)}`,
    ]);
    if (!there?.there) return {};
    const [row] = await tenant.db.query<Record<string, string | null>>(text, values);
    return Object.fromEntries(
      Object.entries(row ?? {}).flatMap(([key, value]) => (value === null ? [] : [[key, value]])),
    );
  };
  const [account = {}] = await tenant.db.query<Values>(
    `select name, ${tenant.schema === 'public' ? 'email' : 'username'} as username, email, to_char(now() at time zone $2, '${DAY} HH24:MI') as time, to_char(now() at time zone $2, '${DAY}') as date from ${s}.${tenant.schema === 'public' ? 'common_user' : 'users'} where id = $1`,
    [session.userId, tenant.timezone],
  );
  const source = SOURCES.find(({ events }) => events.test(event));
  const screen = source && screens.get(source.type);
  let found: Values & { record?: string } = {};
  if (source && screen && tenant.schema !== 'public' && session.rights.refuse(screen, 'landing') === null) {
    // Read with the person's rights, so that other people's rows are not exposed.
    if (chosen !== null) await engine.read(session, screen, chosen);
    const where =
      chosen !== null
        ? 'r.id = $1'
        : screen.scope === 'entity'
          ? 'r.entity_id = any($1)'
          : source.type === 'users'
            ? 'r.id = $1'
            : '$1::bigint[] is not null';
    found = await read(
      source.type,
      `select ${source.words} from ${s}.${quoted(source.type)} r ${(source.joins ?? '').replaceAll('{s}', s)} where ${where} order by r.updated_at desc, r.id desc limit 1`,
      [chosen ?? (source.type === 'users' ? session.userId : session.entityIds)],
    );
  } else if (['comment', 'mention'].includes(event)) {
    found = await read(
      'comment',
      `select u.name as actor, c.text, initcap(replace(c.record_type, '_', ' ')) || ' ' || c.record_id as record from ${s}.comment c join ${s}.users u on u.id = c.by where c.deleted_at is null and c.by is not null order by c.id desc limit 1`,
      [],
    );
  }
  const { record = null, ...own } = found;
  const values: Values = {
    actor: session.userName,
    admin: session.userName,
    company: tenant.name,
    device: 'Chrome on Windows',
    ip: '203.0.113.7',
    hours: '72',
    minutes: '30',
    failures: '5',
    count: '3',
    change: 'switched on',
    ...account,
    ...own,
    ...(words.includes('record') && record !== null && { record }),
  };
  return { values: Object.fromEntries(words.map((word) => [word, values[word] ?? `[${word}]`])), record };
}
