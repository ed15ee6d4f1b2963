import { loadavg } from 'node:os';
import { buildApp } from '../../src/server/app.ts';
import { readConfig } from '../../src/server/config.ts';
import type { Database } from '../../src/server/db/database.ts';
import type { Directory } from '../../src/server/db/directory.ts';
import { openTenant } from '../../src/server/db/directory.ts';
import { loadScreens } from '../../src/server/engine/descriptors/load.ts';
import { sweepNotices } from '../../src/server/platform/escalation/notices.ts';
import { sweepEscalations } from '../../src/server/platform/escalation/sweep.ts';
import { median } from './load.ts';
import { runJob } from './run_job.ts';

type Figure = [what: string, measured: string, target: string, reference?: string];

const SCHEMA = 'cmp_demo';
const CALLS = 20;
const PEOPLE = 500;
const TASKS = Number(process.env.ACT_TASKS ?? 200_000);
const CHECKLISTS = Number(process.env.ACT_CHECKLISTS ?? 2_000);
const BRANCHES = 200;
const TICKETS = Number(process.env.ACT_TICKETS ?? 5_000);
const MINUTES = 10;
/** Minutes until a ticket must be solved. */
const TARGET = 480;
/** How far ahead the swept minutes are. */
const AHEAD_MS = 2 * 3_600_000;

const s = `"${SCHEMA}"`;

/** A row like another one, with these values in place of its own. */
const like = (table: string, where: string, values: string, series: string) =>
  `insert into ${s}.${table} select (jsonb_populate_record(null::${s}.${table}, to_jsonb(x) || jsonb_build_object('id', nextval(pg_get_serial_sequence('${s}.${table}', 'id')), ${values}))).*
   from (select * from ${s}.${table} where ${where} order by id limit 1) x cross join generate_series(1, ${series}) i`;

/**
 * Open tickets of sixteen hours up to a moment, with their clocks as they would be: bands before it are over. So that the
 * product's own sweep leaves them alone, the moment lies ahead.
 */
async function addTickets(db: Database, base: string): Promise<void> {
  const assigned = `entity_id = 1 and status = 'assigned' and id in (select record_id from ${s}.record_clock where record_type = 'ticket')`;
  await db.query(
    like(
      'ticket',
      assigned,
      `'ticket_no', 'BENCH/' || i, 'subject', 'Bench ticket ' || i, 'raised_at', '${base}'::timestamptz - interval '16 hours' * i / ${TICKETS}, 'responded_at', null,
       'response_breached', false, 'resolution_breached', false, 'response_clock', null, 'resolution_clock', null`,
      String(TICKETS),
    ),
  );
  await db.query(
    `insert into ${s}.record_clock (record_type, record_id, clock, target, calendar, bands, set_by, holders, fired, next_at)
     select 'ticket', t.id, c.clock, ${TARGET}, '"always"', c.bands, c.set_by, '[]', m.fired, m.next
     from ${s}.ticket t join ${s}.record_clock c on c.record_type = 'ticket' and c.record_id = (select id from ${s}.ticket where ${assigned} order by id limit 1)
     cross join lateral (
       select coalesce(array_agg(at.name) filter (where at.moment <= '${base}'), '{}') as fired, min(at.moment) filter (where at.moment > '${base}') as next
       from (
         select b ->> 'name' as name, t.raised_at + interval '1 minute' * case when b ? 'percent' then ${TARGET} * (b ->> 'percent')::numeric / 100
             when (b ->> 'minutes')::numeric >= 0 then (b ->> 'minutes')::numeric else greatest(0, ${TARGET} + (b ->> 'minutes')::numeric) end as moment
         from jsonb_array_elements(c.bands) b
       ) at
     ) m where t.ticket_no like 'BENCH/%'`,
  );
  for (const table of ['ticket', 'record_clock']) await db.query(`vacuum analyze ${s}.${table}`);
}

