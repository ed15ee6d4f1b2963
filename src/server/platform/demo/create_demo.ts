import type { Pages } from '../../access/rights/pages.ts';
import { join } from 'node:path';
import { PLATFORM_ZONE } from '../../db/subscription.ts';
import { dayIn, inZone } from '../../services/clock/client_day.ts';
import type { Screen } from '../../../descriptor/types.ts';
import { fillCatalogue } from '../clients/catalogue.ts';
import type { Tenant } from '../../db/tenant.ts';
import type { Queryable } from '../../db/database.ts';
import type { Directory } from '../../db/directory.ts';
import { tableName } from '../../db/tables.ts';
import { createTenant, ensureTables, findTenant } from '../../db/tenants.ts';
import { loadBanks } from '../reference/banks.ts';
import { LISTED_TYPES, loadLists } from '../reference/lists.ts';
import { geography, loadGeography } from '../reference/geography.ts';
import { hashPassword } from '../../access/sessions/password.ts';
import { platformTenant } from '../../access/sessions/tenants.ts';
import { acmeData, zenithData } from './demo_data.ts';
import type { DemoAnswers } from './demo_answers.ts';
import { addDemoAnswers } from './demo_answers.ts';
import type { DemoFile } from './demo_rows.ts';
import { completeEntries } from '../../db/search_entries.ts';
import { readDemoFiles, writeDemoFiles } from './demo_rows.ts';
import { fillType } from './fill_type.ts';
import { writePlatform } from './platform_rows.ts';
import { addAppraisalsAtWork } from './appraisals_at_work.ts';
import { addBoardPapers } from './board_papers.ts';
import { addBrandPictures } from './brand_pictures.ts';
import { addPast } from './past_activity.ts';
import { addCodeTaxes } from './code_taxes.ts';
import { addCurrencyRates } from './currency_rates.ts';
import { publishQuestionnaires } from './published_questionnaires.ts';
import { addPastChanges } from './past_changes.ts';
import { addComplianceAtWork } from './compliance_at_work.ts';
import { addContractsAtWork } from './contracts_at_work.ts';
import { addIncentivesAtWork } from './incentives_at_work.ts';
import { addJewelsAtWork } from './jewels_at_work.ts';
import { addKpisAtWork } from './kpis_at_work.ts';
import { addRecordings } from './recording.ts';
import type { DemoData, Places } from './shapes.ts';
import type { DemoSignIn } from './sign_in_file.ts';
import { mainSignIns, PLATFORM_SIGN_IN, randomPassword, readSignIns, writeSignIns } from './sign_in_file.ts';
import { addLeaveAtWork } from './leave_at_work.ts';
import { addLiftMonths } from './lift_months_at_work.ts';
import { addServiceYear } from './service_year.ts';
import { addMeetingsAtWork } from './meetings_at_work.ts';
import { addStoresAtWork } from './stores_at_work.ts';
import { addWalkinsAtWork } from './walkins_at_work.ts';
import { addTraces } from './traces.ts';
import { writeTenant } from './write_tenant.ts';

export interface DemoDeps {
  directory: Directory;
  screens: ReadonlyMap<string, Screen>;
  pages: Pages;
  /** The folder of `demo-sign-ins.txt`. */
  dataDir: string;
  log?: (text: string) => void;
  /** Default: random, generated once. */
  password?: string | undefined;
  /** Default: today in India. */
  today?: string;
  /** The folder with the rows of each list. Default: the product's own. */
  demoDir?: string;
  /** `large` adds 100,000 outlets to Acme Retail, for benchmarks. Default small. */
  size?: 'small' | 'large';
  /** Other sub-domains than `demo` and `zenith`, for tests that share a database. */
  subDomain?: (name: string) => string;
}

const ALL_PRODUCTS = [
  'PLANNING',
  'PMS',
  'CHCK',
  'TKT',
  'WLK',
  'VISITS',
  'SURVEY',
  'BOARD',
  'ANALYTICS',
  'FORMS',
  'FMS',
];

/** Rows of each list, as data: `demo/<module>/<type>.json`. */
const DEMO_DIR = join(import.meta.dirname, '../../../../demo');

/** Folders of schemas/ whose records the demo creates itself. */
const FOLDERS = ['platform', 'reference', 'organisation'];

const TENANTS: {
  subDomain: string;
  name: string;
  products: string[];
  data: (today: string, places: Places) => DemoData;
}[] = [
  { subDomain: 'demo', name: 'Acme group', products: ALL_PRODUCTS, data: acmeData },
  { subDomain: 'zenith', name: 'Zenith Facilities', products: ['TKT', 'SURVEY'], data: zenithData },
];

/**
 * Creates the tenants `demo` and `zenith` with their people, rights and sign-ins, each in one transaction. It may run
 * again: existing tenants stay, and an empty one is filled. Returns the main sign-ins.
 */
