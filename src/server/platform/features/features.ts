import { setTimeout } from 'node:timers/promises';
import type { PageType, Screen } from '../../../descriptor/types.ts';
import { dayIn, placeOf } from '../../services/clock/client_day.ts';
import { zoneOf } from '../../../descriptor/place.ts';
import { quoted } from '../../db/names.ts';
import { wholeFinancialYear } from '../../../descriptor/financial_year.ts';
import type { Thumbnails } from '../../services/files/thumbnails.ts';
import type { CustomerOfUser } from './customer_list.ts';
import { customersOf } from './customer_list.ts';
import { localTime } from '../../access/sessions/expiry.ts';
import type { PerformanceFacts } from './performance_facts.ts';
import { performanceFacts } from './performance_facts.ts';
import { PAGE_TYPES } from '../../access/rights/rights.ts';
import { readRoles } from '../../access/sessions/session_rows.ts';
import type { LiveSession } from '../../access/sessions/session_store.ts';
import { authorizationLevels } from './waiting_decisions.ts';

export interface CompanyOfUser {
  id: number;
  name: string;
  financial_year: string | null;
  fy_start_month: number;
  currency: string;
  /** The place of the user's branch, otherwise the company, otherwise the client. */
  timezone: string;
  /** For records without a branch, and for branches with their own time zone. */
  company_timezone: string;
  branch_timezones: Record<string, string>;
  is_default: boolean;
  branch_id: number | null;
  branch: string | null;
}

/** The companies a user may choose, the default one first. */
async function companiesOf(session: LiveSession): Promise<CompanyOfUser[]> {
  const s = quoted(session.tenant.schema);
  const companies = await session.tenant.db.query<CompanyOfUser & { own_branch: number | null }>(
    `select e.id, e.name, e.fy_start_month, e.currency, b.id as own_branch, coalesce((select json_object_agg(z.id, z.timezone) from ${s}.branch z where z.entity_id = e.id and z.timezone <> ''), '{}') as branch_timezones, coalesce(c.is_default, false) as is_default, c.branch_id, b.name as branch
     from ${s}.users__companies c join ${s}.entity e on e.id = c.entity_id and e.active
     left join ${s}.branch b on b.id = c.branch_id and b.entity_id = c.entity_id
     where c.parent_id = $1 order by c.is_default desc nulls last, e.sequence_no nulls last, e.name`,
    [session.userId],
  );
  const { zones } = placeOf(session);
  return companies.map(({ own_branch: branchId, ...company }) => {
    const timezone = zoneOf({ branchId, entityId: company.id }, zones)!;
    const company_timezone = zoneOf({ entityId: company.id }, zones)!;
    return {
      ...company,
      timezone,
      company_timezone,
      financial_year: wholeFinancialYear(dayIn(company_timezone), company.fy_start_month),
    };
  });
}

interface EmployeeOfUser {
  id: number;
  empno: string;
  designation_name: string | null;
  photo: number | null;
}

async function employeeOf(session: LiveSession): Promise<EmployeeOfUser | null> {
  if (session.employeeId === null) return null;
  const s = quoted(session.tenant.schema);
  const [employee] = await session.tenant.db.query<EmployeeOfUser>(
    `select e.id, e.empno, d.name as designation_name, f.id as photo
     from ${s}.employee e left join ${s}.designation d on d.id = e.designation_id left join ${s}.file f on f.id = e.photo and f.type like 'image/%' where e.id = $1`,
    [session.employeeId],
  );
  return employee ?? null;
}

/** How long signing in waits for a thumbnail; without one, the picture is loaded by its id. */
const MAX_WAIT_MS = 2_000;

interface Picture {
  id: number;
  content_binary: string | null;
}

async function pictureOf(
  { tenant }: LiveSession,
  employee: EmployeeOfUser | null,
  thumbnails: Thumbnails,
): Promise<Picture | null> {
  if (!employee?.photo) return null;
  const { photo: id } = employee;
  // A picture that cannot be reduced, or whose bytes are lost, does not prevent signing in.
  const small = await Promise.race([
    thumbnails.of(tenant, id).catch(() => null),
    setTimeout(MAX_WAIT_MS, null, { ref: false }),
  ]);
  return { id, content_binary: small && Buffer.from(small.bytes).toString('base64') };
}

async function subordinatesOf(session: LiveSession): Promise<number[]> {
  if (session.employeeId === null) return [];
  const s = quoted(session.tenant.schema);
  const rows = await session.tenant.db.query<{ id: number }>(
    `select descendant_id as id from ${s}.employee_tree where ancestor_id = $1 and depth > 0 order by depth, descendant_id`,
    [session.employeeId],
  );
  return rows.map(({ id }) => id);
}

/** A session of a deactivated client receives only that information. */
export function deactivatedAnswer(): object {
  return { data: [{ entity_list: [], reason: 'client_deactivated' }] };
}

