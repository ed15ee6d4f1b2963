import type { Screen } from '../../../descriptor/types.ts';
import type { Tenant } from '../../db/tenant.ts';
import type { Queryable } from '../../db/database.ts';
import { literal, quoted, tableName } from '../../db/names.ts';
import { addDays } from './dates.ts';
import { Random } from './random.ts';

const SEED = 20_261_121;
/** Sixteen weeks, so that a report on twelve is complete. */
const DAYS = 112;
/** Types whose records store their own change dates, or that a client starts with. */
const UNTOUCHED = new Set(['employee', 'users', 'role', 'entity', 'employee_history']);
const NAMES = new Set(['text', 'name']);

interface Made {
  id: number;
  record_type: string;
  record_id: number;
  entity_id: number | null;
}

interface Done {
  record_type: string;
  record_id: number;
  entity_id: number | null;
  version: number;
  op: 'U' | 'X' | 'A';
  at: string;
  by: number;
}

/** Adds the past activity of the demo's people for the reports; runs after their sign-ins and messages exist. */
export async function addPast(tenant: Tenant, screens: ReadonlyMap<string, Screen>, today: string): Promise<void> {
  await addActivity(tenant, screens, today);
  await addMail(tenant);
  await addAccountDays(tenant);
}

/**
 * Sets the authors and dates of the demo's records: by day over the last months, with later corrections, and some
 * temporarily inactive.
 */
async function addActivity(tenant: Tenant, screens: ReadonlyMap<string, Screen>, today: string): Promise<void> {
  const s = quoted(tenant.schema);
  await tenant.db.transaction(async (tx) => {
    const made = await tx.query<Made>(
      `select id, record_type, record_id, entity_id from ${s}.history where op = 'I' and what = 'demo' order by id`,
    );
    const people = await tx.query<{ id: number; companies: number[] }>(
      `select u.id, array(select c.entity_id from ${s}.users__companies c where c.parent_id = u.id) as companies from ${s}.users u where u.active and u.status = 'active' and not coalesce(u.is_service, false) order by u.id`,
    );
    const working = people.filter(({ companies }) => companies.length > 0);
    if (working.length === 0) return;
    // Types with a webhook are left out: nobody was notified of these changes.
    const heard = new Set(
      (
        await tx.query<{ type: string }>(
          `select distinct split_part(unnest(events), '.', 1) as type from ${s}.api_config where direction = 'outgoing'`,
        )
      ).map(({ type }) => type),
    );
    const random = new Random(SEED);
    const of = (company: number | null) =>
      random.pick(company === null ? working : working.filter(({ companies }) => companies.includes(company))).id;
    /** A time in office hours of a working day, a number of days ago. */
    const moment = (days: number) => {
      const day = addDays(today, -days);
      const worked = new Date(`${day}T00:00:00Z`).getUTCDay() === 0 ? addDays(day, -1) : day;
      return new Date(Date.parse(`${worked}T03:45:00Z`) + random.int(0, 8 * 3600) * 1000).toISOString();
    };
    const begun: { id: number; record_type: string; record_id: number; at: string; by: number }[] = [];
    const done: Done[] = [];
    for (const { id, record_type: type, record_id: record, entity_id: company } of made) {
      const screen = screens.get(type);
      if (!screen) continue;
      const days = random.int(3, DAYS);
      begun.push({ id, record_type: type, record_id: record, at: moment(days), by: of(company) });
      // Workflow transitions follow their own rules, and settings have a single record.
      if (UNTOUCHED.has(type) || heard.has(type) || screen.workflow || screen.kind === 'settings' || screen.personal)
        continue;
      const step = (op: Done['op'], version: number, ago: number): void =>
        void done.push({
          record_type: type,
          record_id: record,
          entity_id: company,
          version,
          op,
          at: moment(ago),
          by: of(company),
        });
      const later = random.int(1, days - 1);
      if (slip(screen) && random.chance(0.35)) step('U', 2, later);
      else if (days > 14 && random.chance(0.06)) {
        step('X', 2, days - 5);
        step('A', 3, random.int(1, days - 10));
      }
    }
    await tx.query({
      text: `update ${s}.history h set at = b.at, by = b.by from jsonb_to_recordset($1::jsonb) as b(id bigint, at timestamptz, by bigint) where h.id = b.id`,
      values: [JSON.stringify(begun)],
    });
    await writeDone(tx, tenant.schema, screens, begun, done);
  });
}

