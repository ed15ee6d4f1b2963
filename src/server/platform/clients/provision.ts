import { completeEntries } from '../../db/search_entries.ts';
import { formatNumber } from '../../../descriptor/format.ts';
import { announce, announceRights } from '../../db/announce.ts';
import type { Screen } from '../../../descriptor/types.ts';
import { USUAL_PLACE, dayIn } from '../../../descriptor/place.ts';
import type { Tenant } from '../../db/tenant.ts';
import { accountOf, applyAccount, hasAccounts } from './account.ts';
import type { Queryable } from '../../db/database.ts';
import type { Directory } from '../../db/directory.ts';
import { quoted } from '../../db/names.ts';
import { createTenant, ensureTables, findTenant } from '../../db/tenants.ts';
import { fillWithDemo } from '../demo/create_demo.ts';
import { AppError, invalid } from '../../db/errors.ts';
import { loadBanks } from '../reference/banks.ts';
import { loadLists } from '../reference/lists.ts';
import { loadGeography } from '../reference/geography.ts';
import { isSubDomain } from '../../access/sessions/host.ts';
import type { Pages } from '../../access/rights/pages.ts';
import { compileRights } from '../../access/rights/rights.ts';
import { readRoles } from '../../access/sessions/session_rows.ts';
import type { FirstLists } from './first_lists.ts';
import { rightsOf, roleTemplatesFor } from './role_templates.ts';

/** A company of a new client. */
export interface NewCompany {
  code: string;
  name: string;
  legal_name: string;
  gstin?: string | null;
  pan?: string | null;
  address?: string | null;
  /** Code of the Indian state: TN. */
  state: string;
  city?: string | null;
  pincode?: string | null;
  /** Code of its parent company. */
  parent?: string | null;
}

export interface NewClient {
  subDomain: string;
  name: string;
  code?: string;
  /** Product suffixes. */
  products: string[];
  licensedUsers: number;
  timezone?: string;
  validFrom?: string | null;
  validTo?: string | null;
  companies: NewCompany[];
  /** A demo company, in addition to the client's own. */
  demo?: 'none' | 'small' | 'full';
  /** Month in which the financial year of its companies starts; default April. */
  fyStartMonth?: number;
  /** Starts with the library records for its industry. */
  libraries?: boolean;
  admin: { username: string; name: string; email: string };
}

export type StepName =
  | 'reserve'
  | 'schema'
  | 'reference'
  | 'demo'
  | 'companies'
  | 'rights'
  | 'lists'
  | 'admin'
  | 'invite';
export interface StepRow {
  step: StepName;
  state: 'waiting' | 'running' | 'done' | 'failed' | 'undone';
  ms: number | null;
  message: string | null;
}

export const STEPS: readonly { name: StepName; title: string }[] = [
  { name: 'reserve', title: 'Reserve the address' },
  { name: 'schema', title: 'Make the tables' },
  { name: 'reference', title: 'Load countries, states and cities' },
  { name: 'demo', title: 'Fill in a sample company' },
  { name: 'companies', title: 'Create the companies with their head offices' },
  { name: 'rights', title: 'Make the roles' },
  { name: 'lists', title: 'Fill the first lists: industry libraries, holidays, mail rules' },
  { name: 'admin', title: 'Create the administrator' },
  { name: 'invite', title: 'Send the invitation' },
];

export interface ProvisionDeps {
  directory: Directory;
  screens: () => ReadonlyMap<string, Screen>;
  pages: () => Pages;
  /** Fills the initial lists of a client whose companies and roles exist. @returns what was created, as text */
  firstLists: (tenant: Tenant, lists: FirstLists) => Promise<string>;
  /** Sends the administrator the link to choose a password. */
  invite: (tenant: Tenant, user: { id: number; name: string; email: string; username: string }) => Promise<void>;
}

