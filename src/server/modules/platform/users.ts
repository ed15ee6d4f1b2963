import type { FieldError, WireRecord } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import { quoted } from '../../db/names.ts';
import { networkProblem } from '../../services/network/networks.ts';
import { closeSessions } from '../../access/people/disabled_account.ts';
import { defineHooks } from '../../engine/records/hooks.ts';
import { productName } from '../../db/subscription.ts';
import { accountBeyondOwnRights, beyondOwnRights } from '../../access/rights/elevation.ts';
import type { CompiledRights } from '../../access/rights/rights.ts';
import { effectiveProducts } from '../../access/rights/rights.ts';
import { ownProducts, usedLicences, usedProducts } from '../../access/rights/licences.ts';

interface CompanyOfUser {
  entity_id: number;
  branch_id: number | null;
  branch_ids: number[] | null;
  role_ids: number[] | null;
  is_default: boolean | null;
}

const FLAGS = ['is_admin', 'chairman_flag', 'ceo_flag', 'secretary_flag'] as const;

/** Whether another administrator could still sign in; optionally, from any network. */
async function otherAdmin({ tenant }: Session, id: number, fromEverywhere = false): Promise<boolean> {
  const rows = await tenant.db.query(
    `select 1 from ${quoted(tenant.schema)}.users where id <> $1 and is_admin and active and status = 'active' and not coalesce(is_service, false)${fromEverywhere ? ` and btrim(coalesce(ip_allow, '')) = ''` : ''} limit 1`,
    [id],
  );
  return rows.length > 0;
}

async function licences({ tenant }: Session, id: number | null): Promise<string | null> {
  if (tenant.licensedUsers === undefined) return null;
  return (await usedLicences(tenant, id)) >= tenant.licensedUsers
    ? `All ${tenant.licensedUsers} licences are in use. Disable a user or ask for more.`
    : null;
}

/** The user's products whose licences are all in use. */
async function fullProducts({ tenant }: Session, id: number | null, chosen: unknown): Promise<string[]> {
  const own = ownProducts(chosen);
  return (await usedProducts(tenant, id)).flatMap(({ code, limit, used }) =>
    (own.length === 0 || own.includes(code)) && used >= limit
      ? [
          `All ${limit} licences of ${productName(code)} are in use. Leave it out of this user's products, or ask for more.`,
        ]
      : [],
  );
}

/** A branch must belong to the company of its line. */
async function foreignBranches({ tenant }: Session, companies: CompanyOfUser[]): Promise<FieldError[]> {
  const asked = companies.flatMap((row, at) => [
    ...(row.branch_id ? [{ at, field: 'branch_id', branch: row.branch_id, entity: row.entity_id }] : []),
    ...(row.branch_ids ?? []).map((branch) => ({ at, field: 'branch_ids', branch, entity: row.entity_id })),
  ]);
  if (asked.length === 0) return [];
  const rows = await tenant.db.query<{ id: number; entity_id: number }>(
    `select id, entity_id from ${quoted(tenant.schema)}.branch where id = any($1)`,
    [asked.map(({ branch }) => branch)],
  );
  const company = new Map(rows.map(({ id, entity_id }) => [id, entity_id]));
  // The reference's own check refuses branches that do not exist or belong to another company.
  return asked
    .filter(({ branch, entity }) => company.has(branch) && company.get(branch) !== entity)
    .map(({ at, field }) => ({
      field: `companies.${at}.${field}`,
      message: 'Choose a branch of the company of this line.',
    }));
}

const moreThanYou = 'This user has more rights than you. Ask an administrator.';

const inOrder = (ids: number[] | null): number[] => (ids ?? []).toSorted((a, b) => a - b);

/** Whether two lines of a user's companies are equal. */
function sameGrant(a: CompanyOfUser, b: CompanyOfUser): boolean {
  const grant = ({ entity_id: entity, branch_id: branch, branch_ids: branches, role_ids: roles }: CompanyOfUser) =>
    JSON.stringify([entity, branch ?? null, inOrder(branches), inOrder(roles)]);
  return grant(a) === grant(b);
}

/** Changes that people may not make to their own account, because they would grant themselves rights. */
function ownAccount(
  record: Record<string, unknown>,
  stored: WireRecord,
  companies: CompanyOfUser[],
  before: CompanyOfUser[],
): FieldError[] {
  const ask = 'You cannot change this for your own account. Ask an administrator.';
  return [
    ...(companies.every((row) => before.some((one) => sameGrant(one, row)))
      ? []
      : [{ field: 'companies', message: ask }]),
    ...(['employee_id', 'products'] as const)
      .filter((name) => String(record[name] ?? '') !== String(stored[name] ?? ''))
      .map((field) => ({ field, message: ask })),
  ];
}

