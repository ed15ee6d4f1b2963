/**
 * `npm run bench`: what the engine costs against what one would write by hand, as ratios within one run,
 * and the product's own figures. Figures of different runs or machines do not compare; ratios do.
 * What came out is written into docs/performance.md, in place of what these sections said before.
 * Sections can be named: npm run bench -- list insert excel. Six run only when named: many, a thousand clients on
 * one server, fms, field service with 20,000 lifts, act, 2,000 checklists in 200 branches, and people, 10,000 members
 * with KPIs, take minutes; chart, the organisation chart of these members, adds them; rights, 500 roles of 500 screens,
 * needs screens of its own.
 */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { actBench } from '../tests/bench/act.ts';
import { approvalsBench } from '../tests/bench/approvals.ts';
import { computeBench } from '../tests/bench/compute.ts';
import { dashboardBench } from '../tests/bench/dashboard.ts';
import { ageingBench, documentsBench } from '../tests/bench/documents.ts';
import { fmsBench } from '../tests/bench/fms.ts';
import { formBench } from '../tests/bench/form/keystroke.ts';
import { oneAddress, questionnaireBench } from '../tests/bench/questionnaire.ts';
import { gridBench } from '../tests/bench/grid.ts';
import { listAlone } from '../tests/bench/list_alone.ts';
import { jobsBench } from '../tests/bench/jobs.ts';
import type { LoadResult } from '../tests/bench/load.ts';
import { interleaved, requireWrk } from '../tests/bench/load.ts';
import { orgChartBench } from '../tests/bench/org_chart.ts';
import { peopleBench } from '../tests/bench/people.ts';
import { rightsBench, writeRightsScreens } from '../tests/bench/rights.ts';
import { rowsBench } from '../tests/bench/rows.ts';
import { ENTRIES, searchBench } from '../tests/bench/search.ts';
import { scriptSizes } from '../tests/bench/script_sizes.ts';
import { manyTenantsBench } from '../tests/bench/many_tenants.ts';
import type { BenchRow } from '../tests/bench/table.ts';
import { withRows } from '../tests/bench/table.ts';
import { tenantBench } from '../tests/bench/tenants.ts';
import { removeData } from '../tests/server_data.ts';
import type { Database } from '../src/server/db/database.ts';
import { openDatabases } from '../src/server/db/open.ts';
import { openPool } from '../src/server/db/pool.ts';

const root = join(import.meta.dirname, '..');
const home = mkdtempSync(join(tmpdir(), 'mainstay-bench-'));
const only = process.argv.slice(2);
const wanted = (section: string) => only.length === 0 || only.includes(section);
const ROWS = Number(process.env.BENCH_ROWS ?? 1_000_000);
const PASSWORD = 'Lift-2025 monsoon kettle';

const results: BenchRow[] = [];
function report(section: string, what: string, measured: string, target = '', reference = ''): void {
  results.push({ section, what, measured, reference, target });
  console.log(`${section.padEnd(10)} ${what.padEnd(66)} ${measured}${target ? `   (target ${target})` : ''}`);
}
const ratio = (a: number, b: number) => (a / b).toFixed(2);
const perSecond = (result: LoadResult) => `${result.perSecond.toFixed(0)} a second`;

interface Product {
  process: ChildProcess;
  port: number;
  readyMs: number;
  stop(): Promise<void>;
}