/** Validates a client before anything is created. */
function clientProblems(client: NewClient): { field: string; message: string }[] {
  const found: { field: string; message: string }[] = [];
  if (!isSubDomain(client.subDomain))
    found.push({
      field: 'sub_domain',
      message:
        'The sub-domain has 2 to 30 lower-case letters, digits and dashes, begins with a letter, and is not a reserved name.',
    });
  if (client.products.length === 0) found.push({ field: 'products', message: 'Choose at least one product.' });
  if (client.companies.length === 0) found.push({ field: 'companies', message: 'Enter at least one company.' });
  if (!/^[a-z0-9._-]{3,50}$/.test(client.admin.username))
    found.push({
      field: 'admin_username',
      message: 'The user name has 3 to 50 lower-case letters, digits, dots, dashes or underscores.',
    });
  if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(client.admin.email))
    found.push({ field: 'admin_email', message: 'Enter the e-mail address of the first administrator.' });
  if (client.validFrom && client.validTo && client.validTo < client.validFrom)
    found.push({ field: 'valid_to', message: 'The last day cannot be before the first.' });
  return found;
}

/** Words in a company's name that state its legal form. */
const FORMS = /\b(private|pvt|public|limited|ltd|llp|inc|corporation|corp|company|co|the|and|of|india)\b/g;

/** A suggested sub-domain: from a company's name, or from a similar sub-domain. */
function baseOf(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase();
  const words = /\s/.test(plain.trim()) ? plain.replace(FORMS, ' ') : plain;
  return words
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^[^a-z]+|-+$/g, '')
    .slice(0, 24)
    .replace(/-+$/, '');
}

/**
 * Whether a sub-domain is available, with three alternatives; for a company's name, three suggestions. Addresses of
 * purged clients are reserved for a year.
 */
export async function subDomainState(
  { main }: Pick<Directory, 'main'>,
  name: string,
): Promise<{ free: boolean; suggestions: string[] }> {
  const wanted = name.trim().toLowerCase();
  const recorded = (await hasAccounts(main)) ? ' union select sub_domain from public.client_account' : '';
  const taken = new Set(
    (await main.query<{ sub_domain: string }>(`select sub_domain from public.client${recorded}`)).map(
      (row) => row.sub_domain,
    ),
  );
  const usable = (one: string) => isSubDomain(one) && !taken.has(one);
  if (usable(wanted)) return { free: true, suggestions: [] };
  const base = baseOf(name) || 'client';
  const first = base.split('-')[0]!;
  const ideas = [
    ...(first.length >= 4 ? [first] : []),
    base,
    `${base}-in`,
    `${base}-group`,
    ...Array.from({ length: 50 }, (_, at) => `${base}${at + 2}`),
  ];
  return { free: false, suggestions: [...new Set(ideas)].filter(usable).slice(0, 3) };
}

/** The progress of creating a client. */
export async function stepsOf({ main }: Directory, subDomain: string): Promise<StepRow[]> {
  const rows = await main.query<StepRow>(
    `select s.step, s.state, s.ms, s.message from public.client_step s join public.client c on c.id = s.client_id where c.sub_domain = $1`,
    [subDomain],
  );
  const byName = new Map(rows.map((row) => [row.step, row]));
  // An existing client was created by the steps of its time.
  const made = byName.get('invite')?.state === 'done';
  return STEPS.filter(({ name }) => byName.has(name) || (name !== 'demo' && !made)).map(
    ({ name }) => byName.get(name) ?? { step: name, state: 'waiting', ms: null, message: null },
  );
}

/**
 * Creates a client, or resumes an earlier attempt: each step can be repeated safely.
 * @throws AppError 409 if another process is creating it, 422 if its data is incomplete
 */
