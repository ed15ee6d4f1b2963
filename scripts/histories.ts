/**
 * `npm run histories -- --runs 10000 --seed 1 [--of documents,money,stock,contracts]`: random histories in a database of its own, on a
 * made-up pair of types (made of another, changed, booked, cancelled, deleted), on the money of customers of the demo company
 * (billed, received, credited, used, cancelled, reversed, bounced), on its stock (opened, received, issued, found, moved,
 * counted, reversed) and on contracts of lifts (begun, demerged, merged, transferred, renewed, amended, cancelled). After each
 * act what documents, ledgers, columns of age, balances and plans say comes to the same. Of a hundred histories eighty are of
 * documents, nine each of money and stock and two of contracts. Ends at the first that does not agree, and prints it.
 */
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startEmbedded } from '../src/server/db/embedded.ts';
import { quoted } from '../src/server/db/names.ts';
import { createDatabase, openDatabases } from '../src/server/db/open.ts';
import { findTenant } from '../src/server/db/tenants.ts';
import { HISTORY_TYPES, runHistories } from '../tests/api/engine/histories.ts';
import { contractHistory } from '../tests/api/fms/contract_histories.ts';
import { moneyHistory } from '../tests/api/fms/money_histories.ts';
import { stockHistory } from '../tests/api/fms_stores/stock_histories.ts';
import { dayIn } from '../src/descriptor/place.ts';
import { startTarget } from '../tests/fuzz/target.ts';
import { removeData } from '../tests/server_data.ts';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '1' },
    of: { type: 'string', default: 'documents,money,stock,contracts' },
  },
});
const [runs, seed] = [Number(values.runs), Number(values.seed)];
const KINDS = ['documents', 'money', 'stock', 'contracts'] as const;
const of = values.of.split(',');
const known = of.every((one) => (KINDS as readonly string[]).includes(one));
if (!Number.isSafeInteger(runs) || runs < 1 || !Number.isSafeInteger(seed) || !known) {
  console.error('Usage: npm run histories -- --runs <number> --seed <number> [--of documents,money,stock,contracts]');
  process.exit(1);
}

const home = mkdtempSync(join(tmpdir(), 'mainstay-histories-'));
const schemasDir = join(home, 'schemas');
cpSync(join(import.meta.dirname, '../schemas'), schemasDir, { recursive: true });
for (const [name, descriptor] of Object.entries(HISTORY_TYPES))
  writeFileSync(join(schemasDir, 'organisation', `${name}.json`), JSON.stringify(descriptor));
