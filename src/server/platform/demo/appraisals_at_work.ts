import { join } from 'node:path';
import type { Screen, WireRecord } from '../../../descriptor/types.ts';
import type { Tenant } from '../../db/tenant.ts';
import { tableName } from '../../db/names.ts';
import { ensureTables } from '../../db/tenants.ts';
import { DomainEvents } from '../../engine/events/domain_events.ts';
import { systemSession } from '../../engine/events/system_session.ts';
import { loadModules } from '../../engine/load_modules.ts';
import { NamedFunctions } from '../../engine/modules.ts';
import { createEngine } from '../../engine/records/engine.ts';
import type { Unit } from '../../engine/records/unit.ts';
import { unitOf, withinTransaction } from '../../engine/records/unit_of_work.ts';
import { addDays } from './dates.ts';
import { SILENT } from './silent_notifications.ts';

/** The company with appraisals, because it has KPIs. */
const COMPANY = 'ALP';
const CLOSED = 'Annual appraisal 2025-26';
const RUNNING = 'Half-year review 2026-27';
/** Its self-rating was reopened, because half of the members were away. */
const REOPENED = 'Second quarter 2026-27';
/** Members of each launch. */
const MEMBERS: Readonly<Record<string, number>> = { [CLOSED]: 30, [RUNNING]: 24, [REOPENED]: 8 };

/** The progress of the first appraisals of the running launch, by the member's index; managers rate the others. */
const PROGRESS = ['self', 'self', 'manager', 'manager', 'manager', 'reviewed', 'moderation', 'moderation'] as const;
type Step = (typeof PROGRESS)[number] | 'final';
const ORDER: readonly Step[] = ['self', 'manager', 'reviewed', 'moderation', 'final'];

const STRENGTHS = [
  'Customers ask for him by name.',
  'Plans the route so that nothing is left open in the evening.',
  'Explains to customers what was done, in plain words.',
  'Helped two new colleagues through their first months.',
];
const IMPROVEMENTS = [
  'Reports the same day, not at the end of the week.',
  'Asks for parts earlier.',
  'Says no to work that cannot be done in time.',
  'Takes part in the safety talks.',
];
const SUMMARIES = [
  'A good period; the new branch took more time than planned.',
  'I reached most of my targets and know where I did not.',
  'The first half was hard, the second much better.',
];

interface Member extends Record<string, unknown> {
  employee_id: number;
  user_id: number | null;
  manager_user: number | null;
}

type Rows = Record<string, unknown>[];
const rowsOf = (record: WireRecord, name: string) => record[name] as Rows;

/** Takes the transitions of an appraisal up to its progress. */
async function appraise(unit: Unit, id: number, place: number, until: Step): Promise<void> {
  const goes = (step: Step) => ORDER.indexOf(until) >= ORDER.indexOf(step);
  const update = async (set: (record: WireRecord) => Record<string, unknown>) =>
    unit.update('appraisal', id, set(await unit.read('appraisal', id)));
  await unit.transition('appraisal', id, 'open');
  if (!goes('manager')) return;
  await update((record) => ({
    self_summary: SUMMARIES[place % SUMMARIES.length],
    competency_lines: rowsOf(record, 'competency_lines').map((row, at) => ({
      ...row,
      self_level: 3 + ((place + at) % 2),
    })),
    answers: rowsOf(record, 'answers').map((row) => ({
      ...row,
      self_answer: row.asked_of === 'manager' ? null : 'The routes were planned well, and the spares came in time.',
    })),
  }));
  await unit.transition('appraisal', id, 'submit_self');
  if (!goes('reviewed')) return;
  await update((record) => ({
    strengths: STRENGTHS[place % STRENGTHS.length],
    improvements: IMPROVEMENTS[place % IMPROVEMENTS.length],
    manager_summary: 'We agreed what comes next, and I look forward to it.',
    competency_lines: rowsOf(record, 'competency_lines').map((row, at) => ({
      ...row,
      manager_level: 2 + ((place + 2 * at) % 3),
    })),
  }));
  await unit.transition('appraisal', id, 'submit');
  const { status } = await unit.read('appraisal', id);
  if (goes('moderation') && status === 'reviewed') await unit.transition('appraisal', id, 'agree');
  if (goes('final')) await unit.transition('appraisal', id, 'finalise');
}

