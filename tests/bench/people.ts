import { loadavg } from 'node:os';
import type { Database } from '../../src/server/db/database.ts';
import { median } from './load.ts';

type Figure = [what: string, measured: string, target: string];

const SCHEMA = 'cmp_demo';
const s = `"${SCHEMA}"`;
const PEOPLE = Number(process.env.PEOPLE ?? 10_000);
const KPIS = 8;
const MONTHS = 36;
const CALLS = 20;
/** The last month with figures; it is not frozen, the 35 before it are. */
const LAST = '2026-10';
/** A wait for a job ends after this long, whatever it does. */
const MAX_MS = 5 * 60_000;

const times = (ms: number[]) => `${median(ms).toFixed(0)} ms, longest ${Math.max(...ms).toFixed(0)} ms`;
const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
const load = () => `load ${loadavg()[0]!.toFixed(1)}`;

/** People of company 1, ten below each, spread over its departments and branches. */
export async function addPeople(db: Database): Promise<void> {
  await db.query(
    `insert into ${s}.employee select (jsonb_populate_record(null::${s}.employee, to_jsonb(x) || jsonb_build_object(
       'id', nextval(pg_get_serial_sequence('${s}.employee', 'id')), 'empno', 'B' || lpad(i::text, 5, '0'), 'name', 'Bench person ' || i,
       'user_id', null, 'work_email', null, 'personal_email', null, 'reporting_to_id', null, 'date_of_joining', '2020-04-01',
       'department_id', d.ids[1 + i % array_length(d.ids, 1)], 'branch_id', b.ids[1 + i % array_length(b.ids, 1)]))).*
     from (select * from ${s}.employee where entity_id = 1 and status = 'active' order by id limit 1) x
       cross join generate_series(1, $1::int) i
       cross join (select array_agg(id order by id) as ids from ${s}.department where entity_id = 1 and active) d
       cross join (select array_agg(id order by id) as ids from ${s}.branch where entity_id = 1 and active) b`,
    [PEOPLE],
  );
  await db.query(`create table ${s}.bench_person as
    select id, substr(empno, 2)::int as no from ${s}.employee where empno ~ '^B[0-9]{5}$' and name like 'Bench person %'`);
  await db.query(`create unique index on ${s}.bench_person (no)`);
  await db.query(
    `update ${s}.employee e set reporting_to_id = m.id from ${s}.bench_person p, ${s}.bench_person m
     where e.id = p.id and p.no > 1 and m.no = greatest(1, p.no / 10)`,
  );
  // The first of them has a manager too, or no appraisal would start.
  await db.query(
    `update ${s}.employee e set reporting_to_id = (
       select id from ${s}.employee where entity_id = 1 and status = 'active' and user_id is not null and reporting_to_id is null order by id limit 1)
     from ${s}.bench_person p where e.id = p.id and p.no = 1`,
  );
  await db.query(`delete from ${s}.employee_tree`);
  await db.query(
    `insert into ${s}.employee_tree (ancestor_id, descendant_id, depth)
     with recursive up(ancestor_id, descendant_id, depth) as (
       select id, id, 0 from ${s}.employee
       union all select t.reporting_to_id, up.descendant_id, up.depth + 1 from up join ${s}.employee t on t.id = up.ancestor_id where t.reporting_to_id is not null)
     select ancestor_id, descendant_id, depth from up on conflict do nothing`,
  );
}

