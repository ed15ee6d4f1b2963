import type { Presence } from '../../../domain/board/meeting_clocks.ts';
import { mayFallVacant, meetingsHeld, nextBy } from '../../../domain/board/meeting_clocks.ts';
import { daysBefore } from './days.ts';
import type { Unit } from '../../engine/records/unit.ts';
import type { Broken, RuleRow, SeatHolderRow, UnitRow } from './board_rows.ts';
import { speaksOf } from './board_rows.ts';

const YEAR = 365;
const HELD = "('held', 'minuted', 'entered')";

interface Meeting extends Record<string, unknown> {
  id: number;
  unit_id: number;
  held_on: string;
}
interface Presences extends Record<string, unknown> {
  unit_id: number;
  board_member_id: number;
  presence: Presence | null;
}

/** The table of meetings exists only once the client has opened their list. */
async function meetingsThere(unit: Unit): Promise<boolean> {
  const [known] = await unit.query<{ there: boolean }>(`select to_regclass('{board_meeting}') is not null as there`);
  return known!.there;
}

/** The meetings that units have held up to a day, in their order. */
async function heldMeetings(unit: Unit, units: readonly UnitRow[], day: string): Promise<Meeting[]> {
  return unit.query<Meeting>(
    `select id, unit_id, held_on::text from {board_meeting}
     where unit_id = any($1) and active and state in ${HELD} and held_on <= $2 order by held_on`,
    [units.map(({ id }) => id), day],
  );
}

/** The next meeting of each unit that is planned from a day on. */
export async function nextMeetings(unit: Unit, company: number, day: string): Promise<ReadonlyMap<number, string>> {
  if (!(await meetingsThere(unit))) return new Map();
  const rows = await unit.query<{ unit_id: number; held_on: string }>(
    `select unit_id, min(held_on)::text as held_on from {board_meeting}
     where entity_id = $1 and active and state in ('planned', 'called') and held_on >= $2 group by unit_id`,
    [company, day],
  );
  return new Map(rows.map(({ unit_id: id, held_on: on }) => [id, on]));
}

/**
 * The rules about meetings that units violate (board.md §5.4, 5.6): too few in twelve months, too long between two or since
 * the last, and members who came to none. Units without recorded meetings are not judged.
 */
export async function brokenMeetingRules(
  unit: Unit,
  units: readonly UnitRow[],
  rules: readonly RuleRow[],
  sitting: readonly SeatHolderRow[],
  day: string,
): Promise<Broken[]> {
  const judged = rules.filter(({ check }) => ['meetings_per_year', 'max_gap', 'attendance'].includes(check));
  if (judged.length === 0 || !(await meetingsThere(unit))) return [];
  const meetings = await heldMeetings(unit, units, day);
  const from = daysBefore(day, YEAR);
  const presences = await unit.query<Presences>(
    `select m.unit_id, a.board_member_id, a.presence from {board_meeting.attendance} a join {board_meeting} m on m.id = a.parent_id
     where m.unit_id = any($1) and m.active and m.state in ${HELD} and m.held_on between $2 and $3 and a.presence is not null`,
    [units.map(({ id }) => id), from, day],
  );
  return units.flatMap((one) => {
    const own = meetings.filter(({ unit_id: id }) => id === one.id).map(({ held_on: on }) => on);
    const [first, last] = [own[0], own.at(-1)];
    if (first === undefined || last === undefined) return [];
    return judged
      .filter((rule) => speaksOf(rule, one))
      .flatMap((rule): Broken[] => {
        const { id, severity, source, value } = rule;
        const broken = (
          more: Pick<Broken, 'needed' | 'have' | 'missing' | 'remedy'>,
          member: number | null = null,
        ) => ({
          unit_id: one.id,
          rule_id: id,
          seat_id: null,
          board_member_id: member,
          severity,
          source,
          ...more,
        });
        const inYear = own.filter((on) => on > from);
        if (rule.check === 'meetings_per_year') {
          const needed = Number(value ?? one.meetings_per_year ?? 4);
          const { missing } = meetingsHeld(inYear, needed);
          // Within the first year of records, earlier meetings are not known.
          if (missing === 0 || first > from) return [];
          return [broken({ needed, have: inYear.length, missing, remedy: `Hold ${missing} more in twelve months.` })];
        }
        if (rule.check === 'max_gap') {
          const most = Number(value ?? 120);
          const before = own.findLast((on) => on <= from);
          const { gaps, tooLong } = meetingsHeld([...(before ? [before] : []), ...inYear, day], 0, most);
          if (tooLong.length === 0) return [];
          const isOpen = nextBy(last, most) < day;
          return [
            broken({
              needed: most,
              have: Math.max(...gaps),
              missing: Math.max(...tooLong),
              remedy: isOpen ? 'Hold a meeting now.' : 'Note the long gap in the minutes and the annual return.',
            }),
          ];
        }
        return sitting
          .filter((person) => person.unit_id === one.id && person.is_director)
          .flatMap((person) => {
            const came = presences.flatMap((row) =>
              row.unit_id === one.id && row.board_member_id === person.board_member_id && row.presence !== null
                ? [row.presence]
                : [],
            );
            if (!mayFallVacant(came)) return [];
            const remedy = `${person.name} attended none of ${came.length} meetings: the office may fall vacant.`;
            return [broken({ needed: 1, have: 0, missing: 1, remedy }, person.board_member_id)];
          });
      });
  });
}
