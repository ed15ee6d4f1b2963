import type { Screen } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import type { Tenant } from '../../db/tenant.ts';
import { quoted } from '../../db/names.ts';
import type { AdoptDeps } from '../library/adopt.ts';
import { adopt, offered } from '../library/adopt.ts';
import { productSuffix } from '../../access/rights/rights.ts';
import { sourceOf } from '../escalation/sources.ts';
import { libraryTables } from '../library/library_tables.ts';
import { firstYear, yearSpan } from '../../../descriptor/financial_year.ts';
import { dayIn, zoneOf } from '../../../descriptor/place.ts';
import { writingSession } from '../sync/job.ts';
import { zonesOf } from '../../services/clock/zones.ts';

export interface FirstListDeps extends AdoptDeps {
  /** Creates the tables of types that are not used yet, of the client and of the platform. */
  ensure(tenant: Tenant, types: string[]): Promise<unknown>;
  platform: () => Promise<Tenant>;
}

/** Lists filled initially from the platform's libraries; those that others refer to come first. */
const ADOPTED = ['function', 'skillsgroup', 'competencies', 'department', 'designation'];

/** Month and day of holidays with fixed dates: national ones, and those of single states (their founding days). */
const NATIONAL: readonly [string, string][] = [
  ['01-26', 'Republic Day'],
  ['08-15', 'Independence Day'],
  ['10-02', 'Gandhi Jayanti'],
];
const OF_STATES: Record<string, readonly [string, string]> = {
  MH: ['05-01', 'Maharashtra Day'],
  GJ: ['05-01', 'Gujarat Day'],
  KA: ['11-01', 'Kannada Rajyotsava'],
  TS: ['06-02', 'Telangana Formation Day'],
  OD: ['04-01', 'Utkal Divas'],
  BR: ['03-22', 'Bihar Divas'],
  HP: ['04-15', 'Himachal Day'],
  JH: ['11-15', 'Jharkhand Foundation Day'],
};

interface Rule {
  code: string;
  name: string;
  module: string;
  event: string;
  days: number;
  /** Kinds of recipients; a role by code. */
  to: (string | { role: string })[];
  /** Besides mail and in the application. */
  push?: true;
  subject: string;
  body: string;
}

/** Initial rules of Mail configuration, all editable: for due dates in lists that the client has. */
const RULES: readonly Rule[] = [
  {
    code: 'EMP-DOC30',
    name: 'A member’s document expires',
    module: 'employee',
    event: 'expiring',
    days: -30,
    to: ['owner', { role: 'HR' }],
    subject: '{{type}} of {{name}} expires on {{due_on}}',
    body: 'The {{type}} of {{name}} ({{empno}}) expires in {{days_left}} days.\n\n{{link}}',
  },
  {
    code: 'EMP-PROB15',
    name: 'Probation ends',
    module: 'employee',
    event: 'due_soon',
    days: -15,
    to: ['manager_1', { role: 'HR' }],
    subject: 'Probation of {{name}} ends on {{due_on}}',
    body: 'The probation of {{name}} ({{empno}}) ends in {{days_left}} days. Confirm it, or discuss it with the member.\n\n{{link}}',
  },
  {
    code: 'EMP-CON60',
    name: 'A member’s contract ends',
    module: 'employee',
    event: 'ending',
    days: -60,
    to: ['manager_1', { role: 'HR' }],
    subject: 'Contract of {{name}} ends on {{due_on}}',
    body: 'The contract of {{name}} ends in {{days_left}} days.\n\n{{link}}',
  },
  {
    code: 'DEL-END1',
    name: 'Delegation ends',
    module: 'platform',
    event: 'ending',
    days: -1,
    to: ['assignee', 'owner'],
    subject: 'Delegation {{number}} ends on {{due_on}}',
    body: 'It ends on {{due_on}}.\n\n{{link}}',
  },
  {
    code: 'REC-DUE',
    name: 'Action item from a recording',
    module: 'transcription',
    event: 'due',
    days: 0,
    to: ['assignee'],
    subject: 'Due today: {{text}}',
    body: '{{text}}, from "{{title}}", is due on {{due_on}}.\n\n{{link}}',
  },
  {
    code: 'REC-LATE2',
    name: 'An action item from a recording is overdue',
    module: 'transcription',
    event: 'due',
    days: 2,
    to: ['assignee', 'owner'],
    subject: 'Late by {{days_late}} days: {{text}}',
    body: '{{text}}, from "{{title}}", was due on {{due_on}}.\n\n{{link}}',
  },
  {
    code: 'APR-DUE3',
    name: 'An appraisal is due in three days',
    module: 'appraisal',
    event: 'due',
    days: -3,
    to: ['assignee'],
    push: true,
    subject: 'Appraisal {{number}} is due on {{due_on}}',
    body: 'The appraisal of {{employee_id}} waits for you until {{due_on}}.\n\n{{link}}',
  },
  {
    code: 'APR-DUE',
    name: 'Last day of an appraisal',
    module: 'appraisal',
    event: 'due',
    days: 0,
    to: ['assignee'],
    push: true,
    subject: 'Appraisal {{number}} is due today',
    body: 'The appraisal of {{employee_id}} waits for you. Today is its last day.\n\n{{link}}',
  },
  {
    code: 'FB-OPEN7',
    name: 'A concern is without an answer',
    module: 'tbl_emp_kpi_feedback_dtls',
    event: 'overdue',
    days: 0,
    to: ['manager_2'],
    subject: 'Concern {{feedback_no}} has no answer after seven days',
    body: 'A concern about {{employee_id}} has no answer since {{created_on}}.\n\n{{link}}',
  },
];