/** Three sheets each, with the updates of 8 KPIs in 36 months and the scores of these months. */
async function addFigures(db: Database): Promise<void> {
  await db.query(
    `insert into ${s}.kpi_sheet select (jsonb_populate_record(null::${s}.kpi_sheet, to_jsonb(x) || jsonb_build_object(
       'id', nextval(pg_get_serial_sequence('${s}.kpi_sheet', 'id')), 'sheet_no', 'BENCH/' || y || '/' || p.no, 'employee_id', p.id,
       'financial_year', y || '-' || (y + 1), 'valid_from', y || '-04-01', 'valid_to', (y + 1) || '-03-31', 'status', 'acknowledged'))).*
     from (select * from ${s}.kpi_sheet where owner_kind = 'employee' order by id limit 1) x cross join ${s}.bench_person p cross join generate_series(2023, 2026) y`,
  );
  await db.query(
    `create table ${s}.bench_kpi as select id, row_number() over (order by id) as place from (
       select id from ${s}.kpi where active and direction = 'higher'
       order by id limit ${KPIS}) k`,
  );
  const [{ n } = { n: 0 }] = await db.query<{ n: number }>(`select count(*)::int as n from ${s}.bench_kpi`);
  if (n < KPIS) throw new Error(`The demo has ${n} KPIs for this bench; ${KPIS} are needed.`);
  await db.query(
    `create table ${s}.bench_month as select to_char(m, 'YYYY-MM') as month, (m + interval '1 month - 1 day')::date as ends_on,
       extract(year from m - interval '3 months')::int as fy, extract(epoch from age($1::date, m))::int as back
     from generate_series($1::date - interval '${MONTHS - 1} months', $1::date, interval '1 month') m`,
    [`${LAST}-01`],
  );
  for (const table of ['employee', 'bench_person', 'kpi_sheet']) await db.query(`analyze ${s}.${table}`);
  const value = '(70 + (p.no * 7 + k.place * 13 + m.back / 86400) % 50)';
  const percent = `round(${value}::numeric, 4)`;
  await db.query(
    `insert into ${s}.kpi_actual (entity_id, owner_kind, sheet_id, employee_id, manager_id, department_id, branch_id, kpi_id, method, source,
       needs_approval, counts, not_applicable, month, ends_on, opens_on, due_on, freezes_on, weight, target, value, threshold_percent, cap_percent,
       achievement, score, weighted, colour, status)
     select 1, 'employee', t.id, p.id, e.reporting_to_id, e.department_id, e.branch_id, k.id, 'linear', 'manual', true, true, false, m.month, m.ends_on,
       m.ends_on, m.ends_on + 5, m.ends_on + 400, 12.5, 100, ${value}, 50, 120, ${percent}, ${percent}, round(${percent} / 8, 4),
       case when ${value} < 80 then 'red' when ${value} < 95 then 'amber' when ${value} < 110 then 'green' else 'blue' end,
       case when m.month = $1 then 'approved' else 'frozen' end
     from ${s}.bench_person p join ${s}.employee e on e.id = p.id cross join ${s}.bench_month m
     join ${s}.kpi_sheet t on t.employee_id = p.id and t.financial_year = m.fy || '-' || (m.fy + 1) and t.sheet_no like 'BENCH/%'
     cross join ${s}.bench_kpi k`,
    [LAST],
  );
  await db.query(
    `insert into ${s}.kpi_score (entity_id, owner_kind, employee_id, sheet_id, month, department_id, branch_id, score, covered, band, trend, frozen)
     select 1, 'employee', employee_id, sheet_id, month, department_id, branch_id, round(sum(weighted), 2), 100, 'Meets', 'level', bool_and(status = 'frozen')
     from ${s}.kpi_actual where sheet_id in (select id from ${s}.kpi_sheet where sheet_no like 'BENCH/%')
     group by employee_id, sheet_id, month, department_id, branch_id`,
  );
  for (const table of ['kpi_actual', 'kpi_score', 'employee_tree']) await db.query(`vacuum analyze ${s}.${table}`);
}

/**
 * What performance.md asks for 10,000 people with 8 KPIs in 36 months: scorecard, roll-up of a department, a month's
 * scores computed anew, a launch of appraisals, and the organisation chart. `PEOPLE`: fewer, to try the bench itself.
 */