const server = await startEmbedded({ dataDir: join(home, 'server') });
let failed = true;
try {
  await createDatabase(server.url('postgres'), 'histories');
  const place = { databaseUrl: server.url('histories'), dataDir: join(home, 'data') };
  const directory = await openDatabases({ ...place, poolSize: 8 });
  const target = await startTarget({ ...place, directory, schemasDir });
  const tenant = (await findTenant(directory, 'demo'))!;
  const [company] = await tenant.db.owner.query<{ id: number }>(
    `select min(id) as id from ${quoted(tenant.schema)}.entity`,
  );
  const sql = <T>(text: string, given?: unknown[]) =>
    tenant.db.owner.query<T>(text.replaceAll('{s}', quoted(tenant.schema)), given);
  // Three administrators: nobody approves what they wrote.
  const people: Record<string, string>[] = [];
  for (let one = 0; one < 3; one++) {
    if (one > 0) await target.renew('administrator');
    people.push({ ...target.headers('administrator'), 'x-entity-id': String(company!.id) });
  }
  const as = (by: number) => (method: string, url: string, payload?: object) =>
    target.inject({ method: method as 'GET', url, headers: people[by]!, ...(payload && { payload }) });
  /** A share of all histories, all where nothing else is asked for. */
  const share = (kind: (typeof KINDS)[number], part: number) =>
    of.includes(kind) ? Math.max(1, Math.round(of.length === 1 ? runs : runs * part)) : 0;
  const total = { histories: 0, taken: 0, refused: 0 };
  const count = (done: { taken: number; refused: number }, histories = 1) => {
    total.histories += histories;
    total.taken += done.taken;
    total.refused += done.refused;
    if (total.histories % 500 === 0) console.log(`${total.histories} histories`);
  };
  const documents = share('documents', 0.8);
  if (documents > 0)
    count(await runHistories({ call: as(0), sql }, { histories: documents, seed, atOnce: 4 }), documents);
  const made = async (type: string, record: object): Promise<number> => {
    const answer = await as(0)('POST', `/tapi/${type}`, record);
    if (answer.statusCode !== 201) throw new Error(`${type} was answered ${answer.body}`);
    return answer.json<{ data: { id: number } }>().data.id;
  };
  const idOf = async (text: string) => {
    const [row] = await sql<{ id: number }>(text);
    if (!row) throw new Error(`Nothing is found by ${text}`);
    return Number(row.id);
  };
  const day = (offset: number) => dayIn(tenant.timezone, Date.now() + offset * 86_400_000);
  /** A row of the demo as what is typed of a new one. */
  const like = async (text: string, fields: readonly string[]) => {
    const [row] = await sql<Record<string, unknown>>(text);
    return Object.fromEntries(fields.map((name) => [name, row![name]]));
  };
  if (of.includes('money')) {
    const reason = (use: string) =>
      idOf(`select id from {s}.reason where '${use}' = any(used_for) and active order by id limit 1`);
    const building = await like(
      `select g.id, g.branch_id from {s}.building g join {s}.branch b on b.id = g.branch_id where g.entity_id = ${company!.id} and b.gstin is not null order by g.id limit 1`,
      ['id', 'branch_id'],
    );
    const ids = {
      building: Number(building.id),
      branch: Number(building.branch_id),
      service: await idOf(`select id from {s}.fmsservice where code = 'AMC'`),
      tds: await idOf(`select id from {s}.deduction where code = '194C'`),
      NEFT: await idOf(`select id from {s}.receipt_mode_mstr where code = 'NEFT'`),
      reason: await reason('credit_note'),
      bounce: await reason('bounce'),
      reversal: await reason('receipt_reversal'),
    };
    const payer = await like(
      `select * from {s}.customer_dtl where entity_id = ${company!.id} and status = 'active' order by id limit 1`,
      ['client_type_id', 'branch_id', 'billing_address', 'state_id', 'city_id', 'pincode'],
    );
    let payers = 0;
    const customer = () =>
      made('customer_dtl', {
        ...payer,
        name: `History ${++payers}`,
        phone: '+914428292727',
        tds_id: ids.tds,
        gst_treatment: 'unregistered',
        bill_grouping: 'contract',
      });
    const call = (method: string, url: string, body?: object) =>
      as(url.endsWith('/approve') ? 1 : 0)(method, url, body);
    const closed = day(-31);
    await made('policy_definition', {
      code: 'HISTORY',
      name: 'Books are closed',
      policy_type_id: await idOf(`select id from {s}.policy_type_mstr where code = 'PERIOD'`),
      branch_id: ids.branch,
      valid_from: closed,
      parameters: { locked_to: closed },
    });
    for (let one = 0; one < share('money', 0.09); one++)
      count(await moneyHistory({ call, sql, customer, ids, day, closed }, seed * 1_000_003 + one));
  }
  if (of.includes('stock')) {
    const stores = (
      await sql<{ id: number }>(
        `select p.id from {s}.stock_point p where p.entity_id = ${company!.id} and p.kind = 'store' and not p.uses_bins and p.active order by p.id limit 2`,
      )
    ).map(({ id }) => Number(id));
    const part = await like(`select * from {s}.item_mstr where tracking = 'none' order by id limit 1`, [
      'item_category_id',
      'item_class_id',
      'item_type_id',
      'hs_code_id',
      'stock_uom_id',
    ]);
    // The demo's stores have bins; what is asked here is the ledger.
    while (stores.length < 2) {
      const store = await like(`select * from {s}.stock_point where kind = 'store' order by id limit 1`, [
        'storage_location_id',
        'keeper_id',
      ]);
      const code = `HIST-${stores.length + 1}`;
      stores.push(await made('stock_point', { ...store, code, name: code, kind: 'store' }));
    }
    const world = {
      call: (by: 0 | 1 | 2, method: string, url: string, body?: object) => as(by)(method, url, body),
      sql,
      item: (code: string) => made('item_mstr', { ...part, item_code: code, name: code, tracking: 'none' }),
      stores: [stores[0]!, stores[1]!] as const,
      day,
    };
    for (let one = 0; one < share('stock', 0.09); one++) count(await stockHistory(world, seed * 100_003 + one));
  }
  if (of.includes('contracts')) {
    const reason = (use: string) =>
      idOf(`select id from {s}.reason where '${use}' = any(used_for) and active order by id limit 1`);
    const known = await like(
      `select * from {s}.lift where entity_id = ${company!.id} and commissioned_on is not null order by id limit 1`,
      ['lift_category_id', 'lift_type_id', 'lift_make_id', 'drive_type_id', 'controller_id'],
    );
    const owners = (
      await sql<{ customer: number; building: number }>(
        `select c.id as customer, min(g.id) as building from {s}.customer_dtl c join {s}.building g on g.customer_id = c.id
         where c.entity_id = ${company!.id} and c.status = 'active' group by c.id order by c.id limit 2`,
      )
    ).map(({ customer, building }) => ({ customer: Number(customer), building: Number(building) }));
    const world = {
      call: (by: 0 | 1 | 2, method: string, url: string, body?: object) => as(by)(method, url, body),
      sql,
      lift: (building: number) =>
        made('lift', {
          ...known,
          building_id: building,
          position_name: 'History',
          capacity_kg: 544,
          speed_mps: '1.00',
          stops: 6,
          openings: 6,
          commissioned_on: '2019-04-01',
        }),
      owners: [owners[0]!, owners[1]!] as const,
      ids: {
        branch: await idOf(`select branch_id as id from {s}.building where id = ${owners[0]!.building}`),
        amc: await idOf(
          `select id from {s}.amc_type_mstr where coverage = 'comprehensive' and active order by id limit 1`,
        ),
        payment: await idOf(
          `select id from {s}.payment_type_mstr where timing = 'advance' and frequency = 'yearly' and active order by id limit 1`,
        ),
        change: await reason('contract_change'),
        transfer: await reason('transfer'),
        category: await idOf(`select id from {s}.amc_cancel_category_mstr where active order by id limit 1`),
      },
      day,
    };
    for (let one = 0; one < share('contracts', 0.02); one++) count(await contractHistory(world, seed * 10_007 + one));
  }
  const { histories, taken, refused } = total;
  console.log(`seed ${seed}: ${histories} histories, ${taken} acts taken, ${refused} refused; all reconcile.`);
  failed = false;
  await target.close();
  await directory.close();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
} finally {
  await server.stop();
  removeData(join(home, 'server'));
  rmSync(home, { recursive: true, force: true });
}
process.exit(failed ? 1 : 0);
