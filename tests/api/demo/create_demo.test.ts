import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Screen } from '../../../src/descriptor/types.ts';
import type { Tenant } from '../../../src/server/db/tenant.ts';
import { tableName, treeTable } from '../../../src/server/db/tables.ts';
import { quoted } from '../../../src/server/db/names.ts';
import { findTenant } from '../../../src/server/db/tenants.ts';
import { brokenAuditEntry } from '../../../src/server/platform/upkeep/audit_chain.ts';
import { createDemo } from '../../../src/server/platform/demo/create_demo.ts';
import { fillType } from '../../../src/server/platform/demo/fill_type.ts';
import { readSignIns } from '../../../src/server/platform/demo/sign_in_file.ts';
import { isPassword } from '../../../src/server/access/sessions/password.ts';
import type { TestDatabase } from '../postgres.ts';
import { DEMO_PASSWORD } from '../demo_template.ts';
import { demoDatabase } from '../postgres.ts';
import { productScreens } from '../world.ts';

/** Modules whose documents are in every state. */
const AT_WORK = ['fms', 'fms_contracts', 'fms_money', 'fms_requests', 'fms_stores', 'fms_tickets', 'fms_visits'];
/**
 * States that a record leaves in the same moment: an order waits for its advance, or releases its parts; an approved
 * credit note is posted. Visits of a cancelled line follow it when the product runs.
 */
const NOT_STORED: Record<string, string[]> = {
  mr_contract: ['draft'],
  billing: ['approved'],
  scheduled_ticket: ['cancelled'],
};

let database: TestDatabase;
let screens: Map<string, Screen>;
let tenant: Tenant;
const log: string[] = [];

const create = () =>
  createDemo({
    directory: database.directory,
    screens,
    pages: new Map(),
    dataDir: database.dataDir,
    password: DEMO_PASSWORD,
    log: (text) => log.push(text),
  });
const count = async (table: string, where = 'true') =>
  (await tenant.db.query<{ n: number }>(`select count(*)::int as n from ${table} where ${where}`))[0]?.n;

beforeAll(async () => {
  const loaded = await productScreens();
  ({ screens } = loaded);
  database = await demoDatabase(loaded);
  tenant = (await findTenant(database.directory, 'demo'))!;
});
afterAll(() => database.close());

