import type { Tenant } from '../../db/tenant.ts';
import { quoted } from '../../db/names.ts';
import { tableName, treeTable } from '../../db/tables.ts';
import type { Notifications } from '../../services/notifications/notify.ts';
import { WRITE_KEY_DAYS } from '../../engine/records/write_keys.ts';
import { closeSessions, keepDisabled, tellManagers } from '../../access/people/disabled_account.ts';
import { loadLists } from '../reference/lists.ts';
import type { StoredEntry } from '../../services/audit/audit.ts';
import {
  chainWaiting,
  entryText,
  follows,
  headOfAudit,
  removeOldAudit,
  startOfAudit,
} from '../../services/audit/audit.ts';
import { clientSettings } from '../../services/settings/client_settings.ts';
import { expiryDate } from '../../access/sessions/expiry.ts';
import type { Jobs } from '../../services/jobs/jobs.ts';

export interface PlatformJobDeps {
  jobs: Jobs;
  notifications: Notifications;
  /** Sends what waits, a tenant's digests among it. */
  platform: () => Promise<Tenant>;
}

const ATTEMPTS_DAYS = 180;
const OUTBOX_DAYS = 90;
const READ_DAYS = 180;
const UNREAD_DAYS = 365;
const JOB_DAYS = 30;
const EVENT_DAYS = 30;
const DEVICE_DAYS = 60;
const DIGEST_MOST = 50;