async function startProduct(): Promise<Product> {
  const port = 20_000 + Math.floor(Math.random() * 20_000);
  const from = performance.now();
  const child = spawn(process.execPath, [join(root, 'src/server/main.ts')], {
    env: {
      ...process.env,
      PORT: String(port),
      DATA_DIR: join(home, 'data'),
      SCHEMAS_DIR: join(home, 'schemas'),
      DEMO: '1',
      DEMO_PASSWORD: PASSWORD,
      LOG_LEVEL: 'error',
      RATE_LIMIT: '0',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  for (;;) {
    if ((await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null))?.ok) break;
    if (child.exitCode !== null) throw new Error('The product did not start.');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  return {
    process: child,
    port,
    readyMs: performance.now() - from,
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

async function startReference(databaseUrl: string): Promise<{ port: number; stop(): void }> {
  const port = 20_000 + Math.floor(Math.random() * 20_000);
  const child = spawn(process.execPath, [join(root, 'tests/bench/reference_server.ts')], {
    env: { ...process.env, PORT: String(port), REFERENCE_DATABASE_URL: databaseUrl },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await new Promise<void>((resolve) => child.stdout!.once('data', () => resolve()));
  return { port, stop: () => child.kill() };
}

async function signIn(port: number, email = 'admin'): Promise<{ token: string; headers: Record<string, string> }> {
  const base = `http://127.0.0.1:${port}`;
  const host = { host: `demo.localhost:${port}`, 'content-type': 'application/json' };
  const call = async (path: string, init: RequestInit) =>
    (await fetch(base + path, init)).json() as Promise<Record<string, unknown>>;
  // fetch may not set Host, so the sub-domain goes in as the sign-in's prefix on a host that names none.
  const { token } = (await call('/api/sessions/login', {
    method: 'POST',
    headers: host,
    body: JSON.stringify({ email, password: PASSWORD, prefix: 'cmp_demo' }),
  })) as { token: string };
  await call('/tapi/session/entity', {
    method: 'PUT',
    headers: { ...host, authorization: `Bearer ${token}` },
    body: JSON.stringify({ entity_id: 1 }),
  });
  return { token, headers: { Authorization: `Bearer ${token}`, Host: `demo.localhost:${port}` } };
}

/** The bench's table: a million contracts with three references, as in the design's measurements. */
async function fill(databaseUrl: string, withSearch: boolean): Promise<void> {
  const db = openPool({ name: 'bench', url: databaseUrl, size: 1 });
  const branches = (
    await db.query<{ id: number }>('select id from cmp_demo.branch where entity_id = 1 order by id')
  ).map((row) => row.id);
  // Of this connection alone: rows made from one another need no check of their references, one by one.
  for (const setting of ["session_replication_role = 'replica'", "maintenance_work_mem = '512MB'"])
    await db.query(`set ${setting}`);
  await db.query(
    `insert into cmp_demo.bench_customer (code, name) select 'C' || i, 'Customer ' || i from generate_series(1, 20000) i`,
  );
  await db.query(
    `insert into cmp_demo.bench_make (code, name) select 'M' || i, 'Make ' || i from generate_series(1, 200) i`,
  );
  await withIndexesLast(db, 'bench_contract', () =>
    db.query(
      `insert into cmp_demo.bench_contract (entity_id, number, title, branch_id, customer_id, lift_make_id, status, amount, qty, start_date)
       select 1, 'CON/' || i, 'Contract ' || i, ($1::bigint[])[1 + (i * 7919) % $2], 1 + (i * 104729) % 20000, 1 + (i * 31) % 200,
              (array['active','draft','held','closed'])[1 + (i * 13) % 4], (i % 100000) * 1.25, i % 50, date '2020-01-01' + ((i * 37) % 2000)::int
       from generate_series(1::bigint, $3::bigint) i`,
      [branches, branches.length, ROWS],
    ),
  );
  await withIndexesLast(db, 'bench_visit', () =>
    db.query(
      `insert into cmp_demo.bench_visit (entity_id, number, branch_id, customer_id, status, amount, qty, start_date, created_by)
       select 1, number, branch_id, customer_id, status, amount, qty, start_date, 1 + id % 5 from cmp_demo.bench_contract where id % 5 = 0`,
    ),
  );
  // As the product writes them; it does so a few thousand at a time when it starts, beside its work.
  if (withSearch)
    await withIndexesLast(db, 'search_entry', () =>
      db.query(
        `insert into cmp_demo.search_entry (record_type, record_id, entity_id, place, title, code, text)
         ${ENTRIES}`,
      ),
    );
  for (const table of ['bench_contract', 'bench_visit', 'bench_customer', 'search_entry'])
    await db.query(`vacuum analyze cmp_demo.${table}`);
  await db.close();
}

/** Fills a table without its indexes, and makes them afterwards: one by one, a million entries take minutes. */
async function withIndexesLast(db: Database, table: string, work: () => Promise<unknown>): Promise<void> {
  const indexes = await db.query<{ name: string; definition: string }>(
    `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition from pg_index i
     where i.indrelid = $1::regclass and not exists (select 1 from pg_constraint c where c.conindid = i.indexrelid)`,
    [`cmp_demo.${table}`],
  );
  for (const { name } of indexes) await db.query(`drop index ${name}`);
  await work();
  for (const { definition } of indexes) await db.query(definition);
}

/** Numbers that no other run of the script has: the nanoseconds at which it began, and a count. */
const insertScript = (path: string, prefix: string, headers: Record<string, string>) => `
local n = 0
local run = io.popen("date +%s%N"):read("*l"):sub(-14, -5)
local headers = {}
headers["Content-Type"] = "application/json"
${Object.entries(headers)
  .map(([name, value]) => `headers["${name}"] = "${value}"`)
  .join('\n')}
request = function()
  n = n + 1
  local body = '{"number":"${prefix}' .. run .. '-' .. n .. '","title":"Bench contract","branch_id":1,"customer_id":' .. (n % 20000 + 1) .. ',"lift_make_id":' .. (n % 200 + 1) .. ',"status":"active","amount":"1234.50","qty":3,"start_date":"2026-01-15"}'
  return wrk.format("POST", "${path}", headers, body)
end`;

/** Lists that nobody has asked for before: the amount of the filter grows with each call. */
const otherLists = (path: string, headers: Record<string, string>) => `
local n = 0
local headers = {}
${Object.entries(headers)
  .map(([name, value]) => `headers["${name}"] = "${value}"`)
  .join('\n')}
request = function()
  n = n + 1
  return wrk.format("GET", "${path}&filter=%5B%22and%22%2C%5B%22status%22%2C%22eq%22%2C%22active%22%5D%2C%5B%22amount%22%2C%22gte%22%2C" .. (n % 100000) .. ".5%5D%5D", headers)
end`;

cpSync(join(root, 'schemas'), join(home, 'schemas'), { recursive: true });
cpSync(join(root, 'tests/bench/schemas'), join(home, 'schemas'), { recursive: true });
oneAddress(join(home, 'schemas'));
if (only.includes('rights')) writeRightsScreens(join(home, 'schemas'));
let product = await startProduct();
try {
  if (wanted('start')) {
    report('start', 'first start: database, demo company, ready', `${Math.round(product.readyMs)} ms`);
    await product.stop();
    product = await startProduct();
    report('start', 'second start, ready', `${Math.round(product.readyMs)} ms`, '< 3,000 ms');
  }
  // A guest on the product's own embedded database, to fill it and to hand it to the reference.
  const guest = await openDatabases({ dataDir: join(home, 'data'), share: true });
  const databaseUrl = guest.main.url;
  if (['list', 'count', 'insert', 'excel', 'grid', 'search'].some(wanted)) {
    requireWrk();
    const { headers } = await signIn(product.port);
    // The first list makes the table.
    for (const type of ['bench_contract', 'bench_customer', 'bench_visit'])
      await fetch(`http://127.0.0.1:${product.port}/tapi/${type}`, {
        headers: { authorization: headers.Authorization! },
      });
    console.log(`Filling ${ROWS.toLocaleString('en-IN')} rows …`);
    const from = performance.now();
    await fill(databaseUrl, wanted('search'));
    console.log(`… in ${((performance.now() - from) / 1_000).toFixed(0)} s`);
    if (wanted('search')) {
      for (const [what, figure, target, to] of await searchBench(product.port, guest.main, headers))
        report('search', what, figure, target, to);
    }
    const reference = await startReference(databaseUrl);
    const engine = `http://127.0.0.1:${product.port}/tapi/bench_contract`;
    const filter = encodeURIComponent(JSON.stringify(['status', 'eq', 'active']));
    if (wanted('list') || wanted('count')) {
      // The columns that the client's own list asks for.
      const shown = 'amount,branch_id,customer_id,lift_make_id,number,qty,start_date,status,title';
      const lists = await interleaved({
        hand: { url: `http://127.0.0.1:${reference.port}/list?size=20&status=active` },
        engine: { url: `${engine}?size=20&count=none&columns=${shown}&filter=${filter}`, headers },
        counted: { url: `${engine}?size=20&columns=${shown}&filter=${filter}`, headers },
        other: { url: engine, script: otherLists(`/tapi/bench_contract?size=20&count=none&columns=${shown}`, headers) },
        visitsHand: { url: `http://127.0.0.1:${reference.port}/visits` },
        visits: {
          url: `http://127.0.0.1:${product.port}/tapi/bench_visit?size=20&count=none&columns=amount,branch_id,customer_id,number,qty,start_date,status`,
          headers,
        },
        visitsBare: {
          url: `http://127.0.0.1:${product.port}/tapi/bench_visit?size=20&count=none&columns=branch_id,customer_id,number,qty,start_date,status`,
          headers,
        },
        otherCounted: { url: engine, script: otherLists(`/tapi/bench_contract?size=20&columns=${shown}`, headers) },
      });
      report(
        'list',
        `20 rows, 3 labels, filter, of ${ROWS.toLocaleString('en-US')}: engine ÷ hand-written, p99 of the engine`,
        `${ratio(lists.engine.perSecond, lists.hand.perSecond)}, ${lists.engine.p99.toFixed(1)} ms, ${lists.engine.errors} errors`,
        '≥ 0.80',
        perSecond(lists.hand),
      );
      report(
        'list',
        '20 rows, a field seen by state and by who made the record: engine ÷ hand-written, p99 of the engine',
        `${ratio(lists.visits.perSecond, lists.visitsHand.perSecond)}, ${lists.visits.p99.toFixed(1)} ms, ${lists.visits.errors} errors`,
        '≥ 0.80',
        perSecond(lists.visitsHand),
      );
      const alone = await listAlone(guest, join(home, 'schemas'));
      report(
        'list',
        'the same without HTTP and session: engine ÷ statement by hand',
        ratio(alone.engine, alone.hand),
        '≥ 0.80',
        `${Math.round(alone.hand)} a second`,
      );
      report(
        'list',
        'the same: with that field ÷ without it',
        ratio(lists.visits.perSecond, lists.visitsBare.perSecond),
        '',
        perSecond(lists.visitsBare),
      );
      report(
        'count',
        'engine with capped total ÷ engine without',
        ratio(lists.counted.perSecond, lists.engine.perSecond),
        '≥ 0.60',
        perSecond(lists.engine),
      );
      report(
        'count',
        'the same, each call with another filter',
        `${ratio(lists.otherCounted.perSecond, lists.other.perSecond)}, ${lists.otherCounted.errors} errors`,
        '≥ 0.60',
        perSecond(lists.other),
      );
    }
    if (wanted('insert')) {
      const inserts = await interleaved(
        {
          hand: { url: `http://127.0.0.1:${reference.port}/insert`, script: insertScript('/insert', 'H', {}) },
          engine: { url: engine, script: insertScript('/tapi/bench_contract', 'E', headers) },
        },
        5,
        2,
      );
      report(
        'insert',
        'with checks, references, history, rights: engine ÷ hand-written, p99 of the engine',
        `${ratio(inserts.engine.perSecond, inserts.hand.perSecond)}, ${inserts.engine.p99.toFixed(1)} ms, ${inserts.engine.errors} errors`,
        '≥ 0.70',
        perSecond(inserts.hand),
      );
    }
    reference.stop();
    if (wanted('excel')) {
      const { excelBench } = await import('../tests/bench/excel.ts');
      const listTarget = { url: `${engine}?size=20&count=none&filter=${filter}`, headers };
      for (const [what, figure, target] of await excelBench(product.port, headers.Authorization!, listTarget))
        report('excel', what, figure, target);
    }
    if (wanted('grid'))
      for (const [what, figure, target] of await gridBench(product.port, PASSWORD))
        report('grid', what, figure, target);
  }
  if (only.includes('many')) {
    const figures = await manyTenantsBench(
      product,
      join(home, 'data'),
      join(home, 'schemas'),
      Number(process.env.BENCH_TENANTS ?? 1_000),
    );
    for (const [what, figure, target] of figures) report('many', what, figure, target);
  }
  if (only.includes('rights'))
    for (const [what, figure, target] of await rightsBench(
      product.port,
      guest.main,
      async (email) => (await signIn(product.port, email)).token,
    ))
      report('rights', what, figure, target);
  if (only.includes('act'))
    for (const [what, figure, target] of await actBench(product.port, guest, (await signIn(product.port)).headers, {
      dataDir: join(home, 'data'),
      schemasDir: join(home, 'schemas'),
    }))
      report('act', what, figure, target);
  if (only.includes('fms'))
    for (const [what, figure, target, to] of await fmsBench(
      { port: product.port, pid: product.process.pid! },
      guest,
      join(home, 'schemas'),
      (await signIn(product.port)).headers,
    ))
      report('fms', what, figure, target, to);
  if (only.includes('people'))
    for (const [what, figure, target] of await peopleBench(
      product.port,
      guest.main,
      (await signIn(product.port)).headers,
    ))
      report('people', what, figure, target);
  if (only.includes('chart'))
    for (const [what, figure, target] of await orgChartBench(product.port, PASSWORD, guest.main))
      report('chart', what, figure, target);
  if (wanted('approvals'))
    for (const [what, figure, target] of await approvalsBench(
      product.port,
      guest.main,
      (await signIn(product.port)).headers,
    ))
      report('approvals', what, figure, target);
  if (wanted('dashboard'))
    for (const [what, figure, target] of await dashboardBench(
      product.port,
      guest.main,
      (await signIn(product.port)).headers,
    ))
      report('dashboard', what, figure, target);
  if (wanted('documents'))
    for (const [what, figure, target, to] of await documentsBench(
      product.port,
      guest.main,
      (await signIn(product.port)).headers,
    ))
      report('documents', what, figure, target, to);
  if (wanted('ageing'))
    for (const [what, figure, target, to] of await ageingBench(
      product.port,
      guest.main,
      (await signIn(product.port)).headers,
    ))
      report('ageing', what, figure, target, to);
  if (wanted('questionnaire'))
    for (const [what, figure, target] of await questionnaireBench(product.port, (await signIn(product.port)).headers))
      report('questions', what, figure, target);
  if (wanted('jobs')) {
    const [what, figure, target] = await jobsBench(guest);
    report('jobs', what, figure, target);
  }
  if (wanted('rows')) {
    const reference = await startReference(databaseUrl);
    const { headers } = await signIn(product.port);
    for (const [what, figure, target, to] of await rowsBench(product.port, headers, reference))
      report('rows', what, figure, target, to);
    reference.stop();
  }
  if (wanted('form'))
    for (const [what, figure, target] of await formBench(product.port, PASSWORD)) report('form', what, figure, target);
  await guest.close();
  if (wanted('tenant'))
    for (const [what, figure, target] of await tenantBench(join(home, 'tenants')))
      report('tenant', what, figure, target);
  if (wanted('compute'))
    for (const { what, measured, target, reference } of await computeBench())
      report('compute', what, measured, target, reference);
  if (wanted('script'))
    for (const { route, kilobytes, budget } of scriptSizes(join(root, 'dist/client')))
      report('script', `gzip of all script of a cold ${route}`, `${kilobytes.toFixed(1)} kB`, `≤ ${budget} kB`);
} finally {
  await product.stop();
  for (const folder of ['data', 'tenants']) removeData(join(home, folder));
  rmSync(home, { recursive: true, force: true });
}
const page = join(root, 'docs/performance.md');
writeFileSync(page, withRows(readFileSync(page, 'utf8'), results));
console.log(`\n${results.length} figures, written into docs/performance.md.`);
