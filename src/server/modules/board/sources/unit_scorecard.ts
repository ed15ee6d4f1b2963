import { monthTitle } from '../../../../domain/month_names.ts';
import { companyScore, groupScore } from '../../../../domain/board/board_score.ts';
import { Decimal } from 'decimal.js';
import type { SqlParams } from '../../../db/sql_text.ts';
import type { ReportCall, ReportRows, ReportSource } from '../../../engine/reports/report_source.ts';
import { chosenUnit } from '../chosen_unit.ts';
import { pageDay } from '../page_period.ts';
import { provisional } from '../provisional.ts';
import { SourceReader } from '../../../engine/reports/source_reader.ts';

interface Line extends Record<string, unknown> {
  id: number;
  sheet_id: number;
  month: string;
  perspective: string;
  /** The colour of its KPI type. */
  tint: string | null;
  kpi: string;
  /** Among the KPIs of the board's pages. */
  isShown: boolean;
  weight: string;
  achievement: string | null;
  score: string | null;
  colour: string | null;
  remark: string | null;
}

interface Unit {
  id: number;
  name: string;
  kind: string;
  entity_id: number;
  scorecard_of_id: number | null;
}

/** A company of the group, with the lines of its board's scorecard. */
interface Company {
  id: number;
  company: string;
  /** By hand, in its board unit. */
  weight: string;
  lines: Line[];
}

const MONTHS = 12;
const reads = {
  board_unit: ['scorecard_of_id'],
  kpi_actual: ['weight', 'score', 'achievement', 'colour', 'remark'],
} as const;

/**
 * The approved lines of a unit's KPI sheet by month, latest first: of its own sheet, for a board otherwise of the company's,
 * or of the member whose sheet the unit names.
 */
async function linesOf(call: ReportCall, unit: Unit): Promise<Line[]> {
  const { scorecard_of_id: member, kind, entity_id: company } = unit;
  const ofUnit = await sheetLines(call, (values) => `a.board_unit_id = ${values.bind(unit.id)}`);
  if (ofUnit.length > 0) return ofUnit;
  const own =
    kind === 'board'
      ? await sheetLines(call, (values) => `a.owner_kind = 'entity' and a.entity_id = ${values.bind(company)}`)
      : [];
  if (own.length > 0 || member === null) return own;
  return sheetLines(call, (values) => `a.employee_id = ${values.bind(member)}`);
}

async function sheetLines(call: ReportCall, whose: (values: SqlParams) => string): Promise<Line[]> {
  const reader = new SourceReader(call);
  const upTo = pageDay(call).slice(0, 7);
  return reader.query<Line>(
    (
      values,
    ) => `select a.id, a.sheet_id, a.month, coalesce(t.name, 'Other') as perspective, t.color as tint, concat_ws(', ', k.name, a.part) as kpi, coalesce(k.board_visible, true) as "isShown", a.weight::text, a.achievement::text,
        a.score::text, a.colour, a.remark, coalesce(o.name, r.name) as owner
      from {kpi_actual} a join {kpi} k on k.id = a.kpi_id left join {employee} o on o.id = k.owner_id left join {employee} r on r.id = coalesce(a.responsible_id, a.employee_id) left join {kpi_type} t on t.id = k.kpi_type_id
      where ${whose(values)} and a.month <= ${values.bind(upTo)} and a.score is not null and a.counts
        and a.weight > 0 and ${reader.seen('kpi_actual', 'a', values)} order by a.month desc, a.weight desc limit 600`,
  );
}

/** Exceptions listed. */
const MAX_EXCEPTIONS = 5;
const COLOURS = ['red', 'amber', 'green', 'blue'];
/** A fall by this many colours since the month before is an exception. */
const FALL = 2;

/** KPIs of the latest month that are red, or fell by two colours since the month before; the heaviest first. */
function exceptionsOf(own: readonly Line[], before: readonly Line[]) {
  const rank = (line: Line | undefined) => (line?.colour ? COLOURS.indexOf(line.colour) : null);
  return own
    .filter(({ isShown }) => isShown)
    .flatMap((line) => {
      const [now, was] = [rank(line), rank(before.find(({ kpi }) => kpi === line.kpi))];
      const hasFallen = now !== null && was !== null && was - now >= FALL;
      return now === 0 || hasFallen ? [{ line, hasFallen }] : [];
    })
    .slice(0, MAX_EXCEPTIONS)
    .map(({ line: { kpi, achievement, owner, remark }, hasFallen }) => ({
      kpi,
      achievement: achievement === null ? null : new Decimal(achievement).toDecimalPlaces(2).toNumber(),
      why: hasFallen ? 'Two colours down' : 'Red',
      owner,
      remark,
    }));
}

/** A perspective, with the colour that the client has chosen for it. */
interface Named {
  perspective: string;
  perspective__colour?: string;
}

