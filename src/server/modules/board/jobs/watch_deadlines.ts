import { formatDate } from '../../../../descriptor/format.ts';
import { nextBy } from '../../../../domain/board/meeting_clocks.ts';
import { termAlerts } from '../../../../domain/board/terms.ts';
import type { Job } from '../../../engine/modules.ts';
import type { Unit } from '../../../engine/records/unit.ts';
import { accountsWith } from '../accounts.ts';
import { daysBefore } from '../days.ts';

/** Days before the last day for the next meeting, on which the secretary is notified; on the last also the chairman. */
const BEFORE_MEETING = [45, 15, 5] as const;

interface Ending extends Record<string, unknown> {
  what: string;
  whose: string;
  day: string;
  secretary: number | null;
  member: number | null;
}

/** Terms, signature certificates and databank entries of members in office. */
const ENDINGS = `select 'term' as what, m.name || ', ' || u.name as whose, t.until_date::text as day, s.user_id as secretary,
    coalesce(m.user_id, e.user_id) as member
  from {board_tenure} t join {board_position} p on p.id = t.seat_id join {board_unit} u on u.id = p.unit_id
  join {board_member} m on m.id = t.board_member_id left join {employee} e on e.id = m.employee_id
  left join {employee} s on s.id = u.secretary_id
  where t.state = 'active' and t.active and p.entity_id = $1 and t.until_date between $2 and $3
  union all
  select x.what, m.name, x.day::text, max(s.user_id), max(coalesce(m.user_id, e.user_id))
  from {board_member} m cross join lateral (values ('signature certificate', m.signature_valid_to),
      ('entry in the databank', m.databank_valid_to)) x(what, day)
  left join {employee} e on e.id = m.employee_id
  join {board_tenure} t on t.board_member_id = m.id and t.state = 'active' and t.active
  join {board_position} p on p.id = t.seat_id and p.entity_id = $1 join {board_unit} u on u.id = p.unit_id
  left join {employee} s on s.id = u.secretary_id
  where x.day between $2 and $3 group by x.what, m.id, m.name, x.day`;

/** Days before a meeting deadline on which the secretary is notified, and again on the day itself. */
const BEFORE_CLOCK = 2;

interface Clock extends Record<string, unknown> {
  number: string;
  what: string;
  day: string;
  secretary: number | null;
  /** Accounts of people whose paper is missing; null = the papers are not due. */
  papers: number[] | null;
}

/** Meeting deadlines that are near: notice with papers, draft minutes, entered minutes. */
function meetingClocks(unit: Unit, company: number, today: string): Promise<Clock[]> {
  return unit.query<Clock>(
    `select g.number, x.what, x.day::text, s.user_id as secretary, case when x.state = 'planned' then array(
        select distinct e.user_id from {board_meeting.agenda} a join {employee} e on e.id = a.paper_by_id
        where a.parent_id = g.id and a.paper is null and e.user_id is not null) end as papers
     from {board_meeting} g left join {employee} s on s.id = g.secretary_id
     cross join lateral (values ('Notice of a meeting is due', g.notice_by, 'planned'), ('Draft minutes are due', g.draft_minutes_by, 'held'),
       ('Minutes are to be entered', g.minutes_by, 'minuted')) x(what, day, state)
     where g.entity_id = $1 and g.active and g.state = x.state and x.day in ($2::date, $2::date + ${BEFORE_CLOCK}) order by x.day, g.number`,
    [company, today],
  );
}

/** Days after the due date of a question on which the secretary and the CEO are notified. */
const QUESTION_LATE = 3;

interface LateQuestion extends Record<string, unknown> {
  id: number;
  figure: string | null;
  due_on: string;
  owner: number | null;
  secretary: number | null;
}

/** Unanswered questions that are due today, or were due `QUESTION_LATE` days ago. */
function lateQuestions(unit: Unit, company: number, today: string): Promise<LateQuestion[]> {
  return unit.query<LateQuestion>(
    `select q.id, q.figure, q.due_on::text, e.user_id as owner, s.user_id as secretary
     from {board_query} q left join {employee} e on e.id = q.to_id
     left join {board_unit} u on u.id = coalesce(q.unit_id, (select b.id from {board_unit} b
       where b.entity_id = q.entity_id and b.kind = 'board' and b.state = 'constituted' and b.active limit 1))
     left join {employee} s on s.id = u.secretary_id
     where q.entity_id = $1 and q.active and q.state in ('asked', 'reopened') and q.due_on in ($2::date, $2::date - ${QUESTION_LATE}) order by q.id`,
    [company, today],
  );
}

type Notify = (to: readonly (number | null)[], subject: string, text: string, link: string) => Promise<void>;