/** Products that the granting person does not have. A user without products has all of the client's. */
function foreignProducts(
  { tenant, rights }: Session,
  record: Record<string, unknown>,
  stored: WireRecord | null,
): FieldError[] {
  if (stored !== null && String(stored.products ?? '') === String(record.products ?? '')) return [];
  const given = effectiveProducts(tenant.products, ownProducts(record.products));
  const beyond = [...given].filter((code) => !(rights as CompiledRights).products.has(code));
  return beyond.length === 0
    ? []
    : [
        {
          field: 'products',
          message: `You do not work with ${beyond.map(productName).join(', ')} yourself. Choose from your own products.`,
        },
      ];
}

const lastAdmin = 'At least one administrator must remain.';

/**
 * Users: nobody can raise their own or others' rights beyond what they hold, the last administrator stays, licence
 * limits apply.
 */
export default defineHooks({
  async saved({ tenant }, record) {
    if (record.status === 'disabled' || !record.active) await closeSessions(tenant.db, tenant.schema, record.id);
  },
  async check(session, record, stored, screens) {
    const errors: FieldError[] = [];
    const companies = (record.companies as CompanyOfUser[] | null) ?? [];
    if (companies.filter((row) => row.is_default).length > 1)
      errors.push({ field: 'companies', message: 'Only one company can open first.' });
    errors.push(...(await foreignBranches(session, companies)));
    const network = networkProblem(record.ip_allow);
    if (network !== null) errors.push({ field: 'ip_allow', message: network });
    else if (record.is_admin === true && record.ip_allow && !(await otherAdmin(session, stored?.id ?? 0, true)))
      errors.push({
        field: 'ip_allow',
        message:
          'At least one administrator must be able to sign in from everywhere. Leave this empty, or make somebody else an administrator first.',
      });
    if (!session.rights.isAdmin) {
      if (stored?.is_admin) errors.push({ field: '', message: 'Only an administrator may change an administrator.' });
      for (const flag of FLAGS)
        if ((record[flag] ?? false) !== (stored?.[flag] ?? false))
          errors.push({ field: flag, message: 'Only an administrator may grant or remove this.' });
      const before = (stored?.companies as CompanyOfUser[] | undefined) ?? [];
      if (stored?.id === session.userId) errors.push(...ownAccount(record, stored, companies, before));
      else {
        // Roles that a person already has in a company are not checked again.
        const given = companies
          .filter((row) => !before.some((one) => sameGrant(one, row)))
          .map((row) => ({
            entity_id: row.entity_id,
            role_ids: (row.role_ids ?? []).filter(
              (role) => !before.some((one) => one.entity_id === row.entity_id && one.role_ids?.includes(role)),
            ),
          }));
        const beyond = await beyondOwnRights(session, given, screens);
        if (beyond) errors.push({ field: 'companies', message: beyond });
        if (stored && (await beyondOwnRights(session, before, screens)))
          errors.push({ field: '', message: moreThanYou });
      }
      errors.push(...foreignProducts(session, record, stored));
    }
    const counts = (one: Record<string, unknown> | WireRecord | null) =>
      one !== null && one.status !== 'disabled' && one.is_service !== true;
    if (counts(record) && !(stored !== null && counts(stored) && stored.active)) {
      const full = await licences(session, stored?.id ?? null);
      if (full) errors.push({ field: 'status', message: full });
    }
    // Existing holders keep them.
    if (
      counts(record) &&
      (stored === null ||
        !counts(stored) ||
        !stored.active ||
        String(stored.products ?? '') !== String(record.products ?? ''))
    )
      for (const message of await fullProducts(session, stored?.id ?? null, record.products))
        errors.push({ field: 'products', message });
    if (
      stored?.is_admin &&
      stored.status === 'active' &&
      (record.is_admin !== true || record.status !== 'active') &&
      !(await otherAdmin(session, stored.id))
    )
      errors.push({ field: record.is_admin === true ? 'status' : 'is_admin', message: lastAdmin });
    else if (stored?.id === session.userId && record.status === 'disabled' && stored.status !== 'disabled')
      errors.push({ field: 'status', message: 'You cannot disable yourself.' });
    return errors;
  },
  async leave(session, stored, how, screens) {
    if (how !== 'activate' && stored.id === session.userId) return 'You cannot deactivate yourself.';
    if (stored.is_admin && !session.rights.isAdmin) return 'Only an administrator may change an administrator.';
    if ((await accountBeyondOwnRights(session, stored.id, screens)) !== null) return moreThanYou;
    if (how === 'activate') return licences(session, stored.id);
    return stored.is_admin && !(await otherAdmin(session, stored.id)) ? lastAdmin : null;
  },
});