/** The input for a client's initial lists. */
export interface FirstLists {
  companies: { code: string; state: string }[];
  /** Copies the library records for its industry. */
  libraries: boolean;
}

/**
 * Fills the initial lists of a new client: libraries of its industry, holidays of its states, mail rules. Can be
 * repeated. @returns what was created, as text
 */
export async function fillFirstLists(
  deps: FirstListDeps,
  tenant: Tenant,
  { companies, libraries }: FirstLists,
): Promise<string> {
  const s = quoted(tenant.schema);
  const entities = await tenant.db.query<{ id: number; code: string }>(
    `select id, code from ${s}.entity where code = any($1) order by sequence_no`,
    [companies.map(({ code }) => code)],
  );
  const sessions = entities.map(({ id }) =>
    writingSession(
      tenant,
      0,
      id,
      entities.map((one) => one.id),
    ),
  );
  const [first] = sessions;
  if (!first) return 'No company.';
  const screens = deps.screens(first);
  const made: string[] = [];
  const report = (count: number, screen: Screen) => {
    if (count > 0) made.push(`${count} ${(count === 1 ? screen.title : screen.plural).toLowerCase()}`);
  };
  if (libraries)
    for (const type of ADOPTED) {
      const screen = screens.get(type);
      if (!screen?.library || !screens.has(screen.library.from)) continue;
      const { own, platform } = libraryTables(screens, screen);
      await deps.ensure(tenant, own);
      await deps.ensure(await deps.platform(), platform);
      let count = 0;
      for (const session of screen.scope === 'entity' ? sessions : [first]) {
        const ids = (await offered(deps, session, screen)).data
          .filter(({ state }) => state === 'new')
          .map(({ id }) => id);
        if (ids.length > 0) count += (await adopt(deps, session, screen, ids)).added.length;
      }
      report(count, screen);
    }
  const [holiday, rule] = [screens.get('holiday'), screens.get('esclation')];
  if (holiday) {
    await deps.ensure(tenant, ['holiday']);
    let count = 0;
    for (const [at, session] of sessions.entries())
      count += await holidays(
        deps,
        session,
        holiday,
        companies.find(({ code }) => code === entities[at]!.code)!,
      );
    report(count, holiday);
  }
  if (rule) {
    await deps.ensure(tenant, ['esclation']);
    const count = await rules(deps, first, rule, screens);
    if (count > 0) made.push(`${count} mail rules`);
  }
  return made.length > 0 ? `${made.join(', ')}.` : 'All was there.';
}

async function holidays(
  { engine }: FirstListDeps,
  session: Session,
  screen: Screen,
  { state }: FirstLists['companies'][number],
): Promise<number> {
  const { db, schema } = session.tenant;
  const s = quoted(schema);
  if ((await db.query(`select 1 from ${s}.holiday where entity_id = $1 limit 1`, [session.entityId])).length > 0)
    return 0;
  const [company] = await db.query<{ start: number }>(`select fy_start_month as start from ${s}.entity where id = $1`, [
    session.entityId,
  ]);
  const { start } = company!;
  const zone = zoneOf({ entityId: session.entityId }, await zonesOf(session.tenant));
  const { from } = yearSpan(firstYear(dayIn(zone), start), start);
  const first = Number(from.slice(0, 4));
  const dated = (day: string) => `${day >= from.slice(5) ? first : first + 1}-${day}`;
  const record = ([day, name]: readonly [string, string], kind: string) => ({
    name,
    date: dated(day),
    holiday_type: kind,
    holiday_group: 'All',
    fixed_date: true,
    paid: true,
  });
  const all = [
    ...NATIONAL.map((one) => record(one, 'national')),
    ...(OF_STATES[state] ? [record(OF_STATES[state], 'state')] : []),
  ];
  for (const one of all) await engine.create(session, screen, one, 'provision');
  return all.length;
}

async function rules(
  { engine }: FirstListDeps,
  session: Session,
  screen: Screen,
  screens: ReadonlyMap<string, Screen>,
): Promise<number> {
  const { db, schema } = session.tenant;
  const s = quoted(schema);
  const there = new Set((await db.query<{ code: string }>(`select code from ${s}.esclation`)).map(({ code }) => code));
  const roles = new Map(
    (await db.query<{ id: number; code: string }>(`select id, code from ${s}.role`)).map(({ id, code }) => [code, id]),
  );
  const products = new Set(session.tenant.products.map(productSuffix));
  let count = 0;
  for (const { to, push, ...rule } of RULES) {
    const bought = sourceOf(screens, rule.module, rule.event)?.screen.access.products;
    const has = bought && (bought.length === 0 || bought.some((code) => products.has(code)));
    if (there.has(rule.code) || !has) continue;
    const recipients = to.flatMap((who) =>
      typeof who === 'string'
        ? [{ copy: 'to', kind: who }]
        : roles.has(who.role)
          ? [{ copy: 'cc', kind: 'role', role_id: roles.get(who.role) }]
          : [],
    );
    await engine.create(
      session,
      screen,
      {
        ...rule,
        recipients,
        channels: ['mail', 'in_app', ...(push ? ['push'] : [])],
        working_hours_only: true,
        digest: 'none',
      },
      'provision',
    );
    count++;
  }
  return count;
}
