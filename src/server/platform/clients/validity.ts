import { dayFirst } from '../../../descriptor/fieldtypes/written.ts';
import { dayIn } from '../../services/clock/client_day.ts';
import type { Tenant } from '../../db/tenant.ts';
import type { Directory, TenantRow } from '../../db/directory.ts';
import { openTenant, selectTenants } from '../../db/directory.ts';
import { quoted } from '../../db/names.ts';
import type { Jobs } from '../../services/jobs/jobs.ts';
import type { Notifications } from '../../services/notifications/notify.ts';
import { accountOf, hasAccounts } from './account.ts';
import { setClientActive } from './acts.ts';
import { closeExpired } from './support_sign_in.ts';
import type { Screens } from './transitions.ts';
import { phaseOn, productName } from '../../db/subscription.ts';

/** Days before the last day on which people are notified by mail. */
const NOTICE_DAYS = [1, 7, 15, 30];

export interface ValidityDeps {
  directory: Directory;
  screens: Screens;
  jobs: Jobs;
  notifications: Notifications;
  platform: () => Promise<Tenant>;
}

/** Notifies the people responsible for a client, and its partner, of changes. */
export async function notifyOfClient(
  { directory: { main }, notifications, platform }: Omit<ValidityDeps, 'jobs'>,
  accountId: number,
  event: 'client.ready' | 'client.deactivated',
  reason: string,
): Promise<void> {
  const [account] = await main.query<{ name: string; admin: string; version: number; addresses: string[] }>(
    `select a.name, a.admin_name as admin, a.version, array_remove(array[a.contact_email, p.email], null) as addresses from public.client_account a left join public.partner p on p.id = a.partner_id where a.id = $1`,
    [accountId],
  );
  for (const address of new Set(account?.addresses ?? []))
    await notifications.write(main, await platform(), {
      event,
      address,
      values: { company: account!.name, admin: account!.admin, reason },
      dedupeKey: `${event}/${accountId}/${account!.version}/${address}`,
    });
}

/** The nightly check of every client: reminders, deactivation at the end or as scheduled, storage. */
export function defineValidityJob(deps: ValidityDeps): void {
  const { directory, jobs, notifications } = deps;
  const { main } = directory;

  /** Stores a client's usage in its record. @returns when it is to be deactivated */
  async function noteUse(row: TenantRow): Promise<{ off: string | null } | undefined> {
    const { storage_mb, used_users, last_sign_in, api_calls } = await measured(await openTenant(directory, row));
    const [plan] = await main.query<{ off: string | null }>(
      `update public.client_account set storage_mb = $2, used_users = $3, last_sign_in = greatest(last_sign_in, $4), api_calls = $5 where sub_domain = $1 returning switch_off_on::text as off`,
      [row.subDomain, storage_mb, used_users, last_sign_in, api_calls],
    );
    return plan;
  }

  async function switchOff(subDomain: string, reason: string): Promise<void> {
    await setClientActive(deps, subDomain, false, null, reason);
    const account = await accountOf(main, subDomain);
    if (account) await notifyOfClient(deps, account.id, 'client.deactivated', reason);
  }

  async function notifyOfEnd(
    tenant: Tenant,
    what: string,
    key: string,
    lastDay: string,
    today: string,
  ): Promise<number> {
    const left = Math.round((Date.parse(lastDay) - Date.parse(today)) / 86_400_000);
    const due = NOTICE_DAYS.find((days) => left <= days);
    if (left < 0 || due === undefined) return 0;
    const s = quoted(tenant.schema);
    const people = await tenant.db.query<{ id: number | null; name: string; email: string }>(
      `select id, name, email from ${s}.users where is_admin and active and status = 'active' and not coalesce(is_service, false)`,
    );
    const [contact] = !(await hasAccounts(main))
      ? []
      : await main.query<{ name: string; email: string }>(
          'select contact_name as name, contact_email as email from public.client_account where sub_domain = $1',
          [tenant.subDomain],
        );
    if (contact && !people.some(({ email }) => email === contact.email)) people.push({ id: null, ...contact });
    for (const { id, name, email } of people)
      await notifications.write(tenant.db, tenant, {
        event: 'client.ending',
        address: email,
        ...(id !== null && { userId: id }),
        dedupeKey: `ending/${key}/${lastDay}/${due}/${email}`,
        values: { name, what, date: dayFirst(lastDay), days: left === 1 ? '1 day' : `${left} days` },
      });
    return people.length;
  }

  jobs.define({
    name: 'client_validity',
    title: 'Announce and end subscriptions',
    cron: '30 0 * * *',
    run: async ({ tenant }) => {
      if (!tenant) return undefined;
      const [row] = await selectTenants(main, 'id = $1', [tenant.id]);
      if (!row) return undefined;
      await closeExpired(tenant, deps.screens());
      const today = dayIn(row.timezone);
      const plan = (await hasAccounts(main)) ? await noteUse(row) : undefined;
      if (plan?.off && plan.off <= today) {
        await switchOff(row.subDomain, 'As planned.');
        return 'Switched off as planned.';
      }
      if (phaseOn(row.validTo, today, row.graceDays) === 'over') {
        await switchOff(row.subDomain, `The subscription ended on ${dayFirst(row.validTo!)}.`);
        return 'Switched off: the subscription is over.';
      }
      let notified = row.validTo ? await notifyOfEnd(tenant, 'The subscription', 'all', row.validTo, today) : 0;
      for (const [code, { to }] of Object.entries(row.terms))
        if (to && to !== row.validTo)
          notified += await notifyOfEnd(tenant, `The subscription to ${productName(code)}`, code, to, today);
      return notified > 0 ? `${notified} people notified.` : 'No subscription ends soon.';
    },
  });
}

interface Use {
  storage_mb: number;
  used_users: number;
  last_sign_in: string | null;
  api_calls: number;
}

/** Tables and files according to the database, licences in use, the last sign-in, and API calls of the last 30 days. */
async function measured({ db, schema }: Tenant): Promise<Use> {
  const s = quoted(schema);
  const [use] = await db.query<Omit<Use, 'api_calls'>>(
    `select ceil(((select coalesce(sum(pg_total_relation_size(c.oid)), 0) from pg_class c where c.relnamespace = to_regnamespace($1) and c.relkind in ('r', 'm'))
       + (select coalesce(sum(size), 0) from ${s}.file)) / 1048576.0)::int as storage_mb,
       (select count(*)::int from ${s}.users where active and status in ('active', 'invited') and not coalesce(is_service, false) and email not like '%@support.invalid') as used_users,
       (select max(auth_at) from ${s}.session) as last_sign_in`,
    [s],
  );
  const [calls] = await db.query<{ there: boolean }>('select to_regclass($1) is not null as there', [
    `${s}.api_call_log`,
  ]);
  const [count] = calls?.there ? await db.query<{ n: number }>(`select count(*)::int as n from ${s}.api_call_log`) : [];
  return { ...use!, api_calls: count?.n ?? 0 };
}