/** What the specification calls the tenant feature response, for the session's company. */
export async function featuresAnswer(
  session: LiveSession,
  screens: Map<string, Screen>,
  thumbnails: Thumbnails,
): Promise<object> {
  const [levels, companies, employee, roles, subordinates, facts, customers] = await Promise.all([
    authorizationLevels(session, screens),
    companiesOf(session),
    employeeOf(session),
    readRoles(session.tenant, session.roleIds),
    subordinatesOf(session),
    performanceFacts(session.tenant.db, session.tenant.schema, session.entityId),
    customersOf(session, screens),
  ]);
  const products = [...session.rights.products].map((product) => `MS_${product}`);
  const picture = await pictureOf(session, employee, thumbnails);
  return {
    data: [
      {
        entity_list: companies,
        entity_id: session.entityId,
        client_currency: placeOf(session).clientCurrency,
        client_timezone: session.tenant.timezone,
        roles_list: roles.map((role) => ({
          id: role.id,
          role_name: role.name,
          ...(role.startPage !== null && { landing_route: role.startPage }),
          features: routesOf(session, role.screens, screens),
        })),
        product_list: products,
        branch_id: session.branchId ?? companies.find(({ is_default }) => is_default)?.branch_id ?? null,
        chairman_flag: session.flags.chairman,
        ceo_flag: session.flags.ceo,
        secretary_flag: session.flags.secretary,
        designation_name: employee?.designation_name ?? '',
        reason: companies.length === 0 ? 'no_company' : null,
      },
    ],
    ...siblings(session, { employee, picture, customers }, roles, products, facts),
    actions_by_users: [...session.rights.actions].sort(),
    authorization_levels: levels,
    subordinate_ids: subordinates,
    rights_version: session.rights.version,
    server_time: localTime(new Date(), session.tenant.timezone),
  };
}

/** The answer of get_email_by_entity: the same user in another of the user's companies. */
export async function companyAnswer(
  session: LiveSession,
  screens: Map<string, Screen>,
  thumbnails: Thumbnails,
): Promise<object> {
  const [employee, roles, facts, customers] = await Promise.all([
    employeeOf(session),
    readRoles(session.tenant, session.roleIds),
    performanceFacts(session.tenant.db, session.tenant.schema, session.entityId),
    customersOf(session, screens),
  ]);
  const products = [...session.rights.products].map((product) => `MS_${product}`);
  return {
    data: [
      {
        id: session.userId,
        name: session.userName,
        branch_id: session.branchId,
        product_list: products,
        designation_name: employee?.designation_name ?? '',
      },
    ],
    ...siblings(
      session,
      { employee, picture: await pictureOf(session, employee, thumbnails), customers },
      roles,
      products,
      facts,
    ),
    actions_by_users: [...session.rights.actions].sort(),
  };
}

type Roles = Awaited<ReturnType<typeof readRoles>>;

function siblings(
  session: LiveSession,
  {
    employee,
    picture,
    customers,
  }: { employee: EmployeeOfUser | null; picture: Picture | null; customers: CustomerOfUser[] },
  roles: Roles,
  products: string[],
  facts: PerformanceFacts,
): object {
  const { catalogue } = session.tenant;
  const modules = new Map<
    string,
    { id: number; active: boolean; module_code: string; module_name: string; hide_all: boolean }
  >();
  for (const role of roles) {
    for (const { code, hideAll, ...given } of role.modules) {
      const active = given.active && !catalogue?.modulesOff.has(code);
      const known = modules.get(code);
      if (known) {
        known.hide_all &&= hideAll;
        known.active ||= active;
      } else
        modules.set(code, {
          id: modules.size + 1,
          active,
          module_code: code,
          module_name: catalogue?.moduleNames.get(code) ?? moduleName(code),
          hide_all: hideAll,
        });
    }
  }
  const moduleOf = new Map(
    roles.flatMap((role) => role.screens.map((screen) => [screen.code, screen.module] as const)),
  );
  const screens = [...session.rights.screens()].map(([code, { pages }]) => {
    const module = modules.get(moduleOf.get(code) ?? '');
    return {
      modules_rights_id: module?.id ?? null,
      module_name: module?.module_name ?? '',
      hide_all: false,
      screen_code: code,
      ...(Object.fromEntries(PAGE_TYPES.map((page) => [page, pages.has(page)])) as Record<PageType, boolean>),
    };
  });
  return {
    is_admin: session.rights.isAdmin,
    emp_details: employee ? [{ id: employee.id, empno: employee.empno, profile_pic: picture }] : [],
    products_by_users: products.map((product_code) => ({ product_code })),
    modules_by_users: [...modules.values()],
    screen_by_users: screens,
    customer: customers,
    ...facts,
  };
}

function routesOf(session: LiveSession, granted: Roles[number]['screens'], screens: Map<string, Screen>): string[] {
  const codes = new Set(granted.filter((screen) => screen.landing).map((screen) => screen.code));
  return [...screens.values()]
    .filter(
      (screen) =>
        screen.access.screens.some((code) => codes.has(code)) && session.rights.refuse(screen, 'landing') === null,
    )
    .map((screen) => screen.routes.landing)
    .sort();
}

const MODULE_NAMES: Record<string, string> = {
  FMS: 'Field service',
  WHAT_IF_A: 'What-if',
  DOA: 'Delegation of authority',
  LEADERSHIP_STRUCTURE: 'Board and governance',
};

/** `MASTERS` → "Masters". */
function moduleName(code: string): string {
  const words = code.toLowerCase().replaceAll('_', ' ');
  return MODULE_NAMES[code] ?? words.charAt(0).toUpperCase() + words.slice(1);
}