/** The text field in which the correction adds a missing letter. */
const slip = ({ fields, label }: Screen): string | undefined =>
  fields.find(
    ({ name, type, formula, secret, custom }) =>
      name === label[0] && NAMES.has(type) && formula === undefined && !secret && !custom,
  )?.name;

/** Adds the history of these actions, and updates the records accordingly. */
async function writeDone(
  tx: Queryable,
  schema: string,
  screens: ReadonlyMap<string, Screen>,
  begun: object[],
  done: Done[],
): Promise<void> {
  const s = quoted(schema);
  await tx.query({
    text: `create temp table demo_begun on commit drop as select * from jsonb_to_recordset($1::jsonb) as b(record_type text, record_id bigint, at timestamptz)`,
    values: [JSON.stringify(begun)],
  });
  await tx.query({
    text: `create temp table demo_done on commit drop as
      select * from jsonb_to_recordset($1::jsonb) as d(record_type text, record_id bigint, entity_id bigint, version integer, op text, at timestamptz, by bigint)`,
    values: [JSON.stringify(done)],
  });
  const types = [...Map.groupBy(begun as { record_type: string }[], (row) => row.record_type).keys()];
  await tx.query(
    types
      .flatMap((type) => {
        const table = tableName(schema, type);
        const field = slip(screens.get(type)!);
        const of = literal(type);
        return [
          `update ${table} t set created_at = b.at, updated_at = b.at from demo_begun b where b.record_type = ${of} and b.record_id = t.id`,
          `insert into ${s}.history (record_type, record_id, entity_id, version, op, at, by, what, change)
       select d.record_type, d.record_id, d.entity_id, d.version, d.op, d.at, d.by, 'form',
         case when d.op = 'U' then ${field ? `jsonb_build_object(${literal(field)}, jsonb_build_array(left(t.${quoted(field)}, -1), t.${quoted(field)}))` : 'null'} else jsonb_build_object('active', jsonb_build_array(d.op = 'X', d.op = 'A')) end
       from demo_done d join ${table} t on t.id = d.record_id where d.record_type = ${of} order by d.at`,
          `update ${table} t set version = d.version, updated_at = d.at, updated_by = d.by
       from (select distinct on (record_id) * from demo_done where record_type = ${of} order by record_id, version desc) d where d.record_id = t.id`,
        ];
      })
      .join(';\n'),
  );
}

/**
 * Adds delivered messages: mails for the people's notifications, and pushes to their browsers. None is waiting, so none
 * is sent.
 */
async function addMail(tenant: Tenant): Promise<void> {
  const s = quoted(tenant.schema);
  await tenant.db.query(
    `insert into ${s}.outbox (channel, recipient, user_id, event_code, purpose, subject, body, link, state, attempts, error, dedupe_key, notification_id, created_at, sent_at)
     select c.channel, case c.channel when 'mail' then u.email else u.id::text end, u.id, n.event_code, case n.event_code when 'login.new_device' then 'security' else 'notification' end, n.title, n.body, n.link,
       r.state, case r.state when 'dead' then 6 else 1 end,
       case r.state when 'dead' then '550 5.1.1 There is no such mailbox.' when 'suppressed' then 'The browser takes no messages any more.' end,
       'demo/' || c.channel || '/' || n.id, n.id, n.created_at, case when r.state = 'sent' then n.created_at + make_interval(secs => 2 + n.id * 37 % (case c.channel when 'mail' then 95 else 9 end)) end
     from ${s}.notification n join ${s}.users u on u.id = n.user_id
     cross join lateral (select unnest(case when n.event_code in ('login.new_device', 'holiday.roll') then array['mail'] when n.event_code = 'manual.published' then array['push'] else array[]::text[] end) as channel) c
     cross join lateral (select case when c.channel = 'mail' and n.id % 41 = 0 then 'dead' when c.channel = 'push' and n.id % 9 = 0 then 'suppressed' else 'sent' end as state) r
     order by n.id`,
  );
}

/** Sets the last use of each account from its sign-ins, and the date of its password. */
async function addAccountDays(tenant: Tenant): Promise<void> {
  const s = quoted(tenant.schema);
  await tenant.db.query(
    `update ${s}.users u set last_login_at = a.at from (select user_id, max(at) as at from ${s}.login_attempt where outcome = 'success' group by user_id) a where a.user_id = u.id`,
  );
  await tenant.db.query(
    `update ${s}.credential set changed_at = now() - make_interval(days => (20 + user_id * 53 % 320)::int)`,
  );
}
