import { dayFirst } from '../../../descriptor/fieldtypes/written.ts';
import type { Tenant } from '../../db/tenant.ts';
import { quoted } from '../../db/names.ts';
import type { Jobs } from '../../services/jobs/jobs.ts';
import type { Notifications } from '../../services/notifications/notify.ts';
import { administrators, changeConfiguration } from './configuration.ts';

const CALL_DAYS = 30;
const DELIVERY_DAYS = 90;
const USE_DAYS = 400;

/** Counts calls and messages of today and yesterday by day and key or webhook, for the report "API use". */
async function countUse({ db, schema, timezone }: Tenant): Promise<number> {
  const s = quoted(schema);
  const rows = await db.query<{ n: number }>(
    `with days as (select ((now() at time zone $1)::date - 1)::date as first),
      calls as (
        select l.api_config_id, (l.at at time zone $1)::date as day, l.ms, l.status >= 400 as failed from ${s}.api_call_log l, days where l.at >= (days.first::timestamp at time zone $1)
        union all
        select d.api_config_id, (d.created_at at time zone $1)::date, d.duration_ms, d.state <> 'delivered' from ${s}.api_delivery d, days
        where d.created_at >= (days.first::timestamp at time zone $1) and d.duration_ms is not null),
      used as (
        select api_config_id, day, count(*)::int as calls, count(*) filter (where failed)::int as errors,
          round(percentile_cont(0.5) within group (order by ms)::numeric)::int as median_ms, round(percentile_cont(0.95) within group (order by ms)::numeric)::int as p95_ms
        from calls group by api_config_id, day),
      known as (
        update ${s}.api_use u set calls = x.calls, errors = x.errors, median_ms = x.median_ms, p95_ms = x.p95_ms, updated_at = now()
        from used x where u.api_config_id = x.api_config_id and u.day = x.day returning u.id),
      added as (
        insert into ${s}.api_use (api_config_id, day, calls, errors, median_ms, p95_ms)
        select x.api_config_id, x.day, x.calls, x.errors, x.median_ms, x.p95_ms from used x
        where not exists (select 1 from ${s}.api_use u where u.api_config_id = x.api_config_id and u.day = x.day) returning id)
     select count(*)::int as n from used`,
    [timezone],
  );
  return rows[0]?.n ?? 0;
}

/** Expired keys, and keys whose predecessor no longer works. */
async function endKeys(tenant: Tenant): Promise<number> {
  const { db, schema, timezone } = tenant;
  const rows = await db.query<{ id: number; expired: boolean }>(
    `select id, coalesce(expires_on < (now() at time zone $1)::date, false) as expired from ${quoted(schema)}.api_config
     where direction = 'inbound' and (state in ('active', 'rotated') and expires_on < (now() at time zone $1)::date or state = 'rotated' and coalesce(old_key_until <= now(), true))`,
    [timezone],
  );
  for (const { id, expired } of rows)
    await changeConfiguration(
      db,
      tenant,
      id,
      { state: expired ? 'expired' : 'active', old_key_hash: null, old_key_until: null },
      { userId: null, what: 'job' },
    );
  return rows.length;
}

/** Days before a key's last one on which people are notified. */
const NOTICE_DAYS = [1, 7, 30];

/** Notifies administrators of keys that expire soon: 30, 7 and 1 days before, each once. */
async function notifyExpiring(tenant: Tenant, notifications: Notifications): Promise<void> {
  const { db, schema, timezone } = tenant;
  const s = quoted(schema);
  const keys = await db.query<{ id: number; name: string; last: string; days: number; noted: string | null }>(
    `select id, name, expiry_notified as noted, expires_on::text as last, expires_on - (now() at time zone $1)::date as days from ${s}.api_config
     where direction = 'inbound' and active and state in ('active', 'rotated') and expires_on - (now() at time zone $1)::date between 0 and $2`,
    [timezone, Math.max(...NOTICE_DAYS)],
  );
  if (keys.length === 0) return;
  const to = await administrators(tenant);
  for (const { id, name, last, days, noted } of keys) {
    const before = NOTICE_DAYS.find((one) => days <= one)!;
    const date = dayFirst(last);
    const now = `${before} ${before === 1 ? 'day' : 'days'} before ${date}`;
    if (noted === now) continue;
    await db.transaction(async (tx) => {
      await tx.query(`update ${s}.api_config set expiry_notified = $2 where id = $1`, [id, now]);
      await notifications.notify(tx, tenant, {
        event: 'api.key_expiring',
        to,
        values: { name, date },
        link: `/api_config_edit/${id}`,
        record: { type: 'api_config', id },
      });
    });
  }
}

export function defineApiUseJob(jobs: Jobs, notifications: Notifications): void {
  jobs.define({
    name: 'api_use',
    title: 'Count API use and end old keys',
    cron: '5 * * * *',
    run: async ({ tenant }) => {
      if (!tenant) return undefined;
      const { db, schema } = tenant;
      const [there] = await db.query<{ there: boolean }>(
        'select bool_and(to_regclass(name) is not null) as there from unnest($1::text[]) name',
        [['api_config', 'api_call_log', 'api_delivery', 'api_use'].map((name) => `${quoted(schema)}.${name}`)],
      );
      if (!there?.there) return undefined;
      const s = quoted(schema);
      const counted = await countUse(tenant);
      const ended = await endKeys(tenant);
      await notifyExpiring(tenant, notifications);
      await db.query(`delete from ${s}.api_call_log where at < now() - make_interval(days => ${CALL_DAYS})`);
      await db.query(
        `delete from ${s}.api_delivery where state in ('delivered', 'dead') and created_at < now() - make_interval(days => ${DELIVERY_DAYS})`,
      );
      await db.query(`delete from ${s}.api_use where day < now() - make_interval(days => ${USE_DAYS})`);
      return `${counted} days counted, ${ended} keys changed.`;
    },
  });
}