interface Morning {
  unit: Unit;
  company: number;
  today: string;
  notify: Notify;
}

async function notifyOfEndings({ unit, company, today, notify }: Morning): Promise<void> {
  const endings = await unit.query<Ending>(ENDINGS, [company, today, daysBefore(today, -180)]);
  for (const { what, whose, day, secretary, member } of endings) {
    const at = termAlerts(day).indexOf(today);
    if (at < 0) continue;
    const chairs = at === 1 ? await accountsWith(unit, company, ['chairman']) : [];
    await notify(
      [secretary, ...chairs, at === 2 ? member : null],
      `${whose}: the ${what} ends on ${formatDate(day)}`,
      what === 'term' ? 'Renew it, or find a successor.' : 'Have it renewed.',
      what === 'term' ? '/board_tenures' : '/board_members',
    );
  }
}

async function notifyOfNextMeetings({ unit, company, today, notify }: Morning): Promise<void> {
  const units = await unit.query<{ name: string; secretary: number | null; last: string; gap: number }>(
    `select u.name, s.user_id as secretary, max(m.held_on)::text as last, t.max_gap_days as gap
     from {board_unit} u join {board_type} t on t.id = u.board_type_id join {board_meeting} m on m.unit_id = u.id
     left join {employee} s on s.id = u.secretary_id
     where u.entity_id = $1 and u.active and u.state = 'constituted' and t.max_gap_days is not null and m.active
       and m.state in ('held', 'minuted', 'entered') and not exists (
         select 1 from {board_meeting} n where n.unit_id = u.id and n.active and n.state = 'called')
     group by u.id, u.name, s.user_id, t.max_gap_days`,
    [company],
  );
  for (const { name, secretary, last, gap } of units) {
    const by = nextBy(last, gap);
    const before = BEFORE_MEETING.find((days) => daysBefore(by, days) === today);
    if (before === undefined) continue;
    const chairs = before === BEFORE_MEETING.at(-1) ? await accountsWith(unit, company, ['chairman']) : [];
    await notify(
      [secretary, ...chairs],
      `${name}: the next meeting must be held by ${formatDate(by)}`,
      'No notice has been sent yet.',
      '/board_meetings',
    );
  }
}

async function notifyOfClocks({ unit, company, today, notify }: Morning): Promise<void> {
  for (const { number, what, day, secretary, papers } of await meetingClocks(unit, company, today)) {
    await notify([secretary], `${what} by ${formatDate(day)}`, `Meeting ${number}`, '/board_meetings');
    if (papers !== null)
      await notify(
        papers,
        `Your paper for meeting ${number} is missing`,
        `The notice goes out by ${formatDate(day)}.`,
        '/board_meetings',
      );
  }
}

async function notifyOfQuestions({ unit, company, today, notify }: Morning): Promise<void> {
  const [known] = await unit.query<{ there: boolean }>(`select to_regclass('{board_query}') is not null as there`);
  if (!known!.there) return;
  for (const { id, figure, due_on: day, owner, secretary } of await lateQuestions(unit, company, today))
    await notify(
      day === today ? [owner] : [secretary, ...(await accountsWith(unit, company, ['ceo']))],
      `A question waits for its answer: ${figure ?? 'board'}`,
      day === today ? 'The answer is due today.' : `The answer was due on ${formatDate(day)}.`,
      `/board_queries/view/${id}`,
    );
}

/**
 * Every morning, notifies the secretary 180, 90 and 30 days before a term, a certificate or a databank entry ends, the
 * chairman at 90 and the member at 30; 45, 15 and 5 days before the last day of the next meeting; before notices and minutes
 * are due; and of questions without an answer (board.md §4, 6). The notices of days on which no server ran follow.
 */
export const watchDeadlines: Job = {
  elevated: true,
  async run({ company, days, each }) {
    if (company === null) return;
    let sent = 0;
    await each(
      (_unit, after) => Promise.resolve(days.filter((day) => day > String(after ?? '')).slice(0, 1)),
      async (person, [day]) => {
        const unit = person.elevated();
        const notify: Notify = async (to, subject, text, link) => {
          const people = [...new Set(to)].flatMap((one) => (one === null ? [] : [one]));
          if (people.length === 0) return;
          sent++;
          await unit.notify({ event: 'board', to: people, values: { subject, text }, link });
        };
        const morning: Morning = { unit, company, today: day!, notify };
        await notifyOfEndings(morning);
        await notifyOfNextMeetings(morning);
        await notifyOfClocks(morning);
        await notifyOfQuestions(morning);
        return day!;
      },
    );
    return `${sent} notices.`;
  },
};
