import { wholeFinancialYear } from '../../../descriptor/financial_year.ts';
import { formatDate } from '../../../descriptor/format.ts';
import { addDays } from '../../../domain/dashboard_span.ts';
import type { Unit } from '../../engine/records/unit.ts';

/** Days within which a declaration is due after joining, or where no board meeting of the year is planned. */
const DAYS = 30;
const OF_DIRECTORS = ['interest_mbp1', 'disqualification_dir8'] as const;

/** Opens the missing declarations of directors for the financial year of a day. @returns how many were opened */
export async function openDisclosures(
  unit: Unit,
  company: number,
  day: string,
  fyStartMonth: number,
  member: number | null = null,
): Promise<number> {
  const year = wholeFinancialYear(day, fyStartMonth);
  const directors = await unit.query<{ id: number; independent: boolean; secretary_id: number | null }>(
    `select t.board_member_id as id, bool_or(d.category = 'independent') as independent, max(u.secretary_id) as secretary_id
     from {board_tenure} t join {board_position} s on s.id = t.seat_id join {board_designation} d on d.id = s.designation_id
     join {board_unit} u on u.id = s.unit_id
     where t.state = 'active' and t.active and d.is_director and u.kind = 'board' and s.entity_id = $1
       and ($2::bigint is null or t.board_member_id = $2)
     group by t.board_member_id order by t.board_member_id`,
    [company, member],
  );
  const due = (member === null ? await nextBoardMeeting(unit, company, day) : null) ?? addDays(day, DAYS);
  const there = await unit.query<{ key: string }>(
    `select board_member_id || '/' || kind as key from {board_disclosure}
     where entity_id = $1 and active and financial_year = $2 and event is not true`,
    [company, year],
  );
  const known = new Set(there.map(({ key }) => key));
  let made = 0;
  const asked = new Map<number, string[]>();
  for (const { id, independent, secretary_id: secretary } of directors)
    for (const kind of independent ? [...OF_DIRECTORS, 'independence'] : OF_DIRECTORS) {
      if (known.has(`${id}/${kind}`)) continue;
      const { number } = await unit.create('board_disclosure', {
        board_member_id: id,
        kind,
        financial_year: year,
        asked_by_day: due,
        secretary_id: secretary,
      });
      made++;
      asked.set(id, [...(asked.get(id) ?? []), String(number)]);
    }
  await askMembers(unit, asked, due);
  return made;
}

/** The day of the next board meeting that is planned; null = none. */
async function nextBoardMeeting(unit: Unit, company: number, day: string): Promise<string | null> {
  const [known] = await unit.query<{ there: boolean }>(`select to_regclass('{board_meeting}') is not null as there`);
  if (!known!.there) return null;
  const [next] = await unit.query<{ held_on: string | null }>(
    `select min(g.held_on)::text as held_on from {board_meeting} g join {board_unit} u on u.id = g.unit_id
     where g.entity_id = $1 and g.active and g.state in ('planned', 'called') and g.held_on >= $2::date and u.kind = 'board'`,
    [company, day],
  );
  return next?.held_on ?? null;
}

/** Notifies members with an account of their outstanding declarations. */
async function askMembers(unit: Unit, asked: ReadonlyMap<number, readonly string[]>, due: string): Promise<void> {
  const accounts = await unit.query<{ id: number; user_id: number }>(
    `select m.id, coalesce(m.user_id, e.user_id) as user_id from {board_member} m left join {employee} e on e.id = m.employee_id
     where m.id = any($1) and coalesce(m.user_id, e.user_id) is not null order by m.id`,
    [[...asked.keys()]],
  );
  for (const { id, user_id: user } of accounts)
    await unit.notify({
      event: 'board',
      to: [user],
      values: {
        subject: `Declarations are due by ${formatDate(due)}`,
        text: `${asked.get(id)!.join(', ')}: sign them, or send them to the secretary.`,
      },
      link: '/board_disclosures?mine=1',
    });
}