export async function provision(deps: ProvisionDeps, client: NewClient): Promise<Tenant> {
  const { directory, screens } = deps;
  const problems = clientProblems(client);
  if (problems.length > 0) throw invalid(problems);
  const guard = await directory.main.connect();
  let broken = false;
  try {
    const { rows } = await guard.query<{ mine: boolean }>(
      'select pg_try_advisory_lock(hashtextextended($1, 0)) as mine',
      [`provision ${client.subDomain}`],
    );
    if (!rows[0]?.mine) throw new AppError(409, 'bad_state', 'This client is being created at the moment.');
    try {
      const started = performance.now();
      const made =
        (await findTenant(directory, client.subDomain)) ??
        (await createTenant(directory, screens(), {
          subDomain: client.subDomain,
          name: client.name,
          products: client.products,
          licensedUsers: client.licensedUsers,
          mayTakeSpare: true,
          ...(client.code && { code: client.code }),
          ...(client.timezone && { timezone: client.timezone }),
        }));
      await directory.main.transaction(async (tx) => {
        await tx.query('update public.client set valid_from = $2, valid_to = $3 where id = $1', [
          made.id,
          client.validFrom ?? null,
          client.validTo ?? null,
        ]);
        await announce(tx, { kind: 'client' });
        const account = await accountOf(tx, client.subDomain);
        if (account) await applyAccount(tx, account.id);
      });
      const note = (step: StepName, state: StepRow['state'], ms: number | null, message: string | null) =>
        directory.main.query(
          `insert into public.client_step (client_id, step, state, started_at, ms, message) values ($1, $2, $3, now(), $4, $5)
           on conflict (client_id, step) do update set state = excluded.state, ms = excluded.ms, message = excluded.message`,
          [made.id, step, state, ms, message],
        );
      await note('reserve', 'done', 0, null);
      await note('schema', 'done', Math.round(performance.now() - started), null);
      const step = async (name: StepName, work: () => Promise<string | null>) => {
        const [before] = await directory.main.query<{ state: string }>(
          'select state from public.client_step where client_id = $1 and step = $2',
          [made.id, name],
        );
        if (before?.state === 'done') return;
        const from = performance.now();
        await note(name, 'running', null, null);
        try {
          const message = await work();
          // A partly created client already has people.
          await announceRights(made.db, made.schema);
          await note(name, 'done', Math.round(performance.now() - from), message);
        } catch (error) {
          await note(name, 'failed', Math.round(performance.now() - from), (error as Error).message.slice(0, 300));
          throw error;
        }
      };
      await step('reference', () => reference(made, screens()));
      const { demo = 'none' } = client;
      // First of all, while there is no other data.
      if (demo !== 'none')
        await step(
          'demo',
          async () => `${formatNumber(await fillWithDemo(made, screens(), deps.pages(), demo))} records.`,
        );
      await step('companies', () => companies(made, client));
      await step('rights', () => roles(made, screens(), deps.pages()));
      await step('lists', () =>
        deps.firstLists(made, { companies: client.companies, libraries: client.libraries ?? false }),
      );
      await step('admin', async () => {
        const message = await administrator(made, client);
        await completeEntries(made.db, made.schema, screens());
        return message;
      });
      await step('invite', async () => {
        const [user] = await made.db.query<{ id: number; name: string; email: string; username: string }>(
          `select id, name, email, username from ${quoted(made.schema)}.users where username = $1`,
          [client.admin.username],
        );
        await deps.invite(made, user!);
        return `Sent to ${client.admin.email}.`;
      });
      await event(directory, made, null, 'provisioned');
      return made;
    } finally {
      await guard.query('select pg_advisory_unlock(hashtextextended($1, 0))', [`provision ${client.subDomain}`]);
    }
  } catch (error) {
    broken = !(error instanceof AppError);
    throw error;
  } finally {
    guard.release(broken);
  }
}

/** Adds an entry to a client's own history. */
export async function event(
  { main }: { main: Queryable },
  client: Pick<Tenant, 'id' | 'subDomain'>,
  actor: number | null,
  name: string,
  note: string | null = null,
): Promise<void> {
  await main.query(
    'insert into public.client_event (client_id, sub_domain, actor, event, note) values ($1, $2, $3, $4, $5)',
    [client.id, client.subDomain, actor, name, note],
  );
}

/** The initial lists of every client; their tables exist. */
export async function loadReference(
  tx: Queryable,
  schema: string,
  screens: ReadonlyMap<string, Screen>,
): Promise<void> {
  await loadGeography(tx, schema);
  await loadLists(tx, schema);
  if (screens.has('bank')) await loadBanks(tx, schema);
}

