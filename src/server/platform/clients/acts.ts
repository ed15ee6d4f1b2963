import { dayFirst } from '../../../descriptor/fieldtypes/written.ts';
import type { WireRecord } from '../../../descriptor/types.ts';
import { revokeSessions } from '../../access/sessions/session_changes.ts';
import { announce } from '../../db/announce.ts';
import type { Queryable } from '../../db/database.ts';
import type { Directory } from '../../db/directory.ts';
import { openTenant, selectTenants } from '../../db/directory.ts';
import { AppError } from '../../db/errors.ts';
import { quoted } from '../../db/names.ts';
import { PLATFORM_ZONE } from '../../db/subscription.ts';
import type { Tenant } from '../../db/tenant.ts';
import { dayIn } from '../../services/clock/client_day.ts';
import type { Account } from './account.ts';
import { accountOf } from './account.ts';
import type { NewClient, NewCompany, ProvisionDeps } from './provision.ts';
import { event, provision } from './provision.ts';
import type { Screens } from './transitions.ts';
import { takeStep } from './transitions.ts';

/**
 * Deactivates or reactivates a client together with its record; its sessions end at once, its data stays.
 * @returns the record's version then; null = the client was created by a command and has no record
 */
export async function setClientActive(
  { directory, screens }: { directory: Directory; screens: Screens },
  subDomain: string,
  active: boolean,
  actor: number | null,
  reason: string | null,
): Promise<number | null> {
  const [row] = await selectTenants(directory.main, `sub_domain = $1 and state = 'ready'`, [subDomain]);
  if (!row) throw new AppError(404, 'not_found', 'This client has not been created yet.');
  if (row.active === active)
    throw new AppError(409, 'bad_state', `This client is ${active ? 'active' : 'switched off'} already.`);
  // Before the client is deactivated, so that a repeated call after an interruption finds it unchanged.
  if (!active) {
    const tenant = await openTenant(directory, row);
    await revokeSessions(tenant.db, row.schema, 'client', { where: 'true', values: [] });
  }
  return directory.main.transaction(async (tx) => {
    await tx.query('update public.client set active = $2, version = version + 1, updated_at = now() where id = $1', [
      row.id,
      active,
    ]);
    await announce(tx, { kind: 'client' });
    await event({ main: tx }, row, actor, active ? 'reactivated' : 'deactivated', reason);
    const account = await accountOf(tx, subDomain);
    return account && takeStep(tx, screens, account, active ? 'open' : 'close', actor, reason);
  });
}

/** The input for creating a client, from its record. */
async function newClient(main: Queryable, client: WireRecord): Promise<NewClient> {
  const products = await main.query<{ code: string }>(
    'select p.code from public.client_account__products x join public.product p on p.id = x.product_id where x.parent_id = $1 order by p.code',
    [client.id],
  );
  return {
    subDomain: String(client.sub_domain),
    name: String(client.name),
    code: String(client.code),
    products: products.map(({ code }) => code),
    licensedUsers: Number(client.licensed_users),
    timezone: String(client.timezone),
    validFrom: client.valid_from as string,
    validTo: client.valid_to as string,
    companies: client.companies as NewCompany[],
    demo: (client.demo_data as NewClient['demo']) ?? 'none',
    fyStartMonth: Number(client.fy_start_month),
    libraries: client.industry_templates === true,
    admin: {
      username: String(client.admin_username),
      name: String(client.admin_name),
      email: String(client.admin_email),
    },
  };
}

/**
 * Creates the client of a record, or resumes after an interruption; the record shows the progress. @returns its version
 * then. @throws AppError 409
 */
export async function provisionAccount(deps: ProvisionDeps, client: WireRecord, by: number): Promise<number> {
  const { directory, screens } = deps;
  const { main } = directory;
  const wanted = await newClient(main, client);
  await takeStep(main, screens, client, 'make', by);
  try {
    await provision(deps, wanted);
  } catch (error) {
    const words =
      error instanceof AppError ? error.message : 'A step failed. Provision again: it continues where it stopped.';
    await takeStep(main, screens, client, 'fail', by, words);
    throw error;
  }
  return takeStep(main, screens, client, 'made', by);
}

/** Reactivates a client, unless its subscription has ended. @returns its record's version then. @throws AppError 409 */
export function switchOn(
  deps: { directory: Directory; screens: Screens },
  account: Account,
  by: number,
): Promise<number | null> {
  if (account.state === 'deactivated' && account.valid_to !== null && account.valid_to < dayIn(PLATFORM_ZONE))
    throw new AppError(
      409,
      'bad_state',
      `The subscription ended on ${dayFirst(account.valid_to)}. Enter a later last day first.`,
      { field: 'valid_to' },
    );
  return setClientActive(deps, account.sub_domain, true, by, null);
}

/** A client's own history, the newest first. */
export function eventsOf(main: Queryable, subDomain: string): Promise<object[]> {
  return main.query(
    `select e.id, e.at, e.event, e.note, e.certificate, u.name as by from public.client_event e left join public.common_user u on u.id = e.actor where e.sub_domain = $1 order by e.id desc limit 100`,
    [subDomain],
  );
}

/** An account of a client by user name; null = it cannot be used. */
export async function usableAccount(
  { db, schema }: Tenant,
  username: unknown,
): Promise<{ id: number; name: string; email: string; username: string } | null> {
  const [user] = await db.query<{ id: number; name: string; email: string; username: string }>(
    `select id, name, email, username from ${quoted(schema)}.users where username = $1 and active and status <> 'disabled'`,
    [username],
  );
  return user ?? null;
}
