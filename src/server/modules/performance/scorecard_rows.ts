import type { ReporteeRow, ScoreRow } from '../../../domain/performance/scorecard.ts';
import type { PeriodSpan, ScorecardPeriod } from '../../../domain/performance/scorecard_period.ts';
import type { SqlParams } from '../../db/sql_text.ts';
import type { SourceReader } from '../../engine/reports/source_reader.ts';
import { addMonths } from './kpi_months.ts';
import type { PerformanceSettings } from './performance_settings.ts';
import { figuresOfPeriod } from './scorecard_figures.ts';

/** What the rows of a scorecard are read for. */
export interface Chosen {
  period: ScorecardPeriod;
  span: PeriodSpan;
  /** The address of a scorecard keeps the month. */
  month: string;
  /** Updates of later months are not due yet. */
  until: string;
  settings: PerformanceSettings;
}

type Which = (values: SqlParams) => string;

const MONTHS = 12;
const MAX_UNITS = 200;
/** People of one answer; those of a larger company are reached by opening a member. */
const MAX_PEOPLE = 1_000;

/** The owner of a row of `alias` as text. */
const ownerKey = (alias: string) => `concat_ws('/', ${alias}.owner_kind, ${alias}.employee_id,
  case when ${alias}.employee_id is null then concat_ws('/', ${alias}.department_id, ${alias}.branch_id, ${alias}.store_id, ${alias}.board_unit_id) end)`;

const byScore = (a: ScoreRow, b: ScoreRow) => Number(a.score ?? Infinity) - Number(b.score ?? Infinity);

interface Sheet extends ScoreRow {
  sheet_id: number;
  owner: string;
  employee_id: number | null;
}

/** Members and units with their score of a period and the updates to enter, the lowest score first. @param which `t` is the sheet */
export async function scoresOf(
  reader: SourceReader,
  { period, span, month, until, settings }: Chosen,
  which: Which,
): Promise<(ScoreRow & { employee_id: number | null })[]> {
  const isMonth = period === 'month';
  const sheets = await reader.query<Sheet>(
    (values) => `select t.id as sheet_id, coalesce(t.employee_id, t.id) as id, t.employee_id,
        '/scorecard_new?' || case when t.employee_id is null then 'sheet_id=' || t.id else 'employee_id=' || t.employee_id end
          || '&month=' || ${values.bind(month)}::text || ${values.bind(isMonth ? '' : `&period=${period}`)}::text as "to",
        coalesce(e.name, t.unit_name) as name, d.name as about, s.score::text, s.band, ${ownerKey('t')} as owner,
        (select count(*)::int from {kpi_actual} o where o.sheet_id = t.id and o.active
          and o.month between ${values.bind(span.from)} and ${values.bind(until)}
          and o.status in ('to_enter', 'returned') and o.source = 'manual') as open, t.status = 'approved' as unacknowledged
      from {kpi_sheet} t left join {employee} e on e.id = t.employee_id left join {designation} d on d.id = e.designation_id
      left join {kpi_score} s on s.sheet_id = t.id and s.month = ${values.bind(isMonth ? month : null)} and s.active
      where ${reader.seen('kpi_sheet', 't', values)} and ${which(values)}
      order by s.score nulls last, 5, t.valid_from limit ${MAX_PEOPLE}`,
  );
  if (sheets.length === 0) return [];
  const pastOf = await pastScores(reader, span.to, sheets);
  const row = ({ sheet_id: _sheet, owner, ...one }: Sheet) => ({ ...one, past: pastOf(owner), isWithout: false });
  if (isMonth) return sheets.map(row);
  const figuresOf = await figuresOfPeriod(
    reader,
    sheets.map(({ sheet_id: id }) => id),
    span,
    settings,
  );
  return [...Map.groupBy(sheets, ({ owner }) => owner).values()]
    .map((own) => {
      const { score, band } = figuresOf(own.map(({ sheet_id: id }) => id)).scored;
      return row({ ...own.at(-1)!, score, band, open: own.reduce((all, { open }) => all + open, 0) });
    })
    .toSorted(byScore);
}