async function reference(tenant: Tenant, screens: ReadonlyMap<string, Screen>): Promise<string> {
  await ensureTables(
    tenant,
    screens,
    [...screens.values()]
      .filter(({ folder, scope }) => ['platform', 'reference', 'organisation'].includes(folder) && scope !== 'platform')
      .map(({ name }) => name),
  );
  const s = quoted(tenant.schema);
  // The spare schema may already contain them.
  if ((await tenant.db.query(`select 1 from ${s}.country limit 1`)).length === 0)
    await tenant.db.transaction((tx) => loadReference(tx, tenant.schema, screens));
  const bank = screens.has('bank') ? `, (select count(*)::int from ${s}.bank) as banks` : ', 0 as banks';
  const [count] = await tenant.db.query<{ countries: number; states: number; cities: number; banks: number }>(
    `select (select count(*)::int from ${s}.country) as countries, (select count(*)::int from ${s}.state_mstr) as states, (select count(*)::int from ${s}.city_mstr) as cities${bank}`,
  );
  const { countries, states, cities, banks } = count!;
  return `${countries} countries, ${states} states, ${cities} cities, ${banks} banks.`;
}

/** Companies, each with its head office, and the week-off "Sunday". */
async function companies(tenant: Tenant, client: NewClient): Promise<string> {
  const s = quoted(tenant.schema);
  await tenant.db.transaction(async (tx) => {
    for (const [at, company] of client.companies.entries()) {
      const [place] = await tx.query<{ state: number; country: number; city: number | null }>(
        `select st.id as state, st.country_id as country,
           (select c.id from ${s}.city_mstr c where c.state_id = st.id order by lower(c.name) = lower($2) desc nulls last, c.population desc nulls last limit 1) as city
         from ${s}.state_mstr st join ${s}.country co on co.id = st.country_id and co.code = 'IN' where upper(st.code) = upper($1) or lower(st.name) = lower($1) limit 1`,
        [company.state, company.city ?? null],
      );
      if (!place) throw invalid([{ field: `companies.${at}.state`, message: `There is no state "${company.state}".` }]);
      const [entity] = await tx.query<{ id: number }>(
        `insert into ${s}.entity (code, name, legal_name, gstin, pan, address1, city, state_id, country, pincode, fy_start_month, timezone, sequence_no)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $13, $11, $12) on conflict do nothing returning id`,
        [
          company.code,
          company.name,
          company.legal_name,
          company.gstin ?? null,
          company.pan ?? null,
          company.address ?? company.name,
          place.city,
          place.state,
          place.country,
          company.pincode ?? '110001',
          tenant.timezone,
          at + 1,
          client.fyStartMonth ?? USUAL_PLACE.fyStartMonth,
        ],
      );
      if (!entity) continue;
      await tx.query(
        `insert into ${s}.branch (entity_id, code, name, branch_type, address1, city, state_id, country, pincode, gstin, e_invoice, work_from, work_to, fence_m)
         values ($1, 'HO', 'Head office', 'head_office', $2, $3, $4, $5, $6, $7, false, '09:30', '18:30', 200)`,
        [
          entity.id,
          company.address ?? company.name,
          place.city,
          place.state,
          place.country,
          company.pincode ?? '110001',
          company.gstin ?? null,
        ],
      );
    }
    for (const { code, parent } of client.companies.filter((company) => company.parent))
      await tx.query(
        `update ${s}.entity e set parent_entity_id = p.id from ${s}.entity p where e.code = $1 and lower(p.code) = lower($2) and p.id <> e.id`,
        [code, parent],
      );
    const [weekoff] = await tx.query<{ id: number }>(
      `insert into ${s}.weekoff (code, name, is_default, effective_from) values ('SUN', 'Sunday', true, $1) on conflict do nothing returning id`,
      [`${dayIn(tenant.timezone).slice(0, 4)}-01-01`],
    );
    if (weekoff)
      await tx.query(
        `insert into ${s}.weekoff__rules (parent_id, position, weekday, weeks, part) values ($1, 0, 'sunday', '{all}', 'full')`,
        [weekoff.id],
      );
  });
  return `${client.companies.length} ${client.companies.length === 1 ? 'company' : 'companies'}.`;
}