/** The escalations of one minute each, swept in this process: clocks, steps by date, and messages. */
async function sweepBench(guest: Directory, dataDir: string, schemasDir: string): Promise<Figure[]> {
  const base = Math.ceil((Date.now() + AHEAD_MS) / 60_000) * 60_000;
  await addTickets(guest.main, new Date(base).toISOString());
  const app = await buildApp({
    config: readConfig({
      DATA_DIR: dataDir,
      DATABASE_URL: guest.main.url,
      SCHEMAS_DIR: schemasDir,
      LOG_LEVEL: 'error',
      DEMO: '0',
    }),
    directory: guest,
    loaded: await loadScreens(schemasDir),
    version: 'bench',
    logger: false,
  });
  try {
    await app.server.ready();
    const row = (await guest.tenants()).find(({ schema }) => schema === SCHEMA)!;
    const tenant = await openTenant(guest, row);
    const escalation = {
      notifications: app.notifications,
      screens: () => app.store.screens(),
      addressOf: () => 'http://demo.localhost',
    };
    const messages = async (now: Date) => {
      while ((await app.deliveries.deliver(tenant)) > 0);
      return (await sweepEscalations(escalation, tenant, now)) + (await sweepNotices(escalation, tenant, now));
    };
    // What has come due until then is not of one minute.
    while ((await app.due.sweep(new Date(base))) > 0);
    while ((await messages(new Date(base))) > 0);
    const sweeps: number[] = [];
    const sends: number[] = [];
    let records = 0;
    for (let minute = 1; minute <= MINUTES; minute++) {
      const now = new Date(base + minute * 60_000);
      const from = performance.now();
      records += await app.due.sweep(now);
      sweeps.push(performance.now() - from);
      const sent = performance.now();
      await messages(now);
      sends.push(performance.now() - sent);
    }
    const load = `load ${loadavg()[0]!.toFixed(1)}`;
    const figure = (ms: number[]) => `${median(ms).toFixed(0)} ms, longest ${Math.max(...ms).toFixed(0)} ms, ${load}`;
    const open = `${TICKETS.toLocaleString('en-IN')} open tickets, ${(TASKS / 10).toLocaleString('en-IN')} open tasks`;
    return [
      [
        `sweep of one minute: clocks and steps of ${records} records in ${MINUTES}; ${open}`,
        figure(sweeps),
        '≤ 1,000 ms',
      ],
      [`its messages by Mail configuration`, figure(sends), '≤ 1,000 ms'],
    ];
  } finally {
    await app.close();
  }
}

/** 500 people, 200 branches, 200,000 tasks of checklists, a tenth of them open and due within 20 days, and 2,000 checklists that run daily in every branch. */
async function fill(db: Database): Promise<void> {
  await db.query(
    like(
      'employee',
      `entity_id = 1 and status = 'active'`,
      `'empno', 'B' || lpad(i::text, 5, '0'), 'name', 'Bench person ' || i, 'user_id', null, 'work_email', null, 'personal_email', null`,
      String(PEOPLE),
    ),
  );
  await db.query(
    like(
      'branch',
      'entity_id = 1',
      `'code', 'B' || i, 'name', 'Bench branch ' || i, 'head_id', null`,
      String(BRANCHES),
    ),
  );
  await db.query(
    `update ${s}.branch b set head_id = (select id from ${s}.employee where empno = 'B' || lpad((1 + b.id % ${PEOPLE})::text, 5, '0')) where b.code like 'B%' and b.name like 'Bench branch %'`,
  );
  await db.query(
    `insert into ${s}.chk_task_instance (entity_id, task_no, title, origin, category, criticality, weight, assignee_id, owner_id, branch_id, opens_at, due_on, colour, state, outcome, score, progress, returns_count, evidence_missing, scope_type, scope_id, occurrence_key)
     select 1, 'BENCH/' || i, 'Task ' || i, 'checklist', 'operations', (array['critical', 'high', 'medium', 'low'])[1 + i % 4], 1, p.ids[1 + i % array_length(p.ids, 1)], p.ids[1], b.ids[1 + i % array_length(b.ids, 1)],
       now() - interval '1 day' * (i % 400), current_date + case when i % 10 = 0 then i / 10 % 20 else 20 - i % 400 end, 'green', case when i % 10 = 0 then 'open' else 'completed' end, case when i % 10 = 0 then null else 'on_time' end, case when i % 10 = 0 then null else 100 end, 0, 0, 0, 'branch', i, current_date
     from generate_series(1, ${TASKS}) i, (select array_agg(id order by id) as ids from ${s}.employee where entity_id = 1 and (empno like 'B%' or user_id is not null)) p,
       (select array_agg(id order by id) as ids from ${s}.branch where entity_id = 1) b`,
  );
  await db.query(
    `insert into ${s}.master_checklist (entity_id, title, category, kind, statutory, owner_id, expand_by, branch_ids, repeat, every, start_on, state, generate_ahead_days, generated_through, checklist_no)
     select 1, 'Bench round ' || i, 'operations', 'recurring', false, (select min(id) from ${s}.employee where empno like 'B0%'), 'branch', (select array_agg(id) from ${s}.branch where name like 'Bench branch %'), 'daily', 1,
       (now() at time zone 'Asia/Kolkata')::date - 30, 'active', 45, (now() at time zone 'Asia/Kolkata')::date + 44, 'BENCH/' || i from generate_series(1, ${CHECKLISTS}) i`,
  );
  await db.query(
    `insert into ${s}.checklist_tasks (entity_id, mstr_chk_id, "position", title, criticality, weight, holiday_rule, lead_days, active)
     select 1, id, 0, 'Walk through the branch', 'medium', 1, 'none', 0, true from ${s}.master_checklist where title like 'Bench round %'`,
  );
  for (const table of ['chk_task_instance', 'employee', 'branch', 'master_checklist', 'checklist_tasks'])
    await db.query(`vacuum analyze ${s}.${table}`);
}