/** The scores of the owners of sheets in the months up to one. */
async function pastScores(reader: SourceReader, to: string, sheets: readonly Sheet[]) {
  const months = Array.from({ length: MONTHS }, (_, at) => addMonths(to, at + 1 - MONTHS));
  const members = sheets.flatMap(({ employee_id: id }) => (id === null ? [] : [id]));
  const hasUnits = members.length < sheets.length;
  const scores = await reader.query<{ owner: string; month: string; score: string }>(
    (values) => `select ${ownerKey('s')} as owner, s.month, s.score::text from {kpi_score} s
      where (s.employee_id = any(${values.bind(members)})${hasUnits ? ' or s.employee_id is null' : ''})
        and s.month between ${values.bind(months[0])} and ${values.bind(to)} and s.score is not null
        and ${reader.seen('kpi_score', 's', values)} order by s.id`,
  );
  const known = new Map(scores.map(({ owner, month, score }) => [`${owner} ${month}`, score]));
  return (owner: string) => months.map((month) => known.get(`${owner} ${month}`) ?? null);
}

/** Whether a sheet `t` has updates in a period. */
export const inPeriod = ({ from, to }: PeriodSpan, values: SqlParams): string =>
  `exists (select 1 from {kpi_actual} a where a.sheet_id = t.id and a.active
    and a.month between ${values.bind(from)} and ${values.bind(to)})`;

/** The units whose sheets the reader sees, with their score of a period. @param isApart the company is shown apart */
export const unitsOf = async (reader: SourceReader, chosen: Chosen, isApart: boolean): Promise<ScoreRow[]> =>
  (
    await scoresOf(
      reader,
      chosen,
      (values) =>
        `t.owner_kind <> 'employee' ${isApart ? "and t.owner_kind <> 'entity'" : ''} and ${inPeriod(chosen.span, values)}`,
    )
  )
    .slice(0, MAX_UNITS)
    .map(({ employee_id: _member, ...row }) => row);

/** The sheets that count into some sheets. */
export async function sheetsBelow(
  reader: SourceReader,
  chosen: Chosen,
  sheets: readonly number[],
): Promise<ReporteeRow[]> {
  const rows = await scoresOf(
    reader,
    chosen,
    (values) => `t.id in (select a.sheet_id from {kpi_actual} a where a.active
      and a.month between ${values.bind(chosen.span.from)} and ${values.bind(chosen.span.to)}
      and a.parent_sheet_id = any(${values.bind(sheets)}))`,
  );
  return rows.slice(0, MAX_UNITS).map(({ employee_id: _member, ...row }) => ({ ...row, above: null }));
}

interface Person {
  id: number;
  above: number;
  name: string;
  about: string | null;
  seen: boolean;
}

/** Everybody below a member with their scores, as far as the reader sees them; the lowest score of each team first. */
export async function reporteesOf(
  reader: SourceReader,
  chosen: Chosen,
  member: number,
): Promise<{ rows: ReporteeRow[]; isCut: boolean }> {
  const people = await reader.query<Person>(
    (
      values,
    ) => `select e.id, e.reporting_to_id as above, e.name, d.name as about, (${reader.seen('employee', 'e', values)}) as seen
      from {employee_tree} b join {employee} e on e.id = b.descendant_id left join {designation} d on d.id = e.designation_id
      where b.ancestor_id = ${values.bind(member)} and b.depth > 0 and e.active and e.status <> 'left'
      order by b.depth, e.name limit ${MAX_PEOPLE + 1}`,
  );
  const shown = people.slice(0, MAX_PEOPLE);
  const ids = shown.map(({ id }) => id);
  const scores = await scoresOf(
    reader,
    chosen,
    (values) => `t.employee_id = any(${values.bind(ids)}) and ${inPeriod(chosen.span, values)}`,
  );
  const scoreOf = new Map(scores.map(({ employee_id: id, ...row }) => [id, row]));
  // Whoever is above somebody in sight is shown.
  const inSight = new Set<number>();
  for (const { id, above, seen } of shown.toReversed())
    if (seen || inSight.has(id) || scoreOf.has(id)) {
      inSight.add(id);
      inSight.add(above);
    }
  const managers = new Set(shown.map(({ above }) => above));
  const rows = shown
    .filter(({ id }) => inSight.has(id))
    .map(({ id, above, name, about }): ReporteeRow => {
      const row = scoreOf.get(id);
      const top = above === member ? null : above;
      if (row) return { ...row, about, above: top };
      const to = managers.has(id) ? `/scorecard_new?employee_id=${id}&month=${chosen.month}&tab=reportees` : null;
      return {
        id,
        above: top,
        to,
        name,
        about,
        past: [],
        score: null,
        band: null,
        open: 0,
        unacknowledged: false,
        isWithout: true,
      };
    })
    .toSorted(byScore);
  return { rows, isCut: people.length > MAX_PEOPLE };
}