const named = ({ perspective, perspective__colour: colour }: Named): Named => ({
  perspective,
  ...(colour !== undefined && { perspective__colour: colour }),
});

/** Perspectives of a month, with their weights as shares of the scored weight. */
function perspectivesOf(lines: readonly Line[]): (Named & { weight: string; score: string })[] {
  const total = lines.reduce((sum, { weight }) => sum.plus(weight), new Decimal(0));
  return [...Map.groupBy(lines, ({ perspective }) => perspective)].map(([perspective, own]) => {
    const weight = own.reduce((sum, line) => sum.plus(line.weight), new Decimal(0));
    const scored = own.reduce((sum, line) => sum.plus(new Decimal(line.weight).times(line.score!)), new Decimal(0));
    return {
      perspective,
      ...(own[0]!.tint !== null && { perspective__colour: own[0]!.tint }),
      weight: weight.times(100).div(total).toDecimalPlaces(10).toString(),
      score: scored.div(weight).toDecimalPlaces(10).toString(),
    };
  });
}

/** A group before one of its companies is chosen: the boards that the reader sees, with the lines of their scorecards. */
async function groupLines(call: ReportCall): Promise<Company[]> {
  const reader = new SourceReader(call);
  const boards = await reader.query<Unit & Omit<Company, 'id' | 'lines'> & { company_id: number }>(
    (
      values,
    ) => `select u.id, u.name, t.kind, u.entity_id, u.scorecard_of_id, e.id as company_id, e.name as company, coalesce(u.group_weight, 1)::text as weight
      from {board_unit} u join {entity} e on e.id = u.entity_id
      join {board_type} t on t.id = u.board_type_id
      where u.state = 'constituted' and t.kind = 'board' and ${reader.seen('board_unit', 'u', values)}
      order by e.name, u.id`,
  );
  return Promise.all(
    boards.map(async ({ company_id: id, company, weight, ...unit }) => ({
      id,
      company,
      weight,
      lines: await linesOf(call, unit),
    })),
  );
}

const inMonthOf = (lines: readonly Line[], month: string | undefined): Line[] =>
  lines.filter((line) => line.month === month);

const BASIS = {
  manual: 'by the weights of their boards',
  equal: 'all with the same weight',
  revenue: 'by the revenue of twelve months',
} as const;

/** The weights of the companies by the setting, and what they are; companies without invoices have no revenue. */
async function weightsOf(call: ReportCall, companies: readonly Company[], month: string) {
  const reader = new SourceReader(call);
  // The reader needs no right to the setting or to invoices: the weights reveal neither.
  const [known] = await reader.query<{ setting: boolean; invoices: boolean }>(
    () =>
      `select to_regclass('{board_setting}') is not null as setting, to_regclass('{billing}') is not null as invoices`,
  );
  const [setting] = known!.setting
    ? await reader.query<{ basis: keyof typeof BASIS }>(
        () => 'select group_weights as basis from {board_setting} where active order by id limit 1',
      )
    : [];
  const basis = setting?.basis ?? 'manual';
  const equal = new Map(companies.map(({ id }) => [id, '1']));
  if (basis === 'equal') return { weights: equal, basis: BASIS.equal };
  if (basis === 'manual')
    return { weights: new Map(companies.map(({ id, weight }) => [id, weight])), basis: BASIS.manual };
  const revenue = known!.invoices
    ? await reader.query<{ id: number; amount: string }>(
        (values) => `select b.entity_id as id,
            greatest(0, sum(case when b.bill_kind = 'credit_note' then -b.taxable_total else b.taxable_total end))::text as amount
          from {billing} b where b.active and b.bill_kind <> 'proforma' and b.status = 'posted'
            and b.bill_date >= (${values.bind(`${month}-01`)}::date - interval '11 months')
            and b.bill_date < (${values.bind(`${month}-01`)}::date + interval '1 month') group by b.entity_id`,
      )
    : [];
  const amounts = new Map(revenue.map(({ id, amount }) => [id, amount]));
  if (companies.every(({ id }) => Number(amounts.get(id) ?? 0) === 0))
    return { weights: equal, basis: 'all with the same weight, as there are no invoices' };
  return { weights: new Map(companies.map(({ id }) => [id, amounts.get(id) ?? '0'])), basis: BASIS.revenue };
}