describe('the demo tenant', () => {
  it('is created once only', async () => {
    const before = await count(tableName(tenant.schema, 'employee'));
    log.length = 0;
    await create();
    expect(log).toEqual([]);
    expect(await count(tableName(tenant.schema, 'employee'))).toBe(before);
  });

  it('holds every list of the organisation', async () => {
    for (const screen of screens.values())
      if (screen.folder === 'organisation')
        expect(await count(tableName(tenant.schema, screen.name)), screen.name).toBeGreaterThan(0);
  });

  it('has run its checklists: their tasks are done, late and open', async () => {
    expect(await count(tableName(tenant.schema, 'master_checklist'), `state = 'active'`)).toBeGreaterThan(20);
    const tasks = tableName(tenant.schema, 'chk_task_instance');
    for (const result of [`outcome = 'on_time'`, `outcome = 'late'`, `state = 'open'`])
      expect(await count(tasks, `origin = 'checklist' and ${result}`), result).toBeGreaterThan(0);
  });

  it('has documents in every state of their workflow', async () => {
    for (const { name, folder, workflow } of screens.values()) {
      if (!workflow || !AT_WORK.includes(folder)) continue;
      const rows = await tenant.db.query<{ state: string }>(
        `select distinct ${quoted(workflow.field)}::text as state from ${tableName(tenant.schema, name)}`,
      );
      const passed = new Set([...rows.map(({ state }) => state), ...(NOT_STORED[name] ?? [])]);
      expect(
        workflow.states.map((state) => state.name).filter((state) => !passed.has(state)),
        name,
      ).toEqual([]);
    }
  });

  it('has a year of visits and calls behind it, each visit with its closed ticket', async () => {
    const [visits, tickets] = ['scheduled_ticket', 'fms_ticket'].map((name) => tableName(tenant.schema, name));
    const [year] = await tenant.db.query<{ visits: number; calls: number; alone: number; wrong: number }>(
      `select count(distinct date_trunc('month', v.done_on))::int as visits,
         (select count(distinct date_trunc('month', reported_at))::int from ${tickets} where ticket_type = 'breakdown' and status = 'closed') as calls,
         count(*) filter (where t.id is null or t.status <> 'closed')::int as alone,
         count(*) filter (where v.done_on not between l.from_on and l.to_on + 10)::int as wrong
       from ${visits} v join ${tableName(tenant.schema, 'contract_line')} l on l.id = v.contract_line_id
       left join ${tickets} t on t.id = v.fms_ticket_id and t.scheduled_ticket_id = v.id and t.lift_id = v.lift_id
       where v.status = 'done' and v.planned_on < now() - interval '3 days' and v.created_at < now() - interval '1 day'`,
    );
    expect(year!.visits).toBeGreaterThanOrEqual(11);
    expect(year!.calls).toBeGreaterThanOrEqual(6);
    expect(year).toMatchObject({ alone: 0, wrong: 0 });
  });

  it('buys in dollars, at the rate of the day of the order', async () => {
    const orders = await tenant.db.query(
      `select o.exchange_rate::text as rate from ${tableName(tenant.schema, 'purchase_order')} o
       join ${tableName(tenant.schema, 'currency_setting')} c on c.id = o.currency_id where c.iso_code = 'USD'`,
    );
    expect(orders).toEqual([{ rate: expect.stringMatching(/^8\d\./) }]);
  });

  it('has a closure that matches the reporting lines exactly', async () => {
    const table = tableName(tenant.schema, 'employee');
    const [differences] = await tenant.db.query<{ n: number }>(`
      with recursive line(ancestor_id, descendant_id, depth) as (
        select id, id, 0 from ${table}
        union all select e.reporting_to_id, l.descendant_id, l.depth + 1 from line l join ${table} e on e.id = l.ancestor_id where e.reporting_to_id is not null),
      kept as (select ancestor_id, descendant_id, depth from ${treeTable(tenant.schema, 'employee')})
      select ((select count(*) from (select * from line except select * from kept) as missing)
        + (select count(*) from (select * from kept except select * from line) as extra))::int as n`);
    expect(differences?.n).toBe(0);
  });

  it('refuses a branch of another company in the database itself', async () => {
    const [people, branches] = [tableName(tenant.schema, 'employee'), tableName(tenant.schema, 'branch')];
    await expect(
      tenant.db.query(
        `update ${people} set branch_id = (select id from ${branches} where entity_id = 2 limit 1) where id = 5`,
      ),
    ).rejects.toMatchObject({ code: '23503' });
  });

  it('gives roles their rights and users their companies', async () => {
    const [administrator] = await tenant.db.query<{ n: number }>(`
      select count(*)::int as n from ${tableName(tenant.schema, 'screen_rights')} r join ${tableName(tenant.schema, 'role')} o on o.id = r.role_id
      where o.code = 'ADMIN' and r.screen_code = 'SCN_BRANCH' and r.landing and r.add_screen and r.edit_screen and r.view_screen`);
    expect(administrator?.n).toBe(1);
    expect(await count(tableName(tenant.schema, 'users__companies'), 'branch_id is null')).toBeGreaterThan(0);
    const [credential] = await tenant.db.query<{ phc: string }>(
      `select phc from ${tableName(tenant.schema, 'credential')} limit 1`,
    );
    expect(await isPassword(DEMO_PASSWORD, credential?.phc ?? null)).toBe(true);
  });

  it('has a past: sign-ins, an activity log with a valid chain, and mostly read messages', async () => {
    expect(await count(tableName(tenant.schema, 'login_attempt'))).toBe(1_200);
    expect(await count(tableName(tenant.schema, 'audit_log'))).toBe(2_000);
    expect(await brokenAuditEntry(tenant)).toBeNull();
    expect(await count(tableName(tenant.schema, 'notification'))).toBe(400);
    const unread = await count(tableName(tenant.schema, 'notification'), 'read_at is null');
    expect(unread).toBeGreaterThan(0);
    expect(unread).toBeLessThan(45);
    for (const table of ['login_attempt.at', 'audit_log.at', 'notification.created_at'])
      expect(await count(tableName(tenant.schema, table.split('.')[0]!), `${table.split('.')[1]} > now()`), table).toBe(
        0,
      );
  });

  it('shows weeks of work: records added, changed and temporarily inactive by people of their company, and mails sent', async () => {
    const history = tableName(tenant.schema, 'history');
    const [work] = await tenant.db.query<{ weeks: number; people: number; ops: string }>(
      `select count(distinct date_trunc('week', at))::int as weeks, count(distinct by)::int as people, string_agg(distinct op::text, '' order by op::text) as ops from ${history} where by is not null and at < now()`,
    );
    expect(work).toMatchObject({ ops: 'AIUX' });
    expect(work!.weeks).toBeGreaterThanOrEqual(15);
    expect(work!.people).toBeGreaterThan(30);
    expect(await count(history, 'at > now()')).toBe(0);
    expect(
      await count(
        history,
        `by is not null and entity_id is not null and not exists (select 1 from ${tableName(tenant.schema, 'users__companies')} c where c.parent_id = history.by and c.entity_id = history.entity_id)`,
      ),
    ).toBe(0);
    // The records are what their history says.
    for (const type of ['zone', 'material_mstr', 'lift_make', 'designation'].filter((one) => screens.has(one)))
      expect(
        await count(
          tableName(tenant.schema, type),
          `version <> (select max(h.version) from ${history} h where h.record_type = '${type}' and h.record_id = ${quoted(type)}.id)`,
        ),
        type,
      ).toBe(0);
    expect(await count(tableName(tenant.schema, 'outbox'), `state = 'sent'`)).toBeGreaterThan(50);
    expect(await count(tableName(tenant.schema, 'outbox'), `state in ('queued', 'retry', 'sending')`)).toBe(0);
    expect(await count(tableName(tenant.schema, 'outbox'), `state = 'dead'`)).toBeGreaterThan(0);
    expect(
      await count(tableName(tenant.schema, 'users'), `last_login_at < now() - interval '90 days'`),
    ).toBeGreaterThan(0);
    // Nobody outside is told of it.
    expect(await count(tableName(tenant.schema, 'api_delivery'), `state = 'queued' and event like '%.updated'`)).toBe(
      0,
    );
  });

  it('lists its sign-ins in a file', async () => {
    const list = await readSignIns(database.dataDir);
    expect(list.find(({ username }) => username === 'chairman')).toMatchObject({
      host: 'demo',
      password: DEMO_PASSWORD,
    });
    expect(list.at(-1)).toMatchObject({ host: 'admin', username: 'platform' });
  });

  it('writes a history row for every record', async () => {
    expect(await count(tableName(tenant.schema, 'history'), `record_type = 'employee' and op = 'I'`)).toBe(
      await count(tableName(tenant.schema, 'employee')),
    );
  });

  it('knows the workplaces of people before their moves', async () => {
    const rows = await tenant.db.query<{ change: Record<string, [number, number]> }>(
      `select h.change from ${tableName(tenant.schema, 'history')} h join ${tableName(tenant.schema, 'employee_history')} c on h.what = 'change ' || c.id and h.record_id = c.employee_id where h.record_type = 'employee'`,
    );
    expect(rows).toHaveLength(5);
    for (const { change } of rows) for (const [was, now] of Object.values(change)) expect(was).not.toBe(now);
  });

  it('accepts new records after its own', async () => {
    const branch = screens.get('branch');
    if (!branch) throw new Error('There is no branch.');
    await tenant.db.transaction(async (tx) => {
      await fillType(tx, tenant, branch, 500, 2);
    });
    expect(await count(tableName(tenant.schema, 'branch'), 'entity_id = 2')).toBe(504);
  });
});