/** Adds two appraisal cycles for people with KPIs: a closed one, and a running one with appraisals in every step. */
export async function addAppraisalsAtWork(
  tenant: Tenant,
  screens: ReadonlyMap<string, Screen>,
  today: string,
): Promise<void> {
  if (!screens.has('appraisal')) return;
  await ensureTables(tenant, screens, [
    'appraisal',
    'appraisal_feedback',
    'appraisal_launch',
    'appraisal_template',
    'employee_pay',
  ]);
  const table = (type: string) => tableName(tenant.schema, type);
  const [company] = await tenant.db.query<{ id: number }>(`select id from ${table('entity')} where code = $1`, [
    COMPANY,
  ]);
  if (!company || (await tenant.db.query(`select 1 from ${table('appraisal')} limit 1`)).length > 0) return;
  const launches = await tenant.db.query<{
    id: number;
    title: string;
    period_id: number;
    template_id: number;
    self_to: string;
    manager_to: string;
    release_on: string;
  }>(
    `select id, title, period_id, template_id, self_to::text, manager_to::text, release_on::text from ${table('appraisal_launch')}
     where entity_id = $1 and title = any($2) and template_id is not null order by release_on`,
    [company.id, [CLOSED, RUNNING, REOPENED]],
  );
  const engine = createEngine({
    notifications: SILENT,
    screens: () => screens as Map<string, Screen>,
    functions: new NamedFunctions(await loadModules(join(import.meta.dirname, '../../modules'))),
    // The appraisals of a reopened stage come back once the server has started.
    events: new DomainEvents([], (job) => job === 'reopen_stage'),
  });
  await tenant.db.transaction(async (tx) => {
    const act = <T>(user: number | null, work: (unit: Unit) => Promise<T>) =>
      withinTransaction(systemSession(tenant, company.id, user), tx, (session) =>
        work(engine.unit(unitOf(session)!, { elevated: true }).elevated()),
      );
    // Members who share a name would need their codes in a sheet.
    await tx.query(
      `insert into ${table('employee_pay')} (entity_id, employee_id, valid_from, annual_pay)
       select e.entity_id, e.id, p.day::date, round((300000 + (e.id * 37 % 19) * 45000) * p.share, -3)
       from ${table('employee')} e cross join (values ('2024-04-01', 0.92), ('2025-04-01', 1)) p(day, share)
       where e.entity_id = $1 and e.active and e.status = 'active'
         and not exists (select 1 from ${table('employee')} o where o.id <> e.id and o.name = e.name)`,
      [company.id],
    );
    for (const { title, id: launch, ...days } of launches) {
      const isClosed = title === CLOSED;
      const members = await tx.query<Member>(
        `select s.employee_id, e.user_id, m.user_id as manager_user
         from ${table('kpi_sheet')} s join ${table('employee')} e on e.id = s.employee_id
         join ${table('employee')} m on m.id = e.reporting_to_id join ${table('appraisal_period')} p on p.id = $2
         where s.entity_id = $1 and s.active and s.status in ('approved', 'acknowledged', 'disputed', 'closed')
           and s.valid_from <= p.starts_on and s.valid_to >= p.ends_on order by e.user_id nulls last, e.id limit ${MEMBERS[title]!}`,
        [company.id, days.period_id],
      );
      const hr = members.find(({ manager_user: one }) => one !== null)?.manager_user ?? null;
      for (const [place, member] of members.entries())
        await act(member.manager_user ?? hr, async (unit) => {
          const made = await unit.create('appraisal', { ...days, launch_id: launch, employee_id: member.employee_id });
          await appraise(
            unit,
            made.id,
            place,
            isClosed ? 'final' : title === RUNNING ? (PROGRESS[place] ?? 'manager') : 'manager',
          );
          if (title === RUNNING && place === 2 && member.manager_user !== null)
            await unit.create('appraisal_feedback', {
              appraisal_id: made.id,
              reviewer_id: members[0]!.employee_id,
              relation: 'peer',
            });
        });
      if (isClosed)
        await tx.query(
          `update ${table('appraisal')} set status = 'closed', released_on = $2::date, acknowledge_by = $2::date + 7, appeal_until = $2::date + 7,
             shows_rating = true, shows_comments = true, shows_increment = true, waiting_for_id = null, due_on = null, opened_on = $2::date - 50,
             self_done_on = $2::date - 36, manager_done_on = $2::date - 22, reviewed_on = $2::date - 15, final_on = $2::date - 10
           where launch_id = $1`,
          [launch, days.release_on],
        );
      if (title === REOPENED)
        await act(members[0]?.manager_user ?? null, (unit) =>
          unit.transition('appraisal_launch', launch, 'reopen_stage', {
            self_to: addDays(today, 5),
            manager_from: addDays(today, 6),
            manager_to: addDays(today, 16),
            moderation_to: addDays(today, 24),
            release_on: addDays(today, 34),
            reason: 'Two branches were closed by the flood in the days of the self-rating.',
          }),
        );
    }
  });
}
