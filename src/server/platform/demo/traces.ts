import { createHash } from 'node:crypto';
import type { Tenant } from '../../db/tenant.ts';
import type { Queryable } from '../../db/database.ts';
import { quoted } from '../../db/names.ts';
import { chain } from '../../services/audit/audit.ts';
import { addDays } from './dates.ts';
import { Random } from './random.ts';

const SIGN_INS = 1_200;
const ACTIVITIES = 2_000;
const MESSAGES = 400;
const DAYS = 120;
const SEED = 20_260_401;
/** Every n-th person has been inactive for a number of days. */
const IDLE = 19;
const IDLE_DAYS = 95;

const BROWSERS = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
  'Mozilla/5.0 (Linux; Android 15; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36',
  'Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:142.0) Gecko/20100101 Firefox/142.0',
];

interface User {
  id: number;
  username: string;
}

/** Only their order distinguishes rows: earlier events come first. */
const byTime = (a: { at: string }, b: { at: string }) => a.at.localeCompare(b.at);

/**
 * Adds traces of the sample company's people: sign-ins, an activity log with a valid chain, and messages, nearly all
 * read.
 */
export async function addTraces(tenant: Tenant, today: string): Promise<void> {
  const { db, schema } = tenant;
  const s = quoted(schema);
  await db.transaction(async (tx) => {
    const users = await tx.query<User>(
      `select id, username from ${s}.users where active and status = 'active' and not coalesce(is_service, false) order by id`,
    );
    const roles = await tx.query<{ id: number }>(`select id from ${s}.role where active order by id`);
    if (users.length === 0 || (await tx.query(`select 1 from ${s}.login_attempt limit 1`)).length > 0) return;
    const random = new Random(SEED);
    /** A time in office hours of a working day in the last months, at the latest yesterday. */
    const moment = () => {
      let day = addDays(today, -random.int(1, DAYS));
      if (new Date(`${day}T00:00:00Z`).getUTCDay() === 0) day = addDays(day, -1);
      return new Date(Date.parse(`${day}T03:15:00Z`) + random.int(0, 9 * 3600) * 1000).toISOString();
    };
    const address = (user: User) => `203.0.113.${10 + (user.id % 60)}`;
    await signIns(tx, s, users, random, moment, address);
    await activities(tx, schema, users, roles, random, moment, address);
    await messages(tx, s, users, random, today);
    await escalations(tx, s, today);
    await tx.query(
      `update ${s}.user_manual_chapter c set reads = (c.id * 37) % 83 from ${s}.user_manual m where m.id = c.manual_id and m.state = 'published'`,
    );
  });
}

async function signIns(
  tx: Queryable,
  s: string,
  users: User[],
  random: Random,
  moment: () => string,
  address: (user: User) => string,
): Promise<void> {
  const rows = Array.from({ length: SIGN_INS }, () => {
    const user = random.pick(users);
    const outcome = random.chance(0.93) ? 'success' : random.chance(0.8) ? 'bad_password' : 'locked';
    return {
      at: user.id % IDLE === 0 ? new Date(Date.parse(moment()) - IDLE_DAYS * 86_400_000).toISOString() : moment(),
      identifier_hash: createHash('sha256').update(user.username).digest('hex'),
      user_id: user.id,
      network: '203.0.113.0/24',
      ip: address(user),
      user_agent: random.pick(BROWSERS),
      outcome,
      device_known: random.chance(0.85),
    };
  }).sort(byTime);
  await write(
    tx,
    `${s}.login_attempt`,
    ['at', 'identifier_hash', 'user_id', 'network', 'ip', 'user_agent', 'outcome', 'device_known'],
    rows,
  );
}

async function activities(
  tx: Queryable,
  schema: string,
  users: User[],
  roles: { id: number }[],
  random: Random,
  moment: () => string,
  address: (user: User) => string,
): Promise<void> {
  const entries = Array.from({ length: ACTIVITIES }, () => {
    const user = random.pick(users);
    const kind = random.next();
    const what: { action: string; type: string | null; target: number | null; summary: string | null } =
      kind < 0.62
        ? { action: 'login', type: 'user', target: user.id, summary: null }
        : kind < 0.8
          ? { action: 'logout', type: null, target: null, summary: null }
          : kind < 0.85
            ? { action: 'login_failed', type: null, target: null, summary: 'bad_password' }
            : kind < 0.9
              ? {
                  action: 'export',
                  type: random.pick(['employee', 'branch', 'outlet', 'material_mstr']),
                  target: null,
                  summary: `${random.int(60, 900)} rows`,
                }
              : kind < 0.94
                ? { action: 'company_switch', type: 'entity', target: random.int(1, 3), summary: null }
                : kind < 0.97
                  ? { action: 'password_change', type: 'user', target: user.id, summary: null }
                  : kind < 0.985 || roles.length === 0
                    ? {
                        action: 'import',
                        type: 'outlet',
                        target: null,
                        summary: `${random.int(3, 40)} added, ${random.int(0, 12)} changed`,
                      }
                    : {
                        action: 'rights.save',
                        type: 'role',
                        target: random.pick(roles).id,
                        summary: `${random.int(1, 14)} changes`,
                      };
    // Changes to the client as a whole are made by its administrator.
    return {
      at: moment(),
      user: what.action === 'rights.save' || what.action === 'import' ? users[0]! : user,
      ...what,
    };
  }).sort(byTime);
  await chain(
    tx,
    schema,
    entries.map(({ at, user, action, type, target, summary }) => ({
      at,
      actor: user.id,
      ip: address(user),
      action,
      ...(type !== null && { target: target === null ? type : `${type}:${target}` }),
      ...(summary !== null && { summary }),
    })),
  );
}