/** The predefined roles with their rights on every existing screen. */
async function roles(tenant: Tenant, screens: ReadonlyMap<string, Screen>, pages: Pages): Promise<string> {
  const s = quoted(tenant.schema);
  const templates = roleTemplatesFor(tenant.products);
  await tenant.db.transaction(async (tx) => {
    for (const template of templates) {
      const [role] = await tx.query<{ id: number }>(
        `insert into ${s}.role (code, role_name, description, template_code, is_system, landing_route) values ($1, $2, $3, $1, true, $4) on conflict do nothing returning id`,
        [template.code, template.name, template.description, template.landing ?? null],
      );
      if (!role) continue;
      const modules = Object.entries(template.modules).map(([code, reach]) => ({ code, active: reach !== '-' }));
      const ids = new Map(
        (
          await tx.query<{ id: number; code: string }>(
            `insert into ${s}.module_rights (role_id, module_code, active) select $1, m.code, m.active from jsonb_to_recordset($2::jsonb) as m(code text, active boolean) returning id, module_code as code`,
            [role.id, JSON.stringify(modules)],
          )
        ).map(({ id, code }) => [code, id]),
      );
      const rights = rightsOf(template, screens.values(), pages).map(({ module, ...right }) => ({
        ...right,
        modules_rights_id: ids.get(module) ?? null,
      }));
      await tx.query(
        `insert into ${s}.screen_rights (role_id, modules_rights_id, screen_code, landing, add_screen, edit_screen, view_screen, approval_screen, transfer_screen, data_scope)
         select $1, r.modules_rights_id, r.screen_code, r.landing, r.add_screen, r.edit_screen, r.view_screen, r.approval_screen, r.transfer_screen, r.data_scope
         from jsonb_to_recordset($2::jsonb) as r(modules_rights_id bigint, screen_code text, landing boolean, add_screen boolean, edit_screen boolean, view_screen boolean, approval_screen boolean, transfer_screen boolean, data_scope text)`,
        [role.id, JSON.stringify(rights)],
      );
      await tx.query(
        `insert into ${s}.role_action (role_id, action_code) select $1, unnest($2::text[]) on conflict do nothing`,
        [role.id, template.actions],
      );
      if (template.fields)
        await tx.query(
          `insert into ${s}.field_right (role_id, record_type, field, access) select $1, f.record_type, f.field, f.access from jsonb_to_recordset($2::jsonb) as f(record_type text, field text, access text)`,
          [role.id, JSON.stringify(template.fields)],
        );
    }
  });
  return `${templates.length} roles.`;
}

/** The first user, an administrator of every company, and a check that the rights compile. */
async function administrator(tenant: Tenant, { admin }: NewClient): Promise<string> {
  const s = quoted(tenant.schema);
  await tenant.db.transaction(async (tx) => {
    const [user] = await tx.query<{ id: number }>(
      `insert into ${s}.users (username, name, email, is_admin, chairman_flag, ceo_flag, secretary_flag, is_service, status, language, mfa_required, must_change_password, products)
       values ($1, $2, $3, true, false, false, false, false, 'invited', 'en', false, false, '{}') on conflict do nothing returning id`,
      [admin.username, admin.name, admin.email],
    );
    if (!user) return;
    await tx.query(
      `insert into ${s}.users__companies (parent_id, position, entity_id, is_default, branch_id, branch_ids, role_ids)
       select $1, row_number() over (order by e.id) - 1, e.id, row_number() over (order by e.id) = 1, b.id, '{}', array(select id from ${s}.role where code = 'ADMIN')
       from ${s}.entity e left join ${s}.branch b on b.entity_id = e.id and b.code = 'HO'`,
      [user.id],
    );
  });
  const [role] = await tenant.db.query<{ id: number }>(`select id from ${s}.role where code = 'ADMIN'`);
  const rights = compileRights({
    isAdmin: false,
    version: 1,
    clientProducts: tenant.products,
    userProducts: [],
    roles: await readRoles(tenant, role ? [role.id] : []),
  });
  if (!rights.holds(['SCN_BRANCH'], 'landing')) throw new Error('The administrator’s role has no rights.');
  return `${admin.name} <${admin.email}>.`;
}
