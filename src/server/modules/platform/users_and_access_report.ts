import { formatNumber } from '../../../descriptor/format.ts';
import { placeOf } from '../../services/clock/client_day.ts';
import type { ReportFigure } from '../../../domain/report.ts';
import { productName } from '../../db/subscription.ts';
import type { Tenant } from '../../db/tenant.ts';
import { quoted } from '../../db/names.ts';
import { SqlParams, preparedStatement } from '../../db/sql_text.ts';
import type { ReportSource } from '../../engine/reports/report_source.ts';
import { ownProducts, usedLicences, usedProducts } from '../../access/rights/licences.ts';

interface UserRow {
  user: number;
  role_names: string[];
  product_codes: string[] | null;
}

/**
 * Users and access (platform.md §7): the users in the reader's list, their roles, and the state of their accounts.
 * Password and second factor are shown only to people who may see the audit; the secrets themselves to nobody.
 */
const usersAndAccess: ReportSource = {
  reads: {
    users: ['username', 'status', 'products', 'last_login_at', 'companies', 'is_service'],
    employee: [],
    entity: [],
    branch: [],
    role: [],
  },
  async rows({ session, parameters, today, scoped }) {
    const { tenant } = session;
    const s = quoted(tenant.schema);
    const values = new SqlParams();
    const [day, zone] = [values.bind(today), values.bind(placeOf(session).timezone)];
    const ago = (moment: string) => `(${day}::date - (${moment} at time zone ${zone})::date)`;
    // Accounts that never signed in are idle since they were created.
    const idle = ago('coalesce(u.last_login_at, u.created_at)');
    const conditions = ['u.active', ...scoped('users', 'u', values)];
    const mapped = (
      [
        ['company', (id: string) => `c.entity_id = ${id}`],
        ['role', (id: string) => `${id} = any(c.role_ids)`],
        ['branch', (id: string) => `(c.branch_id = ${id} or ${id} = any(c.branch_ids))`],
      ] as const
    ).flatMap(([name, condition]) =>
      typeof parameters[name] === 'number' ? [condition(values.bind(parameters[name]))] : [],
    );
    if (mapped.length > 0)
      conditions.push(
        `exists (select 1 from ${s}.users__companies c where c.parent_id = u.id and ${mapped.join(' and ')})`,
      );
    if (typeof parameters.state === 'string') conditions.push(`u.status = ${values.bind(parameters.state)}`);
    if (typeof parameters.idle_days === 'number') conditions.push(`${idle} >= ${values.bind(parameters.idle_days)}`);
    const names = (text: string, from: string) =>
      `(select string_agg(n.name, ', ' order by n.name) from (select distinct ${text} as name from ${s}.users__companies c ${from} where c.parent_id = u.id) n)`;
    const rows = await tenant.db.query<UserRow>(
      preparedStatement(
        `select u.id as user, u.name as user__label, u.username, u.employee_id as employee, e.name as employee__label, u.status as state,
         ${names('x.name', `join ${s}.entity x on x.id = c.entity_id`)} as companies, ${names('x.name', `join ${s}.branch x on x.id = c.branch_id or x.id = any(c.branch_ids)`)} as branches,
         array(select distinct r.role_name from ${s}.users__companies c join ${s}.role r on r.id = any(c.role_ids) where c.parent_id = u.id order by 1) as role_names,
         u.products as product_codes, u.last_login_at as last_sign_in, ${idle} as days_idle,
         case when not coalesce(u.is_service, false) then exists (select 1 from ${s}.user_totp f where f.user_id = u.id and f.confirmed_at is not null) end as two_step,
         case when not coalesce(u.is_service, false) then ${ago('k.changed_at')} end as password_age
       from ${s}.users u left join ${s}.employee e on e.id = u.employee_id left join ${s}.credential k on k.user_id = u.id
       where ${conditions.join(' and ')} order by u.name, u.id`,
        values.list,
      ),
    );
    const people = new Map<string, number>();
    for (const { role_names: roles } of rows) for (const role of roles) people.set(role, (people.get(role) ?? 0) + 1);
    const roles = [...people].sort(([a, m], [b, n]) => n - m || a.localeCompare(b, 'en'));
    return {
      rows: rows.map(({ role_names: own, product_codes: codes, ...row }) => ({
        ...row,
        roles: own.join(', ') || null,
        products: ownProducts(codes).map(productName).join(', ') || 'All',
      })),
      figures: await licenceFigures(tenant),
      ...(roles.length > 0 && {
        chart: {
          x: roles.map(([role]) => role),
          series: [{ title: 'People', values: roles.map(([, count]) => count) }],
        },
      }),
    };
  },
};

async function licenceFigures(tenant: Tenant): Promise<ReportFigure[]> {
  const [used, products] = await Promise.all([usedLicences(tenant), usedProducts(tenant)]);
  const figure = (title: string, count: number, limit: number | undefined, note: string): ReportFigure => ({
    title,
    value: `${formatNumber(count)}${limit === undefined ? '' : ` of ${formatNumber(limit)}`}`,
    note,
    ...(limit !== undefined && count >= limit && { tone: count > limit ? 'danger' : 'warning' }),
  });
  return [
    figure('Licences in use', used, tenant.licensedUsers, 'active and invited, without service accounts'),
    ...products.map(({ code, limit, used: count }) => figure(productName(code), count, limit, 'people who may use it')),
  ];
}

export default usersAndAccess;