export async function peopleBench(port: number, db: Database, headers: Record<string, string>): Promise<Figure[]> {
  const base = `http://127.0.0.1:${port}/tapi`;
  const authorization = { authorization: headers.Authorization!, 'content-type': 'application/json' };
  const call = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const answer = await fetch(base + path, {
      method,
      headers: authorization,
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(MAX_MS),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text.slice(0, 500)}`);
    return (JSON.parse(text) as { data?: unknown }).data;
  };
  const many = async (work: (turn: number) => Promise<unknown>): Promise<number[]> => {
    const all: number[] = [];
    for (let turn = 0; turn <= CALLS; turn++) {
      const from = performance.now();
      await work(turn);
      // The first call makes plans and reads descriptors.
      if (turn > 0) all.push(performance.now() - from);
    }
    return all;
  };
  /** Waits until a statement counts so many rows. @returns the time from `from` */
  const until = async (statement: string, wanted: number, from: number): Promise<number> => {
    for (;;) {
      const [row] = await db.query<{ n: number }>(statement);
      if (row!.n >= wanted) return performance.now() - from;
      if (performance.now() - from > MAX_MS) throw new Error(`${row!.n} of ${wanted} after ${seconds(MAX_MS)}.`);
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
  };
  // The first list makes the tables.
  for (const type of ['kpi_actual', 'kpi_score', 'kpi_sheet', 'appraisal', 'appraisal_launch', 'kpi_period_lock'])
    await call('GET', `/${type}?size=1`);
  const filling = performance.now();
  await addPeople(db);
  await addFigures(db);
  console.log(`people     filled in ${seconds(performance.now() - filling)}`);
  const people = await db.query<{ id: number; department_id: number; no: number }>(
    `select p.id, e.department_id, p.no from ${s}.bench_person p join ${s}.employee e on e.id = p.id order by p.no limit 1000`,
  );
  const figures: Figure[] = [];
  const found = (what: string, measured: string, target: string) => {
    // The targets are for 10,000 people: with fewer, a figure says nothing about them.
    const figure: Figure = [what, measured, PEOPLE < 10_000 ? '' : target];
    figures.push(figure);
    console.log(`people     ${figure.join('   ')}`);
  };
  const of = `${PEOPLE.toLocaleString('en-IN')} people, ${KPIS} KPIs, ${MONTHS} months`;
  const person = (turn: number) => people[(turn * 37) % people.length]!;

  const cards = await many((turn) =>
    call('POST', '/dashboard/scorecard_new', {
      filters: { employee_id: String(person(turn).id), month: LAST },
      tiles: ['scorecard'],
    }),
  );
  found(`scorecard of a member; ${of}`, `${times(cards)}, ${load()}`, '≤ 300 ms');

  for (const [months, from] of [
    [1, LAST],
    [12, '2025-11'],
  ] as const) {
    const rolled = await many((turn) =>
      call(
        'GET',
        `/report/kpi_summary_reports/rows?from=${from}&to=${LAST}&department_id=${person(turn).department_id}`,
      ),
    );
    const what = months === 1 ? 'one month' : `${months} months`;
    found(`KPIs of a department, ${what}, each call of another one`, `${times(rolled)}, ${load()}`, '≤ 1,000 ms');
  }

  const chart = await many(() => call('GET', '/organisation_chart'));
  found(`people of the organisation chart, all of them`, `${times(chart)}, ${load()}`, '≤ 1,000 ms');

  // Every figure of the open month is wrong: the most that a change of the settings can cause.
  await db.query(
    `update ${s}.kpi_actual set score = 1, weighted = 1 where month = $1 and sheet_id in (select id from ${s}.kpi_sheet where sheet_no like 'BENCH/%')`,
    [LAST],
  );
  const recomputing = performance.now();
  const [settings] = (await call('GET', '/base_performance?size=1')) as { id: number; version: number }[];
  // A changed setting has all open figures computed anew.
  if (settings)
    await call('PUT', `/base_performance/${settings.id}`, { version: settings.version, sheet_cap_percent: '125' });
  else await call('POST', '/base_performance', { base_method: 'last_year', sheet_cap_percent: '125' });
  const recomputed = await until(
    `select count(*)::int as n from ${s}.kpi_actual where month = '${LAST}' and score <> 1 and sheet_id in (select id from ${s}.kpi_sheet where sheet_no like 'BENCH/%')`,
    PEOPLE * KPIS,
    recomputing,
  );
  found(
    `a month computed anew: ${(PEOPLE * KPIS).toLocaleString('en-IN')} figures that all change`,
    `${seconds(recomputed)}, ${load()}`,
    '≤ 60 s',
  );

  const [first] = await db.query<{ period: number; template: number }>(
    `select (select min(id) from ${s}.appraisal_period) as period, (select min(id) from ${s}.appraisal_template) as template`,
  );
  const period = (await call('POST', '/appraisal_period', {
    code: 'BENCH',
    name: 'Bench period',
    financial_year: '2026-2027',
    kind: 'project',
    starts_on: '2026-04-01',
    ends_on: '2026-09-30',
  })) as { id: number };
  const launch = (await call('POST', '/appraisal_launch', {
    title: 'Bench launch',
    period_id: period.id,
    template_id: first!.template,
    self_from: '2099-10-01',
    self_to: '2099-10-10',
    manager_from: '2099-10-11',
    manager_to: '2099-10-20',
    moderation_to: '2099-10-25',
    release_on: '2099-10-30',
    exclude_ids: (
      await db.query<{ id: number }>(`select id from ${s}.employee where entity_id = 1 and reporting_to_id is null`)
    ).map(({ id }) => Number(id)),
  })) as { id: number };
  const appraisals = (states: string) =>
    `select count(*)::int as n from ${s}.appraisal where launch_id = ${launch.id} and status ${states}`;
  const launching = performance.now();
  await call('POST', `/appraisal_launch/${launch.id}/schedule`, { version: 1 });
  const launched = await until(appraisals('is not null'), PEOPLE, launching);
  found(`appraisals of a launch for ${PEOPLE.toLocaleString('en-IN')}`, `${seconds(launched)}, ${load()}`, '≤ 60 s');
  const opening = performance.now();
  const { version } = (await call('GET', `/appraisal_launch/${launch.id}`)) as { version: number };
  await call('POST', `/appraisal_launch/${launch.id}/start_self`, { version });
  const opened = await until(appraisals(`<> 'not_started'`), PEOPLE, opening);
  found(`the same opened, each with its KPIs and its notice`, `${seconds(opened)}, ${load()}`, '≤ 60 s');
  return figures;
}
