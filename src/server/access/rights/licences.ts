import type { Tenant } from '../../db/tenant.ts';
import { quoted } from '../../db/names.ts';
import { productSuffix } from './rights.ts';

/** Users that count: active or invited people of the client, except service and support accounts. SQL on `users` u. */
const COUNTED = `u.active and u.status in ('active', 'invited') and not coalesce(u.is_service, false) and u.email not like '%@support.invalid'`;

/** Licences in use (platform_admin.md §5.12); `besides`: a user to exclude. */
export async function usedLicences({ db, schema }: Tenant, besides: number | null = null): Promise<number> {
  const [row] = await db.query<{ used: number }>(
    `select count(*)::int as used from ${quoted(schema)}.users u where ${COUNTED} and u.id is distinct from $1`,
    [besides],
  );
  return row?.used ?? 0;
}

/**
 * For products with fewer licences: the limit and the number of users. Users without a product restriction use all
 * products.
 */
export async function usedProducts(
  { db, schema, productUsers }: Tenant,
  besides: number | null = null,
): Promise<{ code: string; limit: number; used: number }[]> {
  const limits = Object.entries(productUsers ?? {});
  if (limits.length === 0) return [];
  const rows = await db.query<{ code: string; used: number }>(
    `select p.code, count(u.id)::int as used from unnest($1::text[]) as p(code)
     left join ${quoted(schema)}.users u on ${COUNTED} and u.id is distinct from $2
       and (coalesce(cardinality(u.products), 0) = 0 or p.code = any(u.products) or 'MS_' || p.code = any(u.products))
     group by p.code`,
    [limits.map(([code]) => code), besides],
  );
  const used = new Map(rows.map((row) => [row.code, row.used]));
  return limits.map(([code, limit]) => ({ code, limit, used: used.get(code) ?? 0 }));
}

/** The products to which a user is restricted, as suffixes; none = all of the client's. */
export function ownProducts(products: unknown): string[] {
  return ((products as string[] | null) ?? []).map(productSuffix);
}