export async function createDemo(deps: DemoDeps): Promise<DemoSignIn[]> {
  const { directory, screens, pages, dataDir } = deps;
  const log = deps.log ?? (() => {});
  const today = deps.today ?? dayIn(PLATFORM_ZONE);
  const tenants = TENANTS.map((tenant) => ({
    ...tenant,
    subDomain: deps.subDomain?.(tenant.subDomain) ?? tenant.subDomain,
  }));
  const earlier = await readSignIns(dataDir);
  if (
    earlier.length > 0 &&
    (await allFilled(
      directory,
      tenants.map(({ subDomain }) => subDomain),
    ))
  )
    return earlier;
  const password = earlier[0]?.password ?? deps.password ?? randomPassword();
  const passwordHash = await hashPassword(password);
  const signIns: DemoSignIn[] = [];
  const demoFiles = readDemoFiles(deps.demoDir ?? DEMO_DIR);

  for (const { subDomain, name, products, data } of tenants) {
    const tenant =
      (await findTenant(directory, subDomain)) ??
      (await createTenant(directory, screens, { subDomain, name, products, licensedUsers: 100 }));
    const started = performance.now();
    const files = data === acmeData ? demoFiles : [];
    const made = await fillTenant(
      tenant,
      { screens, pages },
      (places) => data(today, places),
      passwordHash,
      files,
      today,
    );
    if (made.count > 0)
      log(
        `Made the demo company ${name}: ${made.count} records in ${((performance.now() - started) / 1000).toFixed(1)} s.`,
      );
    if (made.count > 0 && data === acmeData) await addStoresAtWork(tenant, screens, today, dataDir);
    if (made.count > 0 && data === acmeData) await addContractsAtWork(tenant, screens, today);
    if (made.count > 0 && data === acmeData) await addServiceYear(tenant, screens, today);
    if (made.count > 0 && data === acmeData) await addLiftMonths(tenant, screens, today);
    if (made.count > 0 && data === acmeData) await addLeaveAtWork(tenant, screens, today);
    // Before the months of compliance are closed.
    if (made.count > 0 && data === acmeData) await addMeetingsAtWork(tenant, screens, today);
    if (made.count > 0 && data === acmeData) await addBoardPapers(tenant, screens, dataDir);
    if (made.count > 0 && data === acmeData) await addComplianceAtWork(tenant, screens, today);
    if (made.count > 0 && data === acmeData) await addKpisAtWork(tenant, screens, today);
    if (made.count > 0 && data === acmeData) await addAppraisalsAtWork(tenant, screens, today);
    if (made.count > 0 && data === acmeData) await addIncentivesAtWork(tenant, screens, today);
    if (made.count > 0 && data === acmeData) await addJewelsAtWork(tenant, screens, today);
    if (made.count > 0 && data === acmeData) await addWalkinsAtWork(tenant, screens, today);
    if (made.count > 0) await addRecordings(tenant, dataDir);
    if (made.count > 0 && data === acmeData) await addTraces(tenant, today);
    if (made.count > 0 && data === acmeData) await addPast(tenant, screens, today);
    const outlet = screens.get('outlet');
    if (deps.size === 'large' && made.count > 0 && data === acmeData && outlet)
      await tenant.db.owner.transaction((tx) => fillType(tx, tenant, outlet, 100_000, 2));
    await completeEntries(tenant.db, tenant.schema, screens);
    signIns.push(...mainSignIns(subDomain, made.data.signIns, password));
  }
  await writePlatform(directory.main, passwordHash);
  await inZone(PLATFORM_ZONE, () => fillPlatform(directory, screens, demoFiles, today));
  await completeEntries(directory.main, 'public', screens);
  if (screens.has('brand')) await addBrandPictures(platformTenant(directory), dataDir);
  signIns.push({ ...PLATFORM_SIGN_IN, password });
  if (earlier.length === 0) await writeSignIns(dataDir, signIns);
  return signIns;
}

/**
 * Fills a client without a company with sample data: `small` is a company with its people, `full` has records in every
 * list. Nobody can sign in as its people.
 * @returns the number of records
 */
export async function fillWithDemo(
  tenant: Tenant,
  screens: ReadonlyMap<string, Screen>,
  pages: Pages,
  size: 'small' | 'full',
): Promise<number> {
  const today = dayIn(PLATFORM_ZONE);
  const { count } = await fillTenant(
    tenant,
    { screens, pages },
    (places) => (size === 'full' ? acmeData : zenithData)(today, places),
    await hashPassword(randomPassword()),
    size === 'full' ? readDemoFiles(DEMO_DIR) : [],
    today,
  );
  const s = tableName(tenant.schema, 'users');
  // User names of the client's own people are not taken.
  await tenant.db.query(`update ${s} set status = 'disabled', username = left('demo.' || username, 50)`);
  await tenant.db.query(`delete from ${tableName(tenant.schema, 'credential')}`);
  // Shipped roles belong to the client whoever created them first: they stay when the sample data is removed.
  await tenant.db.query(
    `update ${tableName(tenant.schema, 'history')} set what = 'provision' where what = 'demo' and record_type in ('role', 'weekoff')`,
  );
  await completeEntries(tenant.db, tenant.schema, screens);
  return count;
}