/** The score of the group: of its companies by their weights, by month, by perspective, or company by company. */
async function ofGroup(call: ReportCall): Promise<ReportRows> {
  const companies = (await groupLines(call)).filter(({ lines }) => lines.length > 0);
  const months = [...new Set(companies.flatMap(({ lines }) => lines.map(({ month }) => month)))]
    .toSorted((a, b) => b.localeCompare(a))
    .slice(0, MONTHS);
  const [latest] = months;
  if (latest === undefined) return { rows: [], note: 'No company has a scorecard with figures yet.' };
  const { weights, basis } = await weightsOf(call, companies, latest);
  /** The companies that have figures in a month. */
  const inMonth = (month: string) =>
    companies.flatMap(({ id, company, lines }) => {
      const own = inMonthOf(lines, month);
      return own.length === 0 ? [] : [{ company, weight: weights.get(id)!, parts: perspectivesOf(own) }];
    });
  const scored = (month: string) =>
    inMonth(month).map(({ company, weight, parts }) => ({ company, weight, score: companyScore(parts) }));
  const now = inMonth(latest);
  const sheets = companies.flatMap(({ lines }) => inMonthOf(lines, latest).map(({ sheet_id: sheet }) => sheet));
  const mayChange = await provisional(call, [...new Set(sheets)], latest);
  switch (call.args?.as) {
    case 'months':
      return {
        rows: months.toReversed().flatMap((month) => {
          const score = groupScore(scored(month));
          return score === null ? [] : [{ month, score: Number(score) }];
        }),
      };
    case 'perspectives': {
      const parts = now.flatMap((one) => one.parts.map((part) => ({ ...part, weight: one.weight })));
      return {
        rows: [...Map.groupBy(parts, ({ perspective }) => perspective).values()].flatMap((of) => {
          const score = groupScore(of);
          return score === null ? [] : [{ ...named(of[0]!), score: Number(score) }];
        }),
        ...(mayChange !== null && { note: `Of ${monthTitle(latest)}, ${mayChange}` }),
      };
    }
    case 'exceptions':
      return {
        rows: companies.flatMap(({ company, lines }) =>
          exceptionsOf(inMonthOf(lines, latest), inMonthOf(lines, months[1])).map((row) => ({
            ...row,
            kpi: `${row.kpi}, ${company}`,
          })),
        ),
        ...(mayChange !== null && { note: `Of ${monthTitle(latest)}, ${mayChange}` }),
      };
    case 'kpis':
      return {
        rows: scored(latest).map(({ company, score }) => ({ kpi: company, score: Number(score) })),
        note: ['Score of each company. Choose one to see its KPIs.', mayChange ?? []].flat().join(' '),
      };
    default: {
      const score = groupScore(scored(latest));
      return {
        rows: score === null ? [] : [{ score: Number(score) }],
        note: [
          `Of ${monthTitle(latest)}`,
          now.length === 1 ? '1 company' : `${now.length} companies, ${basis}`,
          mayChange ?? [],
        ]
          .flat()
          .join(', '),
      };
    }
  }
}

const address = (sheet: number, month: string) => `/scorecard_new?sheet_id=${sheet}&month=${month}`;

/** The score of the unit's own sheet: by perspective, by month, its KPIs, or the total (board.md §5.7). */
const unitScorecard: ReportSource = {
  reads,
  async rows(call) {
    if (call.session.entityId === null) return ofGroup(call);
    const unit = await chosenUnit(call);
    const lines = unit ? await linesOf(call, unit) : [];
    const months = [...Map.groupBy(lines, ({ month }) => month)].slice(0, MONTHS);
    const latest = months[0];
    if (!latest)
      return {
        rows: [],
        note: 'The unit has no scorecard with figures yet. Add a KPI sheet of the unit or the company, or choose a scorecard in Board units.',
      };
    const [month, own] = latest;
    const opens = address(own[0]!.sheet_id, month);
    const two = (value: string) => new Decimal(value).toDecimalPlaces(2).toNumber();
    const mayChange = await provisional(call, [own[0]!.sheet_id], month);
    const note = [`Of ${monthTitle(month)}`, mayChange ?? []].flat().join(', ');
    switch (call.args?.as) {
      case 'months':
        return {
          rows: months
            .toReversed()
            .map(([one, of]) => ({ month: one, score: Number(companyScore(perspectivesOf(of))) })),
          ...(mayChange !== null && { note: `${monthTitle(month)}: ${mayChange}` }),
          opens,
        };
      case 'perspectives':
        return {
          rows: perspectivesOf(own).map((one) => ({
            ...named(one),
            weight: two(one.weight),
            score: two(one.score),
          })),
          note,
          opens,
        };
      case 'kpis':
        return {
          rows: own
            .filter(({ isShown }) => isShown)
            .map(({ kpi, weight, achievement, score, colour, remark }) => ({
              kpi,
              weight: two(weight),
              achievement: achievement === null ? null : two(achievement),
              score: two(score!),
              colour,
              remark,
            })),
          note,
          opens,
        };
      case 'exceptions':
        return { rows: exceptionsOf(own, months[1]?.[1] ?? []), note, opens };
      default:
        return { rows: [{ score: Number(companyScore(perspectivesOf(own))) }], note, opens };
    }
  },
};

export default unitScorecard;