/** The jobs that keep a client's house in order (platform.md §6, platform_admin.md §6). */
export function definePlatformJobs({ jobs, notifications, platform }: PlatformJobDeps): void {
  const of = async (tenant: Tenant | null): Promise<Tenant> => tenant ?? platform();
  const days = async ({ db }: Tenant, text: string, count: number): Promise<number> =>
    (
      await db.query<{ n: number }>(`with gone as (${text} returning 1) select count(*)::int as n from gone`, [count])
    )[0]?.n ?? 0;

  jobs.define({
    name: 'session_sweep',
    title: 'Remove old sign-ins',
    cron: '17 * * * *',
    run: async ({ tenant }) => {
      const owner = await of(tenant);
      const s = quoted(owner.schema);
      const [sessions, tokens, counters] = await Promise.all([
        days(
          owner,
          `delete from ${s}.session where coalesce(revoked_at, expires_at) < now() - make_interval(days => $1)`,
          30,
        ),
        days(owner, `delete from ${s}.password_token where expires_at < now() - make_interval(days => $1)`, 7),
        days(owner, `delete from ${s}.login_counter where last_at < now() - make_interval(days => $1)`, 2),
      ]);
      return `${sessions} sign-ins, ${tokens} links and ${counters} counters removed.`;
    },
  });

  jobs.define({
    name: 'retention',
    title: 'Remove old messages and logs',
    cron: '40 2 * * *',
    run: async ({ tenant }) => {
      const owner = await of(tenant);
      const s = quoted(owner.schema);
      const counts = await Promise.all([
        days(owner, `delete from ${s}.login_attempt where at < now() - make_interval(days => $1)`, ATTEMPTS_DAYS),
        days(
          owner,
          `delete from ${s}.outbox where state in ('sent','dead','suppressed') and created_at < now() - make_interval(days => $1)`,
          OUTBOX_DAYS,
        ),
        days(
          owner,
          `delete from ${s}.notification where read_at is not null and created_at < now() - make_interval(days => $1)`,
          READ_DAYS,
        ),
        days(owner, `delete from ${s}.notification where created_at < now() - make_interval(days => $1)`, UNREAD_DAYS),
        days(owner, `delete from ${s}.write_key where at < now() - make_interval(days => $1)`, WRITE_KEY_DAYS),
        days(
          owner,
          `delete from ${s}.domain_event e where at < now() - make_interval(days => $1)
             and not exists (select 1 from ${s}.event_delivery d where d.event_id = e.id and d.state in ('waiting','parked'))`,
          EVENT_DAYS,
        ),
      ]);
      return `${counts[0]} sign-in tries, ${counts[1]} sent messages and ${counts[2]! + counts[3]!} notifications removed.`;
    },
  });

  jobs.define({
    name: 'job_log_retention',
    title: 'Remove old runs of jobs',
    cron: '50 2 * * *',
    scope: 'platform',
    run: async () => {
      const owner = await platform();
      return `${await days(owner, `delete from public.job where state in ('done','failed','cancelled') and finished_at < now() - make_interval(days => $1)`, JOB_DAYS)} runs removed.`;
    },
  });

  jobs.define({
    name: 'session_expiring',
    title: 'Tell people whose sign-in ends soon',
    cron: '0 9 * * *',
    run: async ({ tenant }) => {
      if (!tenant) return undefined;
      const s = quoted(tenant.schema);
      const rows = await tenant.db.query<{ user_id: number; ends: string }>(
        `select user_id, max(expires_at) as ends from ${s}.session where revoked_at is null and expires_at > now()
         group by user_id having max(expires_at) < now() + interval '3 days'`,
      );
      for (const { user_id: user, ends } of rows) {
        const date = expiryDate(new Date(ends), tenant.timezone).split('-').reverse().join('-');
        await tenant.db.transaction((tx) =>
          notifications.notify(tx, tenant, {
            event: 'session.expiring',
            to: [user],
            values: { date },
            groupKey: `session/${date}`,
          }),
        );
      }
      return `${rows.length} people told.`;
    },
  });

  jobs.define({
    name: 'user_validity',
    title: 'Disable users whose time is over',
    cron: '10 0 * * *',
    run: async ({ tenant }) => {
      if (!tenant) return undefined;
      const rows = await disableEnded(tenant);
      await tellManagers(
        notifications,
        tenant,
        rows.map(({ id }) => id),
        'its last day has passed',
      );
      return `${rows.length} users disabled.`;
    },
  });

  jobs.define({
    name: 'reference_lists',
    title: 'Fill lists that came with a product bought later',
    cron: '20 1 * * *',
    run: async ({ tenant }) => (tenant ? `${await loadLists(tenant.db, tenant.schema)} rows added.` : undefined),
  });

  jobs.define({
    name: 'tree_verify',
    title: 'Check the reporting tree',
    cron: '30 2 * * *',
    run: async ({ tenant }) => {
      if (!tenant) return undefined;
      const table = tableName(tenant.schema, 'employee');
      const tree = treeTable(tenant.schema, 'employee');
      const [there] = await tenant.db.query<{ there: boolean }>('select to_regclass($1) is not null as there', [tree]);
      if (!there?.there) return 'There are no employees yet.';
      const wanted = `with recursive line(ancestor_id, descendant_id, depth) as (
          select id, id, 0 from ${table}
          union all select e.reporting_to_id, l.descendant_id, l.depth + 1 from line l join ${table} e on e.id = l.ancestor_id where e.reporting_to_id is not null and l.depth < 100)
        select ancestor_id, descendant_id, min(depth) as depth from line group by ancestor_id, descendant_id`;
      const repaired = await tenant.db.transaction(async (tx) => {
        await tx.query(`lock table ${tree} in share row exclusive mode`);
        const gone = await tx.query(
          `delete from ${tree} k where not exists (select 1 from (${wanted}) w where w.ancestor_id = k.ancestor_id and w.descendant_id = k.descendant_id and w.depth = k.depth) returning 1`,
        );
        const added = await tx.query(
          `insert into ${tree} (ancestor_id, descendant_id, depth) select w.ancestor_id, w.descendant_id, w.depth from (${wanted}) w on conflict do nothing returning 1`,
        );
        return gone.length + added.length;
      });
      if (repaired > 0) throw new Error(`${repaired} entries of the reporting tree were wrong and have been repaired.`);
      return 'The tree is right.';
    },
  });

  jobs.define({
    name: 'audit_verify',
    concernsPlatform: true,
    title: 'Check the chain of the audit log',
    cron: '15 3 * * *',
    run: async ({ tenant }) => {
      const owner = await of(tenant);
      const broken = await brokenAuditEntry(owner);
      if (broken !== null) throw new Error(`Entry ${broken} of the audit log does not follow from the one before it.`);
      return 'The chain is unbroken.';
    },
  });

  jobs.define({
    name: 'audit_retention',
    title: 'Remove what is too old from the activity log',
    cron: '25 3 * * *',
    run: async ({ tenant }) => {
      if (!tenant) return undefined;
      const { audit_retention_years: years } = await clientSettings(tenant);
      return `${await removeOldAudit(tenant, years)} entries older than ${years} ${years === 1 ? 'year' : 'years'} removed.`;
    },
  });

  jobs.define({
    name: 'device_prune',
    title: 'Retire browsers that no longer come',
    cron: '10 3 * * *',
    run: async ({ tenant }) =>
      tenant
        ? `${await days(tenant, `update ${quoted(tenant.schema)}.users_device set active = false where active and last_seen_at < now() - make_interval(days => $1)`, DEVICE_DAYS)} browsers retired.`
        : undefined,
  });

  jobs.define({
    name: 'digest',
    title: 'Send the daily summaries',
    cron: '*/15 * * * *',
    run: async ({ tenant }) => {
      if (!tenant) return undefined;
      const s = quoted(tenant.schema);
      const users = await tenant.db.query<{ id: number; name: string; email: string; day: string }>(
        `select u.id, u.name, u.email, h.since::date::text as day
         from ${s}.users u left join ${s}.notification_hours o on o.user_id = u.id
         -- The day on which it was last due, and how long ago: half an hour may go past midnight.
         cross join lateral (select (now() at time zone $1) - coalesce(o.digest_at, '08:30')::interval as since) h
         where u.active and u.status = 'active' and not coalesce(u.is_service, false)
           and h.since::time < '00:30'
           and exists (select 1 from ${s}.notification_preference p where p.user_id = u.id and p.email = 'digest')`,
        [tenant.timezone],
      );
      let sent = 0;
      for (const user of users) {
        const rows = await tenant.db.query<{ title: string; total: number }>(
          `select n.title, count(*) over ()::int as total from ${s}.notification n join ${s}.notification_preference p on p.user_id = n.user_id and p.event_code = n.event_code and p.email = 'digest'
           where n.user_id = $1 and n.read_at is null order by n.id desc limit ${DIGEST_MOST}`,
          [user.id],
        );
        if (rows.length === 0) continue;
        const more = rows[0]!.total - rows.length;
        const lines = [...rows.map(({ title }) => `• ${title}`), ...(more > 0 ? [`and ${more} more`] : [])].join('\n');
        const added = await tenant.db.query(
          `insert into ${s}.outbox (channel, recipient, user_id, event_code, subject, body, dedupe_key) values ('mail', $1, $2, 'digest', $3, $4, $5) on conflict (dedupe_key) do nothing returning 1`,
          [
            user.email,
            user.id,
            `${rows[0]!.total} unread ${rows[0]!.total === 1 ? 'notification' : 'notifications'}`,
            `Hello ${user.name},\n\n${lines}`,
            `digest/${user.id}/${user.day}`,
          ],
        );
        sent += added.length;
      }
      return `${sent} summaries sent.`;
    },
  });
}