/** Fills a client with a fixed time zone, so that "today" is the same day for the rows and for their checks. */
const fillTenant: typeof fillTenantThere = (...of) => inZone(PLATFORM_ZONE, () => fillTenantThere(...of));

/** Writes geography and banks, then the people, then the rows of the files, in one transaction. */
async function fillTenantThere(
  tenant: Tenant,
  { screens, pages }: Pick<DemoDeps, 'screens' | 'pages'>,
  make: (places: Places) => DemoData,
  passwordHash: string,
  files: DemoFile[],
  today: string,
): Promise<{ data: DemoData; count: number }> {
  const listed = new Set(files.map(({ type }) => type));
  const types = [...screens.values()]
    .filter(
      ({ name, folder, scope }) =>
        scope !== 'platform' &&
        (FOLDERS.includes(folder) || listed.has(name) || (files.length > 0 && LISTED_TYPES.includes(name))),
    )
    .map(({ name }) => name);
  await ensureTables(tenant, screens, types);
  const answers: DemoAnswers[] = [];
  const filled = await tenant.db.transaction(async (tx) => {
    await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`${tenant.schema}:demo`]);
    const data = make(await placesOf(tx, tenant.schema));
    if (screens.has('bank')) await loadBanks(tx, tenant.schema);
    await loadLists(tx, tenant.schema);
    if (await isFilled(tx, tenant)) return { data, count: 0 };
    const count = await writeTenant(tx, tenant, screens, pages, data, passwordHash);
    const more = await writeDemoFiles(tx, tenant, screens, files, today, 'tenant', answers);
    if (listed.has('employee_history')) await addPastChanges(tx, tenant.schema);
    if (listed.has('quotation')) await addCodeTaxes(tx, tenant.schema);
    if (listed.has('vendor_mstr')) await addCurrencyRates(tx, tenant.schema, today);
    return { data, count: count + more };
  });
  await publishQuestionnaires(tenant, screens, listed);
  await addDemoAnswers(tenant, screens, answers);
  return filled;
}

/** The lists of the administration host; if any has rows already, none is filled. */
async function fillPlatform(
  directory: Directory,
  screens: ReadonlyMap<string, Screen>,
  files: DemoFile[],
  today: string,
): Promise<void> {
  const platform = platformTenant(directory);
  const types = files.map(({ type }) => type).filter((type) => screens.get(type)?.scope === 'platform');
  if (types.length === 0) return;
  await fillCatalogue(directory, screens);
  await ensureTables(platform, screens, types);
  await directory.main.transaction(async (tx) => {
    await tx.query(`select pg_advisory_xact_lock(hashtextextended('public:demo', 0))`);
    const [made] = await tx.query(`select 1 from public.history where what = 'demo' limit 1`);
    if (!made) await writeDemoFiles(tx, platform, screens, files, today, 'platform');
  });
}

async function allFilled(directory: Directory, subDomains: string[]): Promise<boolean> {
  const filled = await Promise.all(
    subDomains.map(async (subDomain) => {
      const tenant = await findTenant(directory, subDomain);
      return tenant !== null && isFilled(tenant.db, tenant);
    }),
  );
  return filled.every(Boolean);
}

async function isFilled(db: Queryable, { schema }: Tenant): Promise<boolean> {
  const [there] = await db.query<{ there: boolean }>('select to_regclass($1) is not null as there', [
    tableName(schema, 'entity'),
  ]);
  return there?.there === true && (await db.query(`select 1 from ${tableName(schema, 'entity')} limit 1`)).length > 0;
}

function places(id: (kind: string, name: string) => number): Places {
  return {
    country: (code) => id('country', code),
    state: (code) => id('state', code),
    city: (state, name) => id('city', `${state}/${name}`),
  };
}

async function placesOf(db: Queryable, schema: string): Promise<Places> {
  await loadGeography(db, schema);
  const ids = new Map<string, number>();
  const rows = await db.query<{ key: string; id: number }>(`
    select 'country/' || code as key, id from ${tableName(schema, 'country')}
    union all select 'state/' || s.code, s.id from ${tableName(schema, 'state_mstr')} s join ${tableName(schema, 'country')} c on c.id = s.country_id where c.code = 'IN'
    union all select 'city/' || s.code || '/' || t.name, t.id from ${tableName(schema, 'city_mstr')} t join ${tableName(schema, 'state_mstr')} s on s.id = t.state_id`);
  for (const { key, id } of rows) ids.set(key, id);
  return places((kind, name) => {
    const id = ids.get(`${kind}/${name}`);
    if (id === undefined)
      throw new Error(`There is no ${kind} ${name} in the geography (${geography().cities.length} cities).`);
    return id;
  });
}