async function messages(tx: Queryable, s: string, users: User[], random: Random, today: string): Promise<void> {
  const [manual] = await tx.query<{ batch_value: string; full_title: string }>(
    `select batch_value, full_title from ${s}.user_manual where active and state = 'published' order by id limit 1`,
  );
  const kinds = [
    {
      event_code: 'login.new_device',
      title: 'New sign-in from Chrome on Android',
      body: 'If it was not you, change your password and sign out everywhere (Account and security).',
      link: null,
      severity: 'warning',
    },
    {
      event_code: 'rights.changed',
      title: 'Your rights were changed',
      body: 'Pages you can no longer open are gone from the menu.',
      link: null,
      severity: 'info',
    },
    {
      event_code: 'employee.manager_changed',
      title: 'Your manager has changed',
      body: 'Reporting lines were set in order for the new financial year.',
      link: '/team_list',
      severity: 'info',
    },
    {
      event_code: 'holiday.roll',
      title: 'Holidays of the branch are complete',
      body: 'Look them up in the calendar.',
      link: '/Calendar',
      severity: 'info',
    },
    ...(manual
      ? [
          {
            event_code: 'manual.published',
            title: `User manual: ${manual.full_title}`,
            body: 'A new version is there.',
            link: `/usermanual_view/${manual.batch_value}`,
            severity: 'info',
          },
        ]
      : []),
  ];
  const rows = Array.from({ length: MESSAGES }, (_, at) => {
    // Everybody has some; only each person's last one may be unread.
    const user = users[at % users.length]!;
    const days = DAYS - Math.floor((at * DAYS) / MESSAGES);
    const created = `${addDays(today, -Math.max(1, days))}T0${random.int(4, 9)}:${10 + random.int(0, 49)}:00.000Z`;
    const unread = at >= MESSAGES - users.length && random.chance(0.3);
    return {
      ...random.pick(kinds),
      user_id: user.id,
      created_at: created,
      read_at: unread ? null : new Date(Date.parse(created) + random.int(5, 600) * 60_000).toISOString(),
    };
  });
  await write(
    tx,
    `${s}.notification`,
    ['user_id', 'event_code', 'title', 'body', 'link', 'severity', 'created_at', 'read_at'],
    rows,
  );
}

/**
 * Messages that the rules of Mail configuration sent about inspections, probations and delegations, occasionally a day
 * or two late.
 */
async function escalations(tx: Queryable, s: string, today: string): Promise<void> {
  const [there] = await tx.query<{ all: boolean }>(
    'select bool_and(to_regclass(name) is not null) as all from unnest($1::text[]) name',
    [['esclation', 'escalation_log', 'tis_inspection', 'delegation'].map((type) => `${s}.${type}`)],
  );
  if (!there?.all) return;
  await tx.query({
    text: `insert into ${s}.escalation_log (esclation_id, level, record_type, record_id, row_id, record, due_on, sent_at, delay_days, recipients)
      select e.id, e.level, f.type, f.id, 0, f.label, f.due, (f.due + (f.id % 7 / 5)::int)::timestamp at time zone 'Asia/Kolkata' + make_interval(hours => 9, mins => (f.id * 37 % 95)::int), (f.id % 7 / 5)::int, f.told
      from ${s}.esclation e join lateral (
        select 'tis_inspection' as type, t.id, concat_ws(' ', t.inspection_no, t.lift_no) as label, t.planned_on + e.days::int as due, case when e.level = 0 then p.name else m.name end as told
        from ${s}.tis_inspection t join ${s}.employee p on p.id = t.surveyor_id left join ${s}.employee m on m.id = p.reporting_to_id where e.code = 'TIS-DAY' or (e.code = 'TIS-LATE2' and t.id % 2 = 0)
        union all select 'employee', p.id, concat_ws(' ', p.name, p.empno), p.probation_end + e.days::int, m.name from ${s}.employee p join ${s}.employee m on m.id = p.reporting_to_id where e.code = 'EMP-PROB15'
        union all select 'delegation', d.id, d.number, d.to_date + e.days::int, t.name from ${s}.delegation d join ${s}.employee t on t.id = d.to_employee_id where e.code = 'DEL-END1') f on f.told is not null
      where f.due between $1::date - 300 and $1::date - 3 on conflict do nothing`,
    values: [today],
  });
}

async function write(tx: Queryable, table: string, columns: string[], rows: object[]): Promise<void> {
  const list = columns.map(quoted).join(', ');
  await tx.query({
    text: `insert into ${table} (${list}) select ${list} from jsonb_populate_recordset(null::${table}, $1::jsonb)`,
    values: [JSON.stringify(rows)],
  });
}
