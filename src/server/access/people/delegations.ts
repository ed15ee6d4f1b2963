import { joinedAccess } from '../../../domain/field_access.ts';
import type { PageType, Screen } from '../../../descriptor/types.ts';
import type { ActsFor, DataScope, Lender } from '../context.ts';
import type { Tenant } from '../../db/tenant.ts';
import { quoted } from '../../db/names.ts';
import type { CompiledRights } from '../rights/rights.ts';
import { widest } from '../rights/rights.ts';

/** The page rights that a deputy receives from delegators; all others are not transferred. */
export const OF_DEPUTIES: readonly PageType[] = ['landing', 'view_screen', 'approval_screen'];

export interface DelegationRow {
  employee_id: number;
  user_id: number | null;
  name: string;
  until: string;
  /** null = everything. */
  types: string[] | null;
  amount_limit: string | null;
  is_admin: boolean;
  products: string[] | null;
  role_ids: number[];
  branch_ids: number[];
}

/** The SQL condition that a delegation d is in effect today; `zone` is the company's. */
export const runsToday = (zone: string): string =>
  `(d.active and d.state in ('draft', 'active') and (now() at time zone ${zone})::date between d.from_date and d.to_date)`;

/** A person's delegators in a company today; chains of delegations do not count. */
export async function readDelegations(
  { db, schema }: Tenant,
  employeeId: number,
  entityId: number,
  timezone: string,
): Promise<DelegationRow[]> {
  const s = quoted(schema);
  try {
    return await db.query<DelegationRow>({
      name: `deputy_${schema}`.slice(0, 63),
      text: `select g.id as employee_id, u.id as user_id, g.name, d.to_date::text as until, case when d.scope = 'types' then coalesce(d.transaction_types, '{}') end as types, d.amount_limit::text,
          coalesce(u.is_admin, false) as is_admin, u.products, coalesce(c.role_ids, '{}') as role_ids, array_remove(coalesce(c.branch_ids, '{}') || c.branch_id, null) as branch_ids
        from ${s}.delegation d
        join ${s}.employee t on t.id = d.to_employee_id and t.active and t.status <> 'left' and t.entity_id = d.entity_id
        join ${s}.employee g on g.id = d.from_employee_id and g.active and g.status <> 'left'
        left join ${s}.users u on u.employee_id = g.id and u.active and u.status = 'active'
        left join ${s}.users__companies c on c.parent_id = u.id and c.entity_id = d.entity_id
        where d.to_employee_id = $1 and d.entity_id = $2 and ${runsToday('$3')} order by d.id`,
      values: [employeeId, entityId, timezone],
    });
  } catch (error) {
    // A client whose lists were never used has no delegations.
    if ((error as { code?: string }).code === '42P01') return [];
    throw error;
  }
}

/** Whom a row names, without the rights. */
export function lenderOf({
  employee_id: employeeId,
  user_id: userId,
  name,
  until,
  types,
  amount_limit: limit,
  branch_ids: branchIds,
}: DelegationRow): Omit<Lender, 'rights'> {
  return { employeeId, userId, name, until, types, limit, branchIds };
}

/** A delegation of everything is limited to the deputy's own screens; single types are not. */
export function covers({ types }: Pick<ActsFor, 'types'>, screen: Screen, own: CompiledRights): boolean {
  return types === null ? own.refuse(screen, 'landing') === null : types.includes(screen.name);
}

/**
 * A person's rights combined with those of their delegators, who must have them. Rights that a delegator has as a
 * deputy are not passed on.
 */
export function withDelegations(
  own: CompiledRights,
  delegators: readonly (Lender & { rights: CompiledRights })[],
): CompiledRights {
  const lenders = (screen: Screen, page: PageType) =>
    OF_DEPUTIES.includes(page)
      ? delegators.filter(
          (delegator) => covers(delegator, screen, own) && delegator.rights.refuse(screen, page) === null,
        )
      : [];
  return {
    ...own,
    refuse(screen, page) {
      const refusal = own.refuse(screen, page);
      return refusal !== null && lenders(screen, page).length > 0 ? null : refusal;
    },
    dataScope(screen): DataScope {
      const scope = own.dataScope(screen);
      // The scope of their own list is unchanged: they additionally see what is the delegators' own (actsFor).
      if (own.refuse(screen, 'landing') === null) return scope;
      return delegators
        .filter((delegator) => covers(delegator, screen, own))
        .reduce((wide, delegator) => widest(wide, delegator.rights.dataScope(screen)), scope);
    },
    restricted: own.restricted || delegators.some(({ rights }) => rights.restricted),
    fieldAccess(screen) {
      const lent = lenders(screen, 'landing');
      const [first, ...rest] = [
        ...(own.refuse(screen, 'landing') === null || lent.length === 0 ? [own] : []),
        ...lent.map(({ rights }) => rights as CompiledRights),
      ].map((rights) => rights.fieldAccess(screen));
      return rest.reduce((kept, more) => joinedAccess(kept, more), first!);
    },
    delegatedBy(screen, page) {
      return own.refuse(screen, page) === null ? [] : lenders(screen, page);
    },
  };
}
