import { randomBytes } from 'node:crypto';
import type { AccountState } from './transitions.ts';
import { announce } from '../../db/announce.ts';
import type { Queryable } from '../../db/database.ts';

/** The fields of a client's record needed for actions on it. */
export interface Account {
  id: number;
  code: string;
  name: string;
  sub_domain: string;
  state: AccountState;
  /** Since when, YYYY-MM-DD. */
  since: string;
  valid_to: string | null;
  version: number;
}

/** The record of a client; null = there is none. */
export async function readAccount(on: Queryable, id: number): Promise<Account | null> {
  const [account] = await on.query<Account>(
    `select id, code, name, sub_domain, state, coalesce(state_since, updated_at::date)::text as since, valid_to::text, version from public.client_account where id = $1`,
    [id],
  );
  return account ?? null;
}

/** Whether there are client records at all: an installation managed only by commands may have none. */
export async function hasAccounts(on: Queryable): Promise<boolean> {
  return (await on.query<{ there: boolean }>(`select to_regclass('public.client_account') is not null as there`))[0]!
    .there;
}

/** The record of the client with this sub-domain; clients created by a command have none. */
export async function accountOf(on: Queryable, subDomain: string): Promise<Account | null> {
  if (!(await hasAccounts(on))) return null;
  const [row] = await on.query<{ id: number }>('select id from public.client_account where sub_domain = $1', [
    subDomain,
  ]);
  return row ? readAccount(on, row.id) : null;
}

/**
 * Applies the client's record to the client at once: name, licences, subscription, products and own hosts. A draft has
 * no client yet.
 */
export async function applyAccount(on: Queryable, id: number): Promise<void> {
  const [client] = await on.query<{ id: number }>(
    `update public.client c set name = a.name, licensed_users = a.licensed_users, valid_from = a.valid_from, valid_to = a.valid_to, timezone = coalesce(a.timezone, 'Asia/Kolkata'),
       grace_days = coalesce(a.grace_days, 15), products = p.codes, product_terms = p.terms, version = c.version + 1, updated_at = now()
     from public.client_account a
     cross join lateral (select coalesce(array_agg(p.code order by p.code), '{}') as codes,
         coalesce(jsonb_object_agg(p.code, jsonb_strip_nulls(jsonb_build_object('from', x.valid_from, 'to', x.valid_to, 'users', x.licensed_users))) filter (where x.valid_from is not null or x.valid_to is not null or x.licensed_users is not null), '{}') as terms
       from public.client_account__products x join public.product p on p.id = x.product_id where x.parent_id = a.id) p
     where a.id = $1 and c.sub_domain = a.sub_domain returning c.id`,
    [id],
  );
  if (!client) return;
  const hosts = (
    await on.query<{ host: string }>('select host from public.client_account__domains where parent_id = $1', [id])
  ).map(({ host }) => host);
  await on.query('delete from public.client_domain where client_id = $1 and host <> all($2)', [client.id, hosts]);
  for (const host of hosts)
    await on.query(
      'insert into public.client_domain (host, client_id, verify_token) values ($1, $2, $3) on conflict (host) do nothing',
      [host, client.id, randomBytes(16).toString('hex')],
    );
  await announce(on, { kind: 'client' });
}
