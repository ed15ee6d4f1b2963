import { addDays, contractYears } from '../../../domain/fms/contract_years.ts';
import { contentOf, visitDates } from '../../../domain/fms/visit_dates.ts';
import type { VisitFrequency } from '../../../domain/fms/visit_dates.ts';
import { dayIn, placeOf } from '../../services/clock/client_day.ts';
import type { Unit } from '../../engine/records/unit.ts';
import { worksAt } from './working_calendar_of.ts';

/** How many days before a contract year its visits are planned. */
export const DAYS_AHEAD = 30;
/** The key of a visit, so that planning again skips existing ones. */
const KEY = ['contract_line_id', 'contract_year', 'visit_no'] as const;

/** A row of the visit content. */
interface Content {
  cycle: number;
  survey_type_id: number;
  minutes: number;
  crew: number | null;
  level: number | null;
  instruments: number[] | null;
}

/** A contract line with the data that its visits depend on. */
interface Line extends VisitFrequency {
  id: number;
  lift_id: number;
  building_id: number;
  branch_id: number;
  route_id: number | null;
  start_on: string;
  from_on: string;
  to_on: string;
  frequency_id: number;
  avoid_days: string[] | null;
  contents: Content[] | null;
  visit_minutes: number | null;
  crew: number | null;
  last_due: string | null;
}

const LINES = `
  select l.id, l.lift_id, f.building_id, g.branch_id, g.route_id, c.start_on::text, l.from_on::text, coalesce(l.closes_on, l.to_on)::text as to_on,
    v.id as frequency_id, coalesce(l.visits_per_year, v.visits_per_year) as visits_per_year, coalesce(v.first_after_days, 0) as first_after_days,
    coalesce(v.before_days, 0) as before_days, coalesce(v.after_days, 0) as after_days, coalesce(v.min_gap_days, 0) as min_gap_days, v.avoid_days,
    t.visit_minutes, t.crew, w.contents,
    (select max(x.due_on)::text from {scheduled_ticket} x where x.lift_id = l.lift_id and x.status <> 'cancelled') as last_due
  from {contract_line} l join {contract} c on c.id = l.contract_id join {lift} f on f.id = l.lift_id join {building} g on g.id = f.building_id
  join {lift_type_mstr} t on t.id = f.lift_type_id join {schedule_visit_mstr} v on v.id = c.schedule_visit_id
  left join lateral (
    select json_agg(json_build_object('cycle', r.cycle, 'survey_type_id', r.survey_type_id, 'minutes', r.minutes,
      'crew', r.crew, 'level', r.expertise_level_id, 'instruments', r.instrument_ids) order by r.id) as contents
    from {visit_schedule_mstr} s join {visit_schedule_mstr.content} r on r.parent_id = s.id
    where s.id = coalesce(c.visit_schedule_id, (
      select o.id from {visit_schedule_mstr} o where o.active and (coalesce(cardinality(o.lift_type_ids), 0) = 0 or f.lift_type_id = any(o.lift_type_ids))
      order by coalesce(cardinality(o.lift_type_ids), 0) = 0, o.id limit 1))) w on true
  where c.status = 'active' and l.line_status = 'active'`;

/** The contract years of a line that have begun or begin by a day, and have visit windows open from today. */
function yearsOf(line: Line, today: string, until: string): number[] {
  const { start_on: start, from_on: from, to_on: to, after_days: after } = line;
  if (from > to) return [];
  return contractYears(start, { from_on: from, to_on: to })
    .filter((year) => year.from_on <= until && addDays(year.to_on, after) >= today)
    .map(({ year_no: no }) => no);
}

/**
 * Creates the missing visits of lines (C11): of each contract year that has begun or begins within 30 days. Visits
 * whose window has passed are no longer planned. It can be repeated at any time without duplicates.
 * @returns the number of visits created
 */
export async function planLines(
  unit: Unit,
  which: { contract: number } | { lines: readonly number[] },
): Promise<number> {
  const lines = await unit.query<Line>(
    `${LINES} and ${'contract' in which ? 'c.id = $1' : 'l.id = any($1::bigint[])'} order by l.id`,
    ['contract' in which ? which.contract : which.lines],
  );
  if (lines.length === 0) return 0;
  const today = dayIn(placeOf(unit.session).timezone);
  const until = addDays(today, DAYS_AHEAD);
  const span = {
    from: lines.map(({ from_on: day }) => day).reduce((a, b) => (a < b ? a : b)),
    to: lines.map(({ to_on: day }) => day).reduce((a, b) => (a > b ? a : b)),
  };
  const calendars = new Map<string, (day: string) => boolean>();
  const rows: Record<string, unknown>[] = [];
  for (const line of lines) {
    const place = `${line.branch_id} ${(line.avoid_days ?? []).join()}`;
    const works = calendars.get(place) ?? (await worksAt(unit, line.branch_id, span, line.avoid_days ?? []));
    calendars.set(place, works);
    for (const year of yearsOf(line, today, until)) {
      const visits = visitDates(
        line,
        { start_on: line.start_on, year_no: year, line_from: line.from_on, line_to: line.to_on },
        works,
        line.last_due !== null && line.last_due < line.from_on ? line.last_due : null,
      );
      for (const visit of visits) {
        if (visit.window_to < today) continue;
        const content = contentOf(line.contents ?? [], visit.visit_no);
        rows.push({
          contract_line_id: line.id,
          contract_year: year,
          ...visit,
          visits_per_year: line.visits_per_year,
          lift_id: line.lift_id,
          building_id: line.building_id,
          branch_id: line.branch_id,
          route_id: line.route_id,
          planned_on: visit.due_on < today ? today : visit.due_on,
          survey_type_id: content?.survey_type_id ?? null,
          minutes: content?.minutes ?? line.visit_minutes ?? 30,
          crew: Math.max(content?.crew ?? 1, line.crew ?? 1),
          expertise_level_id: content?.level ?? null,
          instrument_ids: content?.instruments ?? [],
        });
      }
    }
  }
  return (await unit.createMany('scheduled_ticket', rows, { skip: KEY })).length;
}