/** The first entry that does not follow from the one before it; null = the chain is whole. */
export async function brokenAuditEntry(tenant: Pick<Tenant, 'db' | 'schema'>): Promise<number | null> {
  const { db, schema } = tenant;
  await chainWaiting(tenant);
  const head = await headOfAudit(db, schema);
  let previous = await startOfAudit(db, schema);
  let last = 0;
  for (;;) {
    const rows = await db.query<StoredEntry & { seq: number }>(
      `select a.seq, a.prev_hash, a.hash, ${entryText('a')} as text, to_char(a.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at,
         a.actor_user_id as actor, a.action, a.target_type || coalesce(':' || a.target_id, '') as target
       from ${quoted(schema)}.audit_log a where a.seq > $1 order by a.seq limit 5000`,
      [last],
    );
    for (const row of rows) {
      // The newest entry is kept beside the log as well: another in its place is noticed, and that it is missing.
      if (!follows(row, previous) || (row.seq === head?.seq && row.hash !== head.hash)) return row.seq;
      previous = row.hash;
      last = row.seq;
    }
    if (rows.length < 5000) return head && last < head.seq ? head.seq : null;
  }
}

/** Disables the accounts whose last day has passed; the last administrator stays: nobody could let them in again. */
function disableEnded(tenant: Tenant): Promise<{ id: number; version: number }[]> {
  const { schema } = tenant;
  const s = quoted(schema);
  return tenant.db.transaction(async (tx) => {
    const rows = await tx.query<{ id: number; version: number }>(
      `update ${s}.users u set status = 'disabled', version = version + 1, updated_at = now()
       where status = 'active' and valid_to < (now() at time zone $1)::date
         and (not coalesce(is_admin, false) or exists (select 1 from ${s}.users o where o.id <> u.id and o.is_admin and o.active and o.status = 'active' and (o.valid_to is null or o.valid_to >= (now() at time zone $1)::date)))
       returning id, version`,
      [tenant.timezone],
    );
    if (rows.length === 0) return rows;
    await keepDisabled(tx, schema, rows, 'job');
    for (const { id } of rows) await closeSessions(tx, schema, id);
    return rows;
  });
}
