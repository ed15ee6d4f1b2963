import type { Screen, WireRecord } from '../../../descriptor/types.ts';
import { firstYear, yearName } from '../../../descriptor/financial_year.ts';
import { childTable, tableName } from '../../db/names.ts';
import type { Tenant } from '../../db/tenant.ts';
import { DemoPerson, letPeopleWork } from './demo_people.ts';

/** The company with a board. */
const COMPANY = 'ALP';
const MEETING = 'board_meeting';
const TASK = 'chk_task_instance';
const START_MONTH = 4;
/** The place of the secretary among the first users of the company. */
const SECRETARY = 2;

/** An action: what, of whom, due and done so many days from today; null = not done yet. */
type Action = [what: string, owner: string, due: number, done: number | null, remark?: string];

/** Meetings that were called, by their unit and the days since; drafted and entered so many days ago. */
const MEETINGS: { unit: string; held: number; drafted?: number; entered?: number; actions: Action[] }[] = [
  {
    unit: 'AUD',
    held: 118,
    drafted: 109,
    entered: 92,
    actions: [['Settle the three findings of the stock audit', 'L0007', -75, -80]],
  },
  {
    unit: 'BOD',
    held: 117,
    drafted: 108,
    entered: 91,
    actions: [
      ['Renew the insurance of the works', 'L0007', -90, -95, 'With cover for floods'],
      ['Report on call-backs by branch', 'manager', -60, -52],
    ],
  },
  {
    unit: 'AUD',
    held: 20,
    drafted: 11,
    actions: [
      ['List of related parties with their contracts', 'L0002', -10, -12],
      ['Answer the internal auditor on credit notes', 'L0007', -6, null],
    ],
  },
  {
    unit: 'BOD',
    held: 19,
    actions: [
      ['Safety gear for all routes: plan and cost', 'manager', -4, null, 'After the accident in Guindy'],
      ['Sign the loan with the bank', 'L0007', 5, null],
      ['Register the charge', 'L0002', 6, null, 'Within 30 days of the signature'],
      ['Quotation for the lifts of the second plant', 'employee', 12, null],
    ],
  },
];

const EVALUATION = 'board_evaluation';
const ANSWER = 'board_evaluation_answer';
/** Days since the members were asked, and days that they still have. */
const [ASKED, ANSWER_WITHIN] = [5, 12];

/** The secretary asks the members of the board what was asked last year, and has answered already. */
async function assessTheBoard({ db, schema }: Tenant, secretary: DemoPerson, today: string): Promise<void> {
  const rows = await db.query<{ unit_id: number; question: string }>(
    `select e.unit_id, q.question from ${childTable(schema, EVALUATION, 'questions')} q join ${tableName(schema, EVALUATION)} e on e.id = q.parent_id
     where e.id = (select max(e.id) from ${tableName(schema, EVALUATION)} e join ${tableName(schema, 'board_unit')} u on u.id = e.unit_id where u.code = 'BOD')
     order by q.id`,
  );
  if (rows.length === 0) return;
  const { id } = await secretary.add(
    EVALUATION,
    {
      unit_id: rows[0]!.unit_id,
      financial_year: yearName(firstYear(today, START_MONTH)),
      due_on: secretary.day(ANSWER_WITHIN),
      questions: rows.map(({ question }) => ({ question })),
    },
    'ask',
  );
  await secretary.act(async (unit) => {
    const [own] = await unit.query<{ id: number }>(
      'select id from {board_evaluation_answer} where evaluation_id = $1 and user_id = $2',
      [id, unit.session.userId],
    );
    if (!own) return;
    const { ratings } = await unit.read(ANSWER, own.id);
    await unit.update(ANSWER, own.id, { ratings: (ratings as object[]).map((row) => ({ ...row, stars: 4 })) });
    await unit.transition(ANSWER, own.id, 'give');
  });
}

/** Members of staff by their number, and those with an account of the demo by its name. */
async function owners({ db, schema }: Tenant): Promise<ReadonlyMap<string, number>> {
  const table = (type: string) => tableName(schema, type);
  const rows = await db.query<{ id: number; empno: string; username: string | null }>(
    `select e.id, e.empno, u.username from ${table('employee')} e join ${table('entity')} c on c.id = e.entity_id and c.code = $1
     left join ${table('users')} u on u.employee_id = e.id where e.active and e.status = 'active'`,
    [COMPANY],
  );
  return new Map(rows.flatMap(({ id, empno, username }) => [[empno, id] as const, [username ?? empno, id] as const]));
}

/** Holds the meetings that were called: their actions become tasks, of which some are closed, in time or late. */
export async function addMeetingsAtWork(
  tenant: Tenant,
  screens: ReadonlyMap<string, Screen>,
  today: string,
): Promise<void> {
  if (!screens.has(MEETING) || !screens.has(TASK)) return;
  const people = await owners(tenant);
  const table = (type: string) => tableName(tenant.schema, type);
  await letPeopleWork(
    tenant,
    screens,
    today,
    { company: COMPANY, folders: ['board', 'act_checklists'], types: {}, follows: true },
    async (person) => {
      for (const { unit: code, held, drafted, entered, actions } of MEETINGS) {
        const on = (daysAgo: number) => new DemoPerson(...person(SECRETARY, daysAgo));
        const [meeting] = await tenant.db.query<WireRecord>(
          `select m.id from ${table(MEETING)} m join ${table('board_unit')} u on u.id = m.unit_id
           where u.code = $1 and m.state = 'called' and m.held_on = $2`,
          [code, on(0).day(-held)],
        );
        if (!meeting) continue;
        await on(held).change(meeting, MEETING, {
          actions: actions.map(([what, owner, due, , remark]) => ({
            what,
            owner_id: people.get(owner),
            due_on: on(0).day(due),
            remark,
          })),
        });
        const { actions: rows } = await on(held).step(meeting, MEETING, 'hold');
        if (drafted !== undefined) await on(drafted).step(meeting, MEETING, 'minute');
        if (entered !== undefined) await on(entered).step(meeting, MEETING, 'enter');
        for (const [at, [, , , done]] of actions.entries()) {
          const { task_id: task } = (rows as { task_id: number }[])[at]!;
          if (done !== null) await on(-done).step({ id: task } as WireRecord, TASK, 'submit');
        }
      }
      if (screens.has(EVALUATION)) await assessTheBoard(tenant, new DemoPerson(...person(SECRETARY, ASKED)), today);
    },
  );
  // The job of the morning colours late tasks; it has not run on these days.
  await tenant.db.query(
    `update ${table(TASK)} set colour = 'red' where origin = 'meeting' and state in ('open', 'in_progress') and due_on < $1::date`,
    [today],
  );
}