/**
 * What act.md §3.10 asks of the inbox and of the nightly run: 500 people, 200,000 tasks, and one more day of 2,000 daily
 * checklists in 200 branches. `ACT_CHECKLISTS` and `ACT_TASKS`: fewer, to try the bench itself.
 */
export async function actBench(
  port: number,
  guest: Directory,
  headers: Record<string, string>,
  { dataDir, schemasDir }: { dataDir: string; schemasDir: string },
): Promise<Figure[]> {
  const base = `http://127.0.0.1:${port}/tapi`;
  const authorization = { authorization: headers.Authorization! };
  const get = async (path: string): Promise<unknown> => {
    const answer = await fetch(base + path, { headers: authorization });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  };
  // The first list makes the tables.
  for (const type of ['chk_task_instance', 'master_checklist', 'chk_instance', 'ticket', 'escalation_log'])
    await get(`/${type}?size=1`);
  await fill(guest.main);
  const inbox = `/chk_task_instance?mine=1&size=20&sort=due_on,criticality&columns=colour,due_on,title,origin_name,state,branch_id,criticality,progress,assignee_id&filter=${encodeURIComponent(
    JSON.stringify(['state', 'in', ['open', 'in_progress', 'waiting', 'submitted']]),
  )}`;
  const ms: number[] = [];
  for (let turn = 0; turn <= CALLS; turn++) {
    const from = performance.now();
    await get(inbox);
    // The first one reads the descriptors.
    if (turn > 0) ms.push(performance.now() - from);
  }
  const swept = await sweepBench(guest, dataDir, schemasDir);
  const count = async () =>
    (await guest.main.query<{ n: number }>(`select count(*)::int as n from ${s}.chk_task_instance`))[0]!.n;
  const before = await count();
  const runs = await runJob({ base, authorization, db: guest.main, schema: SCHEMA }, 'generate_instances');
  const made = (await count()) - before;
  const load = `load ${loadavg()[0]!.toFixed(1)}`;
  return [
    [
      `inbox of one of ${PEOPLE} people, ${TASKS.toLocaleString('en-IN')} tasks, 20 shown`,
      `${median(ms).toFixed(0)} ms, longest ${Math.max(...ms).toFixed(0)} ms, ${load}`,
      '≤ 100 ms',
    ],
    ...swept,
    [
      `one day of ${CHECKLISTS.toLocaleString('en-IN')} daily checklists × ${BRANCHES} branches: ${made.toLocaleString('en-IN')} tasks`,
      `${(Math.max(...runs.map((run) => run.ms)) / 1000).toFixed(1)} s, ${load}`,
      '≤ 30 s',
    ],
  ];
}
