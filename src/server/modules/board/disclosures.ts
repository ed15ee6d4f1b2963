import { wholeFinancialYear } from '../../../descriptor/financial_year.ts';
import { addDays } from '../../../domain/dashboard_span.ts';
import type { Unit } from '../../engine/records/unit.ts';

/**
 * Days within which a declaration is due. It stands in for the first board meeting, because meetings are not kept here.
 */
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
  const there = await unit.query<{ key: string }>(
    `select board_member_id || '/' || kind as key from {board_disclosure}
     where entity_id = $1 and active and financial_year = $2 and event is not true`,
    [company, year],
  );
  const known = new Set(there.map(({ key }) => key));
  let made = 0;
  for (const { id, independent, secretary_id: secretary } of directors)
    for (const kind of independent ? [...OF_DIRECTORS, 'independence'] : OF_DIRECTORS) {
      if (known.has(`${id}/${kind}`)) continue;
      await unit.create('board_disclosure', {
        board_member_id: id,
        kind,
        financial_year: year,
        asked_by_day: addDays(day, DAYS),
        secretary_id: secretary,
      });
      made++;
    }
  return made;
}
